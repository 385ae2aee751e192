//! A proven mate, followed through one game: no report may have an impossible mate, whatever is in the hash
//! table.
//!
//! The position is searched with few nodes, as if the search were interrupted, and then in full. The game
//! goes on along the proven line, ply by ply, and back again, without `ucinewgame`. So every position is
//! searched after those one ply before and one ply after it, and mate scores in the hash table are read at
//! another distance from the root than they were stored at. A mate for the wrong side, or sooner than
//! proven, fails; that a mate is not found does not.
//!
//! A share of the mates is followed a second time in another [`Setting`].

use std::sync::Arc;

use shakmaty::uci::UciMove;
use threefold_named_enum::named_enum;

use crate::false_mate::{ProvenMate, false_mate, false_mate_of_other_line};
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

named_enum! {
    /// How the searches of a game are asked.
    pub enum Setting {
        /// By nodes, in one game.
        Plain = "plain",
        /// With `MultiPV`: the mates of all lines are judged.
        Lines = "lines",
        /// With `ucinewgame` between the first and the second half of the searches.
        NewGame = "new-game",
        /// With `go mate N`, where N is the proven distance, and nodes for engines that search on.
        MateLimit = "limit",
    }
}

/// The lines of [`Setting::Lines`].
const LINES: &str = "3";
/// The mates, in moves, that are followed in other settings than the plain one.
const FOLLOWED_AGAIN: std::ops::RangeInclusive<u32> = 2..=3;

impl Setting {
    /// Is this mate, in this line of its file, followed in the setting? The other settings share the mates out.
    fn takes(self, line: usize, moves: u32) -> bool {
        let others = [Self::Lines, Self::NewGame, Self::MateLimit];
        let shared_out = || FOLLOWED_AGAIN.contains(&moves) && others[line % others.len()] == self;
        moves <= LONGEST && (self == Self::Plain || shared_out())
    }
}

/// The longest mate, in moves: what a longer one comes to after a few plies takes a strong engine to find.
const LONGEST: u32 = 4;
/// The share of the nodes that the first search gets.
const INTERRUPTED: u64 = 20;

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    input.limits_alone()?;
    if input.limits.nodes.is_none() {
        return Err(input.error("nothing limits the nodes", "give `[limits]` with `nodes = 5000`"));
    }
    let mut cases = Vec::new();
    for &setting in Setting::ALL {
        let all = epd::definitions(input, |file, record| definition(input.suite, setting, file, record))?;
        // `epd::definitions` makes a case of each line; those that the setting does not take are removed
        // here.
        cases.extend(all.into_iter().filter(|case| case.info.class != LEFT_OUT));
    }
    Ok(cases)
}

/// The class of cases that are left out.
const LEFT_OUT: &str = "left-out";

fn definition(
    suite: &str,
    setting: Setting,
    file: &SourceFile,
    record: &epd::EpdRecord,
) -> Result<CaseDefinition, SuiteError> {
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
    let class = match setting {
        _ if !setting.takes(record.number, moves) => LEFT_OUT.to_owned(),
        Setting::Plain => format!("{side}-in-{moves}"),
        other => format!("{side}-{other}"),
    };
    let mut info = record.case_info(suite, class, format!("#{}", distance.moves()));
    if setting != Setting::Plain {
        info.id = format!("{}.{setting}", info.id);
    }
    if setting == Setting::Lines {
        info.players = vec![vec![("MultiPV".to_owned(), LINES.to_owned())]];
    }
    let mate = Arc::new(ProvenLine { start: record.position.clone(), distance, line });
    Ok(CaseDefinition::new(info, move |limits: &Limits| {
        Box::new(MateGameCase { mate: Arc::clone(&mate), setting, limits: *limits, asked: 0, nodes: 0 })
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
    setting: Setting,
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
            // After it, the same search is begun.
            Some(_) if self.setting == Setting::NewGame && self.asked - 1 == walk.len() / 2 => {
                CaseStep::NewGame
            }
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
        let (position, nearest) = self.mate.after(plies);
        let mate = (self.setting == Setting::MateLimit).then(|| nearest.moves().unsigned_abs());
        // A twentieth of a small limit may be 0.
        let limits = Limits { nodes: nodes.map(|nodes| nodes.max(1)), mate, ..self.limits };
        Question { position, limits, searchmoves: Vec::new() }
    }

    /// What is wrong with the answer after this number of plies, if anything.
    fn fault(&self, plies: usize, answer: &Answer) -> Option<Verdict> {
        let (position, nearest) = self.mate.after(plies);
        if let Err((cause, detail)) = legal_move(&position, answer) {
            return Some(Verdict::new(answer, cause, detail));
        }
        let proven = ProvenMate { result: None, nearest: Some(nearest) };
        let first = || answer.infos.iter().find_map(|info| false_mate(proven, info));
        let others = || answer.other_lines.iter().find_map(|info| false_mate_of_other_line(nearest, info));
        let (cause, detail): (FailCause, _) = first().or_else(others)?;
        let place = format!("{detail}, in search {} after {plies} plies", self.asked);
        Some(Verdict::new(answer, cause, place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialogue::script::{lead, says};
    use crate::{Suite, SuiteSource, VerdictKind};
    use threefold_player::ScoredInfo;

    const FILE: &str = "k7/8/1K6/8/8/8/8/1R6 w - - bm #2; id \"a\"; PV: b1h1 a8b8 h1h8;\n\
                        k7/8/1K6/8/8/8/8/1R6 b - - bm #-9; id \"b\"; PV: a8b8;\n";

    fn suite(text: &str, limits: &Limits) -> Result<Suite, SuiteError> {
        let source_file = SourceFile { file: "m.epd".to_owned(), text: text.to_owned() };
        Suite::read(&SuiteSource::from_positions(&KIND, source_file, limits))
    }

    #[test]
    fn every_search_of_the_game_is_judged() {
        let suite = suite(FILE, &Limits::nodes(1000)).expect("sound");
        let classes: Vec<&str> = suite.definitions.iter().map(|it| it.info.class.as_str()).collect();
        assert_eq!(classes, ["mate-in-2", "mate-new-game"], "the longer mate is left out");
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

    /// The case of a setting, which takes the mate if it is in the right line of the file.
    fn case_in(setting: Setting) -> (crate::CaseInfo, Box<dyn Case>) {
        let lines = (0..3).map(|above| "\n".repeat(above) + FILE);
        let suites = lines.map(|text| suite(&text, &Limits::nodes(1000)).expect("sound"));
        let mut cases = suites.flat_map(|suite| {
            suite.cases().into_iter().map(|(info, case)| (info.clone(), case)).collect::<Vec<_>>()
        });
        cases.find(|(info, _)| info.id.ends_with(setting.name())).expect("one of three lines")
    }

    const SOUND: [(&str, &str); 6] = [
        ("b1h1", "mate 2"),
        ("b1h1", "mate 2"),
        ("a8b8", "mate -1"),
        ("h1h8", "mate 1"),
        ("a8b8", "mate -1"),
        ("b1h1", "mate 2"),
    ];

    #[test]
    fn settings_change_how_the_searches_are_asked() {
        let mates = |setting| {
            let (info, mut case) = case_in(setting);
            let (verdict, asked, games) = lead(case.as_mut(), SOUND.map(|(mv, report)| says(mv, &[report])));
            assert_eq!(verdict.reason(), "no false mate", "{setting}");
            let mates: Vec<Option<u32>> = asked.iter().map(|it| it.limits.mate).collect();
            (info.class, info.players, games, mates)
        };
        let plain = vec![None; 6];
        let lines = vec![vec![("MultiPV".to_owned(), "3".to_owned())]];
        assert_eq!(mates(Setting::Lines), ("mate-lines".to_owned(), lines, 1, plain.clone()));
        assert_eq!(mates(Setting::NewGame), ("mate-new-game".to_owned(), vec![vec![]], 2, plain));
        let limits = [2, 2, 1, 1, 1, 2].map(Some).to_vec();
        assert_eq!(mates(Setting::MateLimit), ("mate-limit".to_owned(), vec![vec![]], 1, limits));
    }

    #[test]
    fn mates_of_other_lines_are_judged() {
        let table = [
            // search, report of its second line, reason
            (0, "mate 3", "no false mate"),
            (0, "mate -1", "no false mate"),
            (
                0,
                "mate 1",
                "better mates: #1 at depth 1, where #2 is proven, in line 2, in search 1 after 0 plies",
            ),
            (2, "mate -1", "no false mate"),
            (
                2,
                "mate 5",
                "wrong mates: #5 at depth 1, where #-1 is proven, in line 2, in search 3 after 1 plies",
            ),
        ];
        for (search, report, reason) in table {
            let answers = SOUND.iter().enumerate().map(|(index, (mv, first))| {
                let other = says(mv, &[report]).infos.into_iter().filter(|_| index == search);
                let other_lines = other.map(|info| ScoredInfo { multipv: 2, ..info }).collect();
                Answer { other_lines, ..says(mv, &[first]) }
            });
            let (verdict, ..) = lead(case_in(Setting::Lines).1.as_mut(), answers);
            assert_eq!(verdict.reason(), reason);
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
