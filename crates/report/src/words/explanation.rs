//! One case in words: the position, its history, what is accepted and why, and what the engine did.

use std::collections::BTreeSet;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{EnPassantMode, Position, Square};

use crate::format;
use crate::model::build::search_limits;
use crate::words::san;
use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;
use threefold_oracle::Referee;
use threefold_player::EngineSpec;
use threefold_run::job::SuiteTask;
use threefold_run::regress::baseline::BaselineCase;
use threefold_suites::{CaseInfo, Suite, Verdict, VerdictKind};

/// Labels of values for other programs and for a shell.
const POSITION: &str = "position";
const GAME: &str = "game";
const COMMAND: &str = "run again";

/// What is known of a case.
#[derive(Debug)]
pub struct CaseExplanation<'c> {
    /// The suite of the case.
    pub suite: &'c Suite,
    /// What the case asks, and its accepted answers.
    pub info: &'c CaseInfo,
    /// The engine's verdict, if it ran.
    pub result: Option<CaseResult<'c>>,
    /// The command that runs the case again.
    pub command: String,
}

/// What an engine did in a case.
#[derive(Debug)]
pub struct CaseResult<'c> {
    /// The engine that answered.
    pub engine: &'c EngineSpec,
    /// How the suite was run.
    pub task: &'c SuiteTask,
    /// The verdict that is explained.
    pub verdict: &'c Verdict,
    /// What the baseline of the run says; `None` if there is no baseline, or it does not have the case.
    pub baseline: Option<&'c BaselineCase>,
}

impl CaseExplanation<'_> {
    /// The text, with a line break at its end; wrapped to a terminal of this width in columns.
    pub fn to_text(&self, width: Option<u16>) -> String {
        const INDENT: &str = "           ";
        let Self { suite, info, .. } = self;
        let mut text = format!("{}/{} (class {})\n{}", info.suite, info.id, info.class, suite.title);
        if !suite.summary.is_empty() {
            text = format!("{text}: {}", suite.summary);
        }
        let lines: Vec<String> = text.lines().map(|line| format::wrapped(line, "", width)).collect();
        let mut text = lines.join("\n") + "\n\n";
        text.push_str(&self.diagram().unwrap_or_default());
        for (label, value) in self.facts() {
            let line = format::visible(&format!("{label:11}{value}"));
            // What is copied from the terminal stays one line.
            let is_copied = matches!(label, POSITION | GAME | COMMAND);
            text.push_str(&format::wrapped(&line, INDENT, width.filter(|_| !is_copied)));
            text.push('\n');
        }
        text
    }

    /// The board; `None` if the case has no position of its own: it starts from the initial position, and no
    /// move of it is judged.
    fn diagram(&self) -> Option<String> {
        let referee = Referee::new(&self.info.position).ok()?;
        let accepted = self.accepted_moves(&referee);
        let played = self.played_move(&referee);
        if accepted.is_empty() && played.is_none() && self.info.position == GamePosition::start_position() {
            return None;
        }
        let squares = |moves: &[UciMove]| -> BTreeSet<Square> {
            let ends = moves.iter().filter_map(|mv| Some([mv.from()?, mv.to()?]));
            ends.flatten().collect()
        };
        let (accepted, played) = (squares(&accepted), squares(&Vec::from_iter(played)));
        let board = san::board(referee.position(), |square| san::SquareMarks {
            is_played: played.contains(&square),
            is_accepted: accepted.contains(&square),
        });
        let side = if referee.position().turn().is_white() { "White" } else { "Black" };
        let marks = match (played.is_empty(), accepted.is_empty()) {
            (true, true) => "",
            (false, true) => "; the move played is in [ ]",
            (true, false) => "; the accepted moves are in ( )",
            (false, false) => {
                "; the move played is in [ ], the accepted moves in ( ), squares of both in { }"
            }
        };
        Some(format!("{board}\n{side} to move{marks}.\n\n"))
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let Self { suite, info, result, command } = self;
        let mut facts = Vec::new();
        if let Ok(referee) = Referee::new(&info.position) {
            let fen = Fen::from_position(referee.position(), EnPassantMode::Legal);
            facts.push((POSITION, fen.to_string()));
            let occurrences = referee.occurrences();
            if occurrences > 1 {
                facts.push(("repetition", format!("the position occurs for the {}", time(occurrences))));
            }
        }
        if !info.position.moves.is_empty() {
            let start = GamePosition { start: info.position.start.clone(), moves: Vec::new() };
            facts.push(("history", san::numbered(&start, &info.position.moves)));
            facts.push((GAME, info.position.to_string()));
        }
        facts.push(("accepted", self.in_words(&info.accepted)));
        if !info.note.is_empty() {
            facts.push(("why", info.note.clone()));
        }
        match result {
            Some(result) => facts.extend(self.result_facts(result)),
            None => facts.push(("limits", limits_text(&suite.limits))),
        }
        facts.push((COMMAND, command.clone()));
        facts
    }

    fn result_facts(&self, result: &CaseResult<'_>) -> Vec<(&'static str, String)> {
        let CaseResult { engine, task, verdict, baseline } = result;
        let mut facts = vec![("engine", engine.text.clone()), ("limits", search_limits(task, self.suite))];
        if verdict.kind() != VerdictKind::Skipped {
            let played = if verdict.played.is_empty() { "nothing" } else { &verdict.played };
            facts.push(("played", self.in_words(played)));
        }
        facts.push(("verdict", format!("{}: {}", verdict.kind(), verdict.reason())));
        facts.push(("meaning", verdict.cause.summary().to_owned()));
        if let Some(score) = verdict.score {
            let side = "from the view of the side to move";
            facts.push(("score", format!("{score} {side}, depth {}", verdict.depth.0)));
        }
        if verdict.nodes > 0 {
            facts.push(("nodes", format::grouped(verdict.nodes)));
        }
        if let Some(time) = verdict.time {
            facts.push(("time", format::duration(time)));
        }
        if !verdict.pv.is_empty() {
            let moves: Result<Vec<UciMove>, _> = verdict.pv.split_whitespace().map(str::parse).collect();
            facts.push((
                "line",
                moves.map_or_else(|_| verdict.pv.clone(), |moves| san::numbered(&self.info.position, &moves)),
            ));
        }
        if let Some(baseline) = baseline {
            let played = if baseline.played.is_empty() {
                String::new()
            } else {
                format!(", played {}", self.in_words(&baseline.played))
            };
            facts.push(("baseline", format!("{}: {}{played}", baseline.kind(), baseline.reason())));
        }
        facts
    }

    /// Moves of the position with their squares; other text is unchanged.
    fn in_words(&self, text: &str) -> String {
        let in_words = || {
            let referee = Referee::new(&self.info.position).ok()?;
            let moves = text.split_whitespace().map(|word| san::with_squares(&referee, word.parse().ok()?));
            let moves: Vec<String> = moves.collect::<Option<_>>()?;
            (!moves.is_empty()).then(|| moves.join(", "))
        };
        in_words().unwrap_or_else(|| text.to_owned())
    }

    fn accepted_moves(&self, referee: &Referee) -> Vec<UciMove> {
        let moves = self.info.accepted.split_whitespace().filter_map(|word| word.parse().ok());
        moves.filter(|&mv| referee.legal(mv).is_ok()).collect()
    }

    fn played_move(&self, referee: &Referee) -> Option<UciMove> {
        let played: UciMove = self.result.as_ref()?.verdict.played.parse().ok()?;
        referee.legal(played).is_ok().then_some(played)
    }
}

/// `second time`.
fn time(occurrences: usize) -> String {
    match occurrences {
        2 => "second time".to_owned(),
        3 => "third time".to_owned(),
        more => format!("{more}th time"),
    }
}

/// The limits of a suite that was not run.
fn limits_text(limits: &Limits) -> String {
    let parts = [
        limits.nodes.map(|nodes| format!("{} nodes", format::grouped(nodes))),
        limits.depth.map(|depth| format!("depth {}", depth.0)),
        limits.movetime.map(format::duration),
        limits.clocks.map(|clocks| format!("clock {clocks}")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "limits of the suite".to_owned() } else { parts.join(", ") }
}
