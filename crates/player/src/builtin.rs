//! Echo in this process: no pipe, no parsing, no child process.
//!
//! Its traffic is recorded as if there were a pipe: each question, the last report, and the move.

use std::sync::Arc;
use std::time::Duration;

use shakmaty::CastlingMode;

use super::line_pattern::LineQuotes;
use super::printed_count::speed;
use super::run_queue::own_wait;
use super::traffic::Direction;
use super::{
    Answer, BenchCounts, EngineFault, EngineId, EngineSpec, LaunchOptions, LimitEnforcedBy, LinePattern,
    LinesBetweenSearches, Player, Question, ScoredInfo, SearchReports,
};
use threefold_chess::clock::{Delays, Stop};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_chess::uci::{Command, Go, Info, PositionText, Reply};
use threefold_echo::{Echo, OptionError, RequestError, SearchReport, SearchRequest};

/// Echo as a player.
pub struct BuiltinPlayer {
    name: String,
    echo: Echo,
    options: LaunchOptions,
    castling: CastlingMode,
    position: PositionText,
    /// The lines to quote.
    patterns: Arc<[LinePattern]>,
}

impl BuiltinPlayer {
    /// Sets Echo's options by the spec, and its clock by the launch options.
    pub fn launch(spec: &EngineSpec, options: &LaunchOptions) -> Result<Self, EngineFault> {
        let options = LaunchOptions { traffic: options.traffic.claimed_by(&spec.name), ..options.clone() };
        let (name, castling) = (spec.name.clone(), CastlingMode::Standard);
        let (position, patterns) = (PositionText::default(), Arc::default());
        let mut player = Self { name, echo: Echo::new(), options, castling, position, patterns };
        for (name, value) in &spec.options {
            player.set(name, value)?;
        }
        if let Some(nodes) = player.options.nodes_a_millisecond(spec)? {
            player.set("nodestime", &nodes.to_string())?;
        }
        Ok(player)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), EngineFault> {
        self.record_command(&Command::SetOption { name: name.to_owned(), value: Some(value.to_owned()) });
        self.echo.set(name, value).map_err(|error| fault(&error))
    }

    /// Records a command to it.
    fn record_command(&self, command: &Command) {
        self.options.traffic.record(Direction::ToEngine, &command.to_string());
    }

    /// Records a reply of it.
    fn record_reply(&self, reply: &Reply) {
        self.options.traffic.record(Direction::FromEngine, &reply.to_string());
    }

    /// Makes Echo write castling as the start position requires.
    fn write_castling_for(&mut self, question: &Question) -> Result<(), EngineFault> {
        let castling = CastlingMode::detect(question.position.start.as_setup());
        if castling != self.castling {
            self.set("UCI_Chess960", &castling.is_chess960().to_string())?;
            self.castling = castling;
        }
        Ok(())
    }
}

fn fault(error: &OptionError) -> EngineFault {
    EngineFault::Option(error.to_string())
}

fn refused(refusal: &RequestError) -> EngineFault {
    EngineFault::ProtocolBreach(format!("it refuses the question: {refusal}"))
}

fn scored_info(report: &SearchReport) -> ScoredInfo {
    ScoredInfo {
        score: report.score,
        bound: report.bound,
        multipv: report.line_of_play,
        depth: report.depth,
        nodes: Some(report.nodes),
        pv: report.pv.clone(),
        line: None,
    }
}

fn search_reports(report: &SearchReport) -> SearchReports {
    let microseconds = report.elapsed.as_micros();
    let nps = (microseconds > 0).then(|| u128::from(report.nodes) * 1_000_000 / microseconds);
    SearchReports {
        seldepth: Some(report.seldepth),
        nps: nps.and_then(|nps| u64::try_from(nps).ok()),
        hashfull: Some(report.hashfull),
        tbhits: report.table_hits,
        wdl: None,
        time: Some(report.elapsed),
    }
}

/// What is kept of the reports of a search.
#[derive(Default)]
struct HeardReports {
    infos: Vec<ScoredInfo>,
    other_lines: Vec<ScoredInfo>,
    reported: SearchReports,
    quotes: LineQuotes,
}

impl HeardReports {
    fn take(&mut self, report: &SearchReport) {
        let scored = scored_info(report);
        // The text is built during the search and costs its time, so it is built only for a pattern.
        if !self.quotes.is_idle() {
            self.quotes.take_line(&info(&scored, report.elapsed).to_string());
        }
        if report.line_of_play == 1 {
            self.infos.push(scored);
            self.reported = search_reports(report);
        } else {
            self.other_lines.push(scored);
        }
    }
}

/// A report in its UCI form.
fn info(info: &ScoredInfo, elapsed: Duration) -> Reply {
    let ScoredInfo { score, bound, multipv: _, depth, nodes, pv, line: _ } = info.clone();
    let score = Some((score, bound));
    Reply::Info(Info { depth: Some(depth), score, nodes, time: Some(elapsed), pv, ..Info::default() })
}

impl Player for BuiltinPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn engine_id(&self) -> EngineId {
        EngineId {
            name: Some(threefold_echo::NAME.to_owned()),
            author: Some(threefold_echo::AUTHOR.to_owned()),
        }
    }

    fn quote_lines(&mut self, patterns: &[LinePattern]) {
        if *self.patterns != *patterns {
            self.patterns = patterns.into();
        }
    }

    fn set_options(&mut self, options: &[(String, String)]) -> Result<(), EngineFault> {
        options.iter().try_for_each(|(name, value)| self.set(name, value))
    }

    fn new_game(&mut self) -> Result<(), EngineFault> {
        self.record_command(&Command::NewGame);
        self.echo.new_game();
        Ok(())
    }

    fn answer(&mut self, question: &Question) -> Result<Answer, EngineFault> {
        self.write_castling_for(question)?;
        self.options.traffic.record(Direction::ToEngine, self.position.command_for(&question.position));
        let go = Go { limits: question.limits, only: question.searchmoves.clone(), ponder: false };
        self.record_command(&Command::Go(go));
        // The calling thread runs the search.
        let clock = self.options.clock.clone();
        let asked = clock.now();
        let is_timed = self.options.is_timed(&question.limits);
        let waited = |now| is_timed.then(|| own_wait(now, Duration::ZERO)).flatten();
        let before = waited(asked);
        let elapsed = || clock.now().saturating_duration_since(asked);
        let request = SearchRequest {
            position: &question.position,
            limits: &question.limits,
            only: &question.searchmoves,
            stop: &self.options.stop,
            pondering: &Stop::default(),
            now: &elapsed,
        };
        let mut heard = HeardReports { quotes: LineQuotes::new(&self.patterns), ..HeardReports::default() };
        let found = self
            .echo
            .search(&request, &mut |report| heard.take(report))
            .map_err(|refusal| refused(&refusal))?;
        let elapsed = elapsed();
        let stood_still = clock.suspended_between(asked, clock.now());
        let delays = waited(clock.now()).zip(before).map(|(after, before)| {
            let runner = stood_still.min(elapsed);
            Delays { engine: after.saturating_sub(before).min(elapsed.saturating_sub(runner)), runner }
        });
        // The move of an interrupted search depends on the moment of the interruption.
        if self.options.stop.is_raised() {
            return Err(EngineFault::Interrupted);
        }
        self.options.search_timeout.record(elapsed);
        if let Some(report) = heard.infos.last() {
            self.record_reply(&info(report, elapsed));
        }
        self.record_reply(&Reply::end_of_search(found.best, found.ponder));
        Ok(Answer {
            best: found.best,
            in_place_of_move: None,
            ponder: found.ponder,
            infos: heard.infos,
            other_lines: heard.other_lines,
            nodes: found.nodes,
            nodes_at_end: found.nodes,
            elapsed,
            delays,
            asked: self.options.is_timed(&question.limits).then_some(asked),
            first_output: None,
            cpu: None,
            limit_enforced_by: LimitEnforcedBy::Engine,
            nodes_over_limit: None,
            account: found.time_report,
            reported: heard.reported,
            quotes: heard.quotes.into_lines(),
            counts: self.echo.counts(),
            between: LinesBetweenSearches::NONE,
        })
    }

    fn perft(&mut self, position: &GamePosition, depth: Ply) -> Result<u64, EngineFault> {
        self.record_command(&Command::Position(position.clone()));
        self.record_command(&Command::Perft(depth));
        let leaves =
            self.echo.perft(position, depth, &self.options.stop).map_err(|refusal| match refusal {
                RequestError::Stopped => EngineFault::Interrupted,
                refusal => refused(&refusal),
            })?;
        self.record_reply(&Reply::Leaves(leaves));
        Ok(leaves)
    }

    fn bench(&mut self, _: Duration) -> Result<BenchCounts, EngineFault> {
        self.record_command(&Command::Bench);
        let begun = self.options.clock.now();
        let nodes = threefold_echo::bench::run();
        let elapsed = self.options.clock.now().saturating_duration_since(begun);
        Ok(BenchCounts { nodes: Some(nodes), nps: speed(nodes, elapsed) })
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;
    use crate::launch;
    use threefold_chess::clock::{ClockSource, Limits};
    use threefold_oracle::Referee;

    fn question(fen: &str, limits: Limits) -> Question {
        Question { position: GamePosition::parse(fen, "").expect("sound"), limits, searchmoves: Vec::new() }
    }

    fn options(nodes_per_second: u32) -> LaunchOptions {
        let nodes_per_second = NonZeroU32::new(nodes_per_second).expect("not zero");
        LaunchOptions::new(ClockSource::Virtual { nodes_per_second }, Stop::default())
    }

    #[test]
    fn built_in_echo_accepts_both_castling_notations() {
        let mut player =
            launch(&"echo,name=E".parse().expect("sound"), &options(1_000_000)).expect("it has nodestime");
        assert_eq!(player.name(), "E");
        for fen in [
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ] {
            let question = question(fen, Limits::nodes(500));
            player.new_game().expect("it never fails");
            let best = player.answer(&question).expect("no fault").best.expect("there are moves");
            let referee = Referee::new(&question.position).expect("legal");
            assert!(referee.legal(best).is_ok(), "{fen}: {best}");
        }
    }

    #[test]
    fn stopped_search_has_no_answer() {
        let options = options(1_000_000);
        let mut player = launch(&"echo".parse().expect("sound"), &options).expect("it has nodestime");
        options.stop.raise();
        let endless = question("4k3/8/8/8/8/8/8/4K2R w K - 0 1", Limits::default());
        assert_eq!(player.answer(&endless), Err(EngineFault::Interrupted));
    }

    #[test]
    fn invalid_options_of_built_in_echo_are_named() {
        let table = [
            ("echo,Hsh=1", 1_000_000, "Hsh"),
            ("echo,Hash=none", 1_000_000, "Hash"),
            ("echo,nodestime=5", 1_000_000, "nodestime"),
            ("echo", 1500, "1500"),
        ];
        for (spec, pace, culprit) in table {
            match launch(&spec.parse().expect("sound"), &options(pace)) {
                Err(EngineFault::Option(text)) => assert!(text.contains(culprit), "{spec}: {text}"),
                other => panic!("{spec}: {:?}", other.map(|player| player.name().to_owned())),
            }
        }
    }
}
