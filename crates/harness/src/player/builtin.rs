//! Echo in this process: no pipe, no parsing, no other process to lose.
//!
//! Its traffic is recorded as though there were a pipe: each question, and of each answer the last report and the move.

use std::time::Duration;

use shakmaty::CastlingMode;

use super::hire::nodes_a_millisecond;
use super::run_queue::OwnWait;
use super::traffic::Direction;
use super::{Answer, Claim, EngineSpec, Fault, Hiring, Introduction, LimitKeeper, Player, Question};
use threefold_chess::clock::Stop;
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_chess::uci::{BestMove, Command, Go, Info, Reply};
use threefold_echo::{Echo, OptionError, RequestError, SearchReport, SearchRequest};

/// Echo as a player.
pub struct Builtin {
    name: String,
    echo: Echo,
    hiring: Hiring,
    castling: CastlingMode,
}

impl Builtin {
    /// Sets Echo up as the spec says, and its clock as the hiring does.
    pub fn hire(spec: &EngineSpec, hiring: &Hiring) -> Result<Self, Fault> {
        let hiring = Hiring { traffic: hiring.traffic.claimed_by(&spec.name), ..hiring.clone() };
        let (name, castling) = (spec.name.clone(), CastlingMode::Standard);
        let mut player = Self { name, echo: Echo::new(), hiring, castling };
        for (name, value) in &spec.options {
            player.set(name, value)?;
        }
        if let Some(nodes) = nodes_a_millisecond(spec, player.hiring.pace)? {
            player.set("nodestime", &nodes.to_string())?;
        }
        Ok(player)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        self.hear(&Command::SetOption { name: name.to_owned(), value: Some(value.to_owned()) });
        self.echo.set(name, value).map_err(|error| fault(&error))
    }

    /// Records what it is told.
    fn hear(&self, command: &Command) {
        self.hiring.traffic.record(Direction::ToEngine, &command.to_string());
    }

    /// Records what it replies.
    fn say(&self, reply: &Reply) {
        self.hiring.traffic.record(Direction::FromEngine, &reply.to_string());
    }

    /// Castling is written as the start position asks.
    fn write_castling_for(&mut self, question: &Question) -> Result<(), Fault> {
        let castling = CastlingMode::detect(question.line.start.as_setup());
        if castling != self.castling {
            self.set("UCI_Chess960", &castling.is_chess960().to_string())?;
            self.castling = castling;
        }
        Ok(())
    }
}

fn fault(error: &OptionError) -> Fault {
    Fault::Option(error.to_string())
}

fn refused(refusal: &RequestError) -> Fault {
    Fault::Breach(format!("it refuses the question: {refusal}"))
}

fn claim(report: &SearchReport) -> Claim {
    Claim {
        score: report.score,
        bound: report.bound,
        depth: report.depth,
        nodes: Some(report.nodes),
        pv: report.pv.clone(),
    }
}

/// A report as it would be written.
fn info(claim: &Claim, elapsed: Duration) -> Reply {
    let Claim { score, bound, depth, nodes, pv } = claim.clone();
    let score = Some((score, bound));
    Reply::Info(Info { depth: Some(depth), score, nodes, time: Some(elapsed), pv, ..Info::default() })
}

impl Player for Builtin {
    fn name(&self) -> &str {
        &self.name
    }

    fn introduction(&self) -> Introduction {
        Introduction {
            name: Some(threefold_echo::NAME.to_owned()),
            author: Some(threefold_echo::AUTHOR.to_owned()),
        }
    }

    fn new_game(&mut self) -> Result<(), Fault> {
        self.hear(&Command::NewGame);
        self.echo.new_game();
        Ok(())
    }

    fn answer(&mut self, question: &Question) -> Result<Answer, Fault> {
        self.write_castling_for(question)?;
        self.hear(&Command::Position(question.line.clone()));
        self.hear(&Command::Go(Go { limits: question.limits, only: question.only.clone(), ponder: false }));
        // The calling thread searches itself.
        let mut queue = self.hiring.is_timed(&question.limits).then(OwnWait::open);
        let mut waited = || queue.as_mut().and_then(OwnWait::read);
        let before = waited();
        let clock = self.hiring.clock.clone();
        let asked = clock.now();
        let elapsed = || clock.now().saturating_duration_since(asked);
        let request = SearchRequest {
            line: &question.line,
            limits: &question.limits,
            only: &question.only,
            stop: &self.hiring.stop,
            pondering: &Stop::default(),
            now: &elapsed,
        };
        let (mut claims, mut others) = (Vec::new(), Vec::new());
        let found = self
            .echo
            .search(&request, &mut |report| {
                let kept = if report.line_of_play == 1 { &mut claims } else { &mut others };
                kept.push(claim(report));
            })
            .map_err(|refusal| refused(&refusal))?;
        let elapsed = elapsed();
        let stood_still = clock.stood_still(asked, clock.now());
        let waited = waited()
            .zip(before)
            .map(|(after, before)| (after.saturating_sub(before) + stood_still).min(elapsed));
        if self.hiring.stop.is_raised() {
            return Err(Fault::Interrupted);
        }
        self.hiring.patience.note(elapsed);
        if let Some(report) = claims.last() {
            self.say(&info(report, elapsed));
        }
        self.say(&Reply::BestMove(BestMove { best: found.best, ponder: found.ponder }));
        let keeper = LimitKeeper::Engine;
        Ok(Answer {
            best: found.best,
            ponder: found.ponder,
            claims,
            others,
            nodes: found.nodes,
            elapsed,
            waited,
            keeper,
            account: found.time_report,
            counts: self.echo.counts(),
        })
    }

    fn perft(&mut self, line: &GamePosition, depth: Ply) -> Result<u64, Fault> {
        self.hear(&Command::Position(line.clone()));
        self.hear(&Command::Perft(depth));
        let leaves = self.echo.perft(line, depth, &self.hiring.stop).map_err(|refusal| match refusal {
            RequestError::Stopped => Fault::Interrupted,
            refusal => refused(&refusal),
        })?;
        self.say(&Reply::Leaves(leaves));
        Ok(leaves)
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;
    use crate::player::hire;
    use threefold_chess::clock::{ClockSource, Limits};
    use threefold_oracle::Referee;

    fn question(fen: &str, limits: Limits) -> Question {
        Question { line: GamePosition::parse(fen, "").expect("sound"), limits, only: Vec::new() }
    }

    fn hiring(nodes_per_second: u32) -> Hiring {
        let nodes_per_second = NonZeroU32::new(nodes_per_second).expect("not zero");
        Hiring::new(ClockSource::Virtual { nodes_per_second }, Stop::default())
    }

    #[test]
    fn echo_answers_with_a_legal_move_however_castling_is_written() {
        let mut player =
            hire(&"echo,name=E".parse().expect("sound"), &hiring(1_000_000)).expect("it has nodestime");
        assert_eq!(player.name(), "E");
        for fen in [
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ] {
            let question = question(fen, Limits::nodes(500));
            player.new_game().expect("it never fails");
            let best = player.answer(&question).expect("no fault").best.expect("there are moves");
            let referee = Referee::new(&question.line).expect("legal");
            assert!(referee.legal(best).is_ok(), "{fen}: {best}");
        }
    }

    #[test]
    fn a_raised_stop_is_no_answer() {
        let hiring = hiring(1_000_000);
        let mut player = hire(&"echo".parse().expect("sound"), &hiring).expect("it has nodestime");
        hiring.stop.raise();
        let endless = question("4k3/8/8/8/8/8/8/4K2R w K - 0 1", Limits::default());
        assert_eq!(player.answer(&endless), Err(Fault::Interrupted));
    }

    #[test]
    fn what_cannot_be_set_is_named() {
        let table = [
            ("echo,Hsh=1", 1_000_000, "Hsh"),
            ("echo,Hash=none", 1_000_000, "Hash"),
            ("echo,nodestime=5", 1_000_000, "nodestime"),
            ("echo", 1500, "1500"),
        ];
        for (spec, pace, culprit) in table {
            match hire(&spec.parse().expect("sound"), &hiring(pace)) {
                Err(Fault::Option(text)) => assert!(text.contains(culprit), "{spec}: {text}"),
                other => panic!("{spec}: {:?}", other.map(|player| player.name().to_owned())),
            }
        }
    }
}
