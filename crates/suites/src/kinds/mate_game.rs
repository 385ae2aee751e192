//! A proven mate, followed through one game: no report may have an impossible mate, whatever is in the hash
//! table.
//!
//! The position is searched with few nodes, as if the search were interrupted, and then in full. The game
//! goes on along the proven line, ply by ply, and back again, without `ucinewgame`. So every position is
//! searched after those one ply before and one ply after it, and mate scores in the hash table are read at
//! another distance from the root than they were stored at. A mate for the wrong side, or sooner than
//! proven, fails; that a mate is not found does not.

use std::sync::Arc;

use shakmaty::uci::UciMove;

use crate::false_mate::{ProvenMate, false_mate};
use crate::input::{CaseDefinition, SuiteError, SuiteInput};
use crate::single_question::legal_move;
use crate::{Case, CaseStep, ClockLimit, FailCause, Kind, LostCase, PassCause, SourceFile, Verdict, epd};
use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;
use threefold_chess::score::{MateDistance, Ply};
use threefold_player::{Answer, Question};

/// The suite kind `mate-game`.
pub const KIND: Kind = Kind {
    name: "mate-game",
    summary: "Proven mates followed forth and back in one game, over the hash table",
    clock: ClockLimit::Refused,
    lost_case: LostCase::Search,
    load,
};

/// The longest mate, in moves: what a longer one comes to after a few plies takes a strong engine to find.
const LONGEST: u32 = 4;
/// The share of the nodes that the first search gets.
const INTERRUPTED: u64 = 20;

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    input.limits_alone()?;
    if input.limits.nodes.is_none() {
        return Err(input.error("nothing limits the nodes", "give `[limits]` with `nodes = 5000`"));
    }
    let is_short = |case: &CaseDefinition| case.info.class != TOO_LONG;
    let cases = epd::definitions(input, |file, record| definition(input.suite, file, record))?;
    Ok(cases.into_iter().filter(is_short).collect())
}

/// The class of cases that are left away.
const TOO_LONG: &str = "too-long";

fn definition(suite: &str, file: &SourceFile, record: &epd::EpdRecord) -> Result<CaseDefinition, SuiteError> {
    let distance = record.operation("bm").and_then(|bm| bm.strip_prefix('#')?.parse().ok());
    let distance = distance.filter(|&moves: &i32| moves != 0).and_then(MateDistance::from_moves);
    let line: Option<Vec<UciMove>> =
        record.operation("PV").and_then(|line| line.split_whitespace().map(|mv| mv.parse().ok()).collect());
    let (Some(distance), Some(line)) = (distance, line) else {
        let remedy = "give `bm #3;` and the line to mate in `PV`";
        return Err(file.error_at_line(record.number, "no distance to mate with its line", remedy));
    };
    let side = if distance.is_win() { "mate" } else { "mated" };
    let moves = distance.moves().unsigned_abs();
    let class = if moves > LONGEST { TOO_LONG.to_owned() } else { format!("{side}-in-{moves}") };
    let info = record.case_info(suite, class, format!("#{}", distance.moves()));
    let mate = Arc::new(ProvenLine { start: record.position.clone(), distance, line });
    Ok(CaseDefinition::new(info, move |limits: &Limits| {
        Box::new(MateGameCase { mate: Arc::clone(&mate), limits: *limits, asked: 0, nodes: 0 })
    }))
}

/// A position with its distance to mate, and a line of best play.
struct ProvenLine {
    start: GamePosition,
    distance: MateDistance,
    line: Vec<UciMove>,
}

impl ProvenLine {
    /// The position after this number of plies, and its distance.
    fn after(&self, plies: usize) -> (GamePosition, MateDistance) {
        let moves = self.start.moves.iter().chain(&self.line[..plies]).copied().collect();
        let left = self.distance.plies().0.saturating_sub(u16::try_from(plies).unwrap_or(u16::MAX));
        (GamePosition { start: self.start.start.clone(), moves }, MateDistance::from_plies(Ply(left)))
    }

    /// The plies played before each search: the start twice, then forth and back. The mate itself is no
    /// position to search.
    fn walk(&self) -> Vec<usize> {
        let last = self.line.len().saturating_sub(1);
        std::iter::once(0).chain(0..=last).chain((0..last).rev()).collect()
    }
}

struct MateGameCase {
    mate: Arc<ProvenLine>,
    limits: Limits,
    /// The number of searches so far.
    asked: usize,
    nodes: u64,
}

impl Case for MateGameCase {
    fn next(&mut self, answer: Option<&Answer>) -> CaseStep {
        let walk = self.mate.walk();
        let Some(answer) = answer else {
            // A new game first; after it, and after a search without an answer, the search is begun.
            if self.asked == 0 {
                self.asked = 1;
                return CaseStep::NewGame;
            }
            return CaseStep::Ask(self.question(walk[self.asked - 1]));
        };
        self.nodes += answer.nodes;
        if let Some(verdict) = self.fault(walk[self.asked - 1], answer) {
            return CaseStep::Done(Verdict { nodes: self.nodes, ..verdict });
        }
        self.asked += 1;
        match walk.get(self.asked - 1) {
            Some(&plies) => CaseStep::Ask(self.question(plies)),
            None => CaseStep::Done(Verdict {
                nodes: self.nodes,
                ..Verdict::new(answer, PassCause::NoFalseMate, "")
            }),
        }
    }
}

impl MateGameCase {
    fn question(&self, plies: usize) -> Question {
        let nodes = self.limits.nodes.map(|nodes| if self.asked == 1 { nodes / INTERRUPTED } else { nodes });
        let limits = Limits { nodes: nodes.map(|nodes| nodes.max(1)), ..self.limits };
        Question { position: self.mate.after(plies).0, limits, searchmoves: Vec::new() }
    }

    /// What is wrong with the answer after this number of plies, if anything.
    fn fault(&self, plies: usize, answer: &Answer) -> Option<Verdict> {
        let (position, nearest) = self.mate.after(plies);
        if let Err((cause, detail)) = legal_move(&position, answer) {
            return Some(Verdict::new(answer, cause, detail));
        }
        let proven = ProvenMate { result: None, nearest: Some(nearest) };
        let (cause, detail): (FailCause, _) =
            answer.infos.iter().find_map(|info| false_mate(proven, info))?;
        let place = format!("{detail}, in search {} after {plies} plies", self.asked);
        Some(Verdict::new(answer, cause, place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialogue::script::{lead, says};
    use crate::{Suite, SuiteSource, VerdictKind};

    const FILE: &str = "k7/8/1K6/8/8/8/8/1R6 w - - bm #2; id \"a\"; PV: b1h1 a8b8 h1h8;\n\
                        k7/8/1K6/8/8/8/8/1R6 b - - bm #-9; id \"b\"; PV: a8b8;\n";

    fn suite(text: &str, limits: &Limits) -> Result<Suite, SuiteError> {
        let source_file = SourceFile { file: "m.epd".to_owned(), text: text.to_owned() };
        Suite::read(&SuiteSource::from_positions(&KIND, source_file, limits))
    }

    #[test]
    fn every_search_of_the_game_is_judged() {
        let suite = suite(FILE, &Limits::nodes(1000)).expect("sound");
        assert_eq!(suite.definitions.len(), 1, "the longer mate is left away");
        let sound = [("b1h1", "mate 2"), ("b1h1", "mate 2"), ("a8b8", "mate -1"), ("h1h8", "mate 1")];
        let back = [("a8b8", "cp -900"), ("b1h1", "mate 3")];
        let table = [
            // search with another report, its report, verdict, reason
            (9, "", VerdictKind::Passed, "no false mate"),
            (
                0,
                "mate 1",
                VerdictKind::Failed,
                "better mates: #1 at depth 1, where #2 is proven, in search 1 after 0 plies",
            ),
            (
                2,
                "mate 1",
                VerdictKind::Failed,
                "wrong mates: #1 at depth 1, where #-1 is proven, in search 3 after 1 plies",
            ),
            (
                5,
                "mate 1",
                VerdictKind::Failed,
                "better mates: #1 at depth 1, where #2 is proven, in search 6 after 0 plies",
            ),
        ];
        for (wrong, report, mark, reason) in table {
            let (_, mut case) = suite.cases().remove(0);
            let answers = sound.iter().chain(&back).enumerate();
            let answers =
                answers.map(|(n, (mv, right))| says(mv, &[if n == wrong { report } else { right }]));
            let (verdict, asked, games) = lead(case.as_mut(), answers);
            assert_eq!((verdict.kind(), verdict.reason().as_str(), games), (mark, reason, 1));
            let plies: Vec<usize> = asked.iter().map(|it| it.position.moves.len()).collect();
            assert_eq!(plies, [0, 0, 1, 2, 1, 0][..asked.len()]);
            assert_eq!(asked[0].limits, Limits::nodes(50));
        }
    }

    #[test]
    fn line_and_nodes_are_required() {
        let error = suite("k7/8/1K6/8/8/8/8/1R6 w - - bm #2;", &Limits::nodes(9)).expect_err("no line");
        assert!(error.to_string().starts_with("m.epd:1: no distance to mate with its line"), "{error}");
        let error = suite(FILE, &Limits::depth(Ply(3))).expect_err("no nodes").to_string();
        assert!(error.starts_with("m.epd: nothing limits the nodes"), "{error}");
    }
}
