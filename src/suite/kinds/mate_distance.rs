//! Mates of a proven distance: does the engine find the mate, the shortest one, and can it show it?
//!
//! The words are matetrack's. A case passes where the engine's last exact claim is the proven distance
//! (`optimal`), with a line of play that mates in just so many moves and begins with the move it plays. A
//! mate found too long, or not at all, is short of strength, and a suite's thresholds say how much of that is
//! borne. A claim of what can't be, in *any* report of the search, is a bug and fails the case whatever the
//! last report says.

use shakmaty::Position;
use shakmaty::uci::UciMove;

use crate::clock::{Limits, Pace};
use crate::line::Line;
use crate::player::{Answer, Bound, Claim, Question};
use crate::score::{MateDistance, Score};
use crate::suite::material::{CaseCard, Entry, Ids, Material, Page, SuiteError};
use crate::suite::{Case, Kind, Mark, Step, Verdict, epd};
use crate::truth::referee::{Referee, RuleEnd};

/// The table's line.
pub const KIND: Kind =
    Kind { name: "mate", summary: "Positions with a proven distance to mate, mating or being mated", load };

crate::closed_set! {
    /// How a claim stands to the proven distance.
    pub enum Finding {
        /// The proven distance, with a line that shows it.
        Optimal = "optimal",
        /// A mate, but not the shortest.
        Longer = "longer",
        /// No mate in the last report.
        Missed = "missed",
        /// A mate for the wrong side, or a shorter one than there is.
        FalseClaim = "false claim",
        /// The line of play is illegal, of another length than claimed, or ends without mate.
        BadLine = "bad line",
    }
}

/// A position with its proven distance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvenMate {
    /// Where it stands in its file, from 1.
    pub number: usize,
    /// Unique in its suite.
    pub id: String,
    /// The position.
    pub line: Line,
    /// The distance.
    pub distance: MateDistance,
    /// What else its line says.
    pub note: String,
}

/// Reads positions with `bm #N;` or `dm N;`, N in full moves, negative where the side to move is mated.
pub fn read(page: &Page) -> Result<Vec<ProvenMate>, SuiteError> {
    epd::read(page)?.into_iter().map(|record| proven(page, &record)).collect()
}

fn proven(page: &Page, record: &epd::Record) -> Result<ProvenMate, SuiteError> {
    let remedy = "give `bm #3;` (or `dm 3;`), in moves, negative where the side to move is mated";
    let complain = |what: String| page.error(record.number, what, remedy);
    let given = match (record.operation("bm"), record.operation("dm")) {
        (Some(given), None) => {
            given.strip_prefix('#').ok_or_else(|| complain(format!("`bm {given}` is no distance to mate")))?
        }
        (None, Some(given)) => given,
        (Some(_), Some(_)) => return Err(complain("`bm` and `dm` both stand here".to_owned())),
        (None, None) => return Err(complain("no distance to mate".to_owned())),
    };
    let moves = given.parse::<i32>().ok().filter(|&moves| moves != 0);
    let distance = moves
        .and_then(MateDistance::from_moves)
        .ok_or_else(|| complain(format!("`{given}` is no distance to mate")))?;
    let referee = Referee::new(&record.line).map_err(|error| complain(error.to_string()))?;
    if let Some(ending) = referee.ending() {
        return Err(page.error(record.number, format!("the game is over here ({ending})"), "drop the line"));
    }
    let note = record.remarks(&["id", "bm", "dm", "PV", "hmvc", "fmvn"]);
    Ok(ProvenMate { number: record.number, id: record.id(), line: record.line.clone(), distance, note })
}

fn load(material: &Material<'_>) -> Result<Vec<Entry>, SuiteError> {
    material.limits_alone()?;
    let mut ids = Ids::default();
    let mut entries = Vec::new();
    for page in material.positions {
        for mate in read(page)? {
            ids.claim(page, mate.number, &mate.id)?;
            entries.push(entry(material.suite, mate));
        }
    }
    Ok(entries)
}

fn entry(suite: &str, mate: ProvenMate) -> Entry {
    let moves = mate.distance.moves();
    let side = if mate.distance.is_win() { "mate" } else { "mated" };
    let card = CaseCard {
        suite: suite.to_owned(),
        id: mate.id.clone(),
        class: format!("{side}-in-{}", moves.abs()),
        accepted: format!("#{moves}"),
        note: mate.note.clone(),
        line: mate.line.clone(),
        pace: Pace::Wall,
        chairs: 1,
    };
    let open = move |limits: &Limits| -> Box<dyn Case> {
        Box::new(Exam { line: mate.line.clone(), distance: mate.distance, limits: *limits, greeted: false })
    };
    Entry { card, open: Box::new(open) }
}

/// The dialogue: a new game, one question.
struct Exam {
    line: Line,
    distance: MateDistance,
    limits: Limits,
    greeted: bool,
}

impl Case for Exam {
    fn next(&mut self, answer: Option<&Answer>) -> Step {
        if let Some(answer) = answer {
            return Step::Done(judge(&self.line, self.distance, answer));
        }
        if !self.greeted {
            self.greeted = true;
            return Step::NewGame;
        }
        let Self { line, limits, .. } = self;
        Step::Ask(Question { line: line.clone(), limits: *limits, only: Vec::new() })
    }
}

/// What an answer is worth where the distance is proven.
fn judge(line: &Line, proven: MateDistance, answer: &Answer) -> Verdict {
    let referee = match Referee::new(line) {
        Ok(referee) => referee,
        Err(error) => return Verdict::fault(error.to_string()),
    };
    let (mark, reason) = match answer.best {
        None => (Mark::Fault, "it names no move".to_owned()),
        Some(best) if referee.legal(best).is_err() => (Mark::Fault, format!("illegal move {best}")),
        Some(best) => {
            let (finding, detail) = find(&referee, proven, best, answer);
            let mark = if finding == Finding::Optimal { Mark::Passed } else { Mark::Failed };
            (mark, if detail.is_empty() { finding.to_string() } else { format!("{finding}: {detail}") })
        }
    };
    Verdict::of(answer, mark, reason)
}

/// The finding, and what there is to say about it.
fn find(referee: &Referee, proven: MateDistance, best: UciMove, answer: &Answer) -> (Finding, String) {
    let exact = answer.claims.iter().filter(|claim| claim.bound == Bound::Exact);
    let mates = exact.filter_map(|claim| match claim.score {
        Score::Mate(claimed) => Some((claim, claimed)),
        Score::Cp(_) => None,
    });
    for (claim, claimed) in mates.clone() {
        if claimed.is_win() != proven.is_win() || claimed.plies() < proven.plies() {
            let (claimed, proven) = (claimed.moves(), proven.moves());
            let detail = format!("#{claimed} at depth {}, where #{proven} is proven", claim.depth.0);
            return (Finding::FalseClaim, detail);
        }
    }
    let (last, claimed) = match answer.verdict() {
        Some(Claim { score: Score::Cp(judged), .. }) => {
            return (Finding::Missed, format!("cp {}", judged.0));
        }
        Some(Claim { bound: Bound::Lower | Bound::Upper, .. }) => {
            return (Finding::Missed, "it claims a bound alone".to_owned());
        }
        None => return (Finding::Missed, "it claims nothing".to_owned()),
        Some(last @ Claim { score: Score::Mate(claimed), .. }) => (last, *claimed),
    };
    if claimed != proven {
        return (Finding::Longer, format!("#{} instead of #{}", claimed.moves(), proven.moves()));
    }
    if let Err(fault) = check_line(referee.clone(), claimed, best, &last.pv) {
        return (Finding::BadLine, fault.to_string());
    }
    let unsound = mates.filter(|(claim, claimed)| {
        let first = claim.pv.first().copied().unwrap_or(best);
        check_line(referee.clone(), *claimed, first, &claim.pv).is_err()
    });
    match unsound.count() {
        0 => (Finding::Optimal, String::new()),
        count => (Finding::Optimal, format!("earlier bad lines: {count}")),
    }
}

/// What can be wrong with the line of play that shows a mate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum LineFault {
    #[error("short, {plies} of {wanted} plies")]
    Short { plies: usize, wanted: usize },
    #[error("long, {plies} plies for {wanted}")]
    Long { plies: usize, wanted: usize },
    #[error("move {number}, {mv}, is illegal")]
    Illegal { number: usize, mv: UciMove },
    #[error("the game is over after ply {plies} ({ending})")]
    Over { plies: usize, ending: RuleEnd },
    #[error("it does not end in mate")]
    NoMate,
    #[error("it begins with {first}, and {best} is played")]
    OtherMove { first: UciMove, best: UciMove },
}

/// Is it legal, just as long as claimed, without a draw by rule on the way, mating at its end, and does it
/// begin with the move that is played?
fn check_line(
    mut referee: Referee,
    claimed: MateDistance,
    best: UciMove,
    pv: &[UciMove],
) -> Result<(), LineFault> {
    let (plies, wanted) = (pv.len(), usize::from(claimed.plies().0));
    let chosen = referee.legal(best).ok();
    let first = pv.first().copied();
    let shown = first.and_then(|first| referee.legal(first).ok());
    for (index, &mv) in pv.iter().enumerate() {
        if let Some(ending) = referee.ending() {
            return Err(LineFault::Over { plies: index, ending });
        }
        referee.play(mv).map_err(|_| LineFault::Illegal { number: index + 1, mv })?;
    }
    if plies < wanted {
        Err(LineFault::Short { plies, wanted })
    } else if plies > wanted {
        Err(LineFault::Long { plies, wanted })
    } else if !referee.position().is_checkmate() {
        Err(LineFault::NoMate)
    } else if let Some(first) = first
        && shown != chosen
    {
        Err(LineFault::OtherMove { first, best })
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::Source;
    use crate::suite::Suite;
    use crate::suite::dialogue::script::{lead, says};

    const IN_TWO: &str = "k7/8/1K6/8/8/8/8/1R6 w - - bm #2;";
    const LATE: &str = "k7/8/1K6/8/8/8/8/1R6 w - - 99 80 bm #2;";
    const MATED: &str = "k7/8/1K6/8/8/8/8/7R b - - dm -1;";
    const SHOWN: &str = "mate 2 b1h1 a8b8 h1h8";

    fn suite(text: &str) -> Result<Suite, SuiteError> {
        let page = Page { file: "m.epd".to_owned(), text: text.to_owned() };
        Suite::read(&Source::bare(&KIND, page, &Limits::nodes(1000)))
    }

    #[test]
    fn claims_are_held_against_the_proof() {
        let table = [
            // position, move played, claims, mark, reason
            (IN_TWO, "b1h1", &["cp 500 b1h1", SHOWN][..], Mark::Passed, "optimal"),
            (IN_TWO, "b1h1", &[SHOWN, "mate 2 >= b1h1"], Mark::Passed, "optimal"),
            (IN_TWO, "b1h1", &["mate 2 b1h1", SHOWN], Mark::Passed, "optimal: earlier bad lines: 1"),
            (MATED, "a8b8", &["mate -1 a8b8 h1h8"], Mark::Passed, "optimal"),
            (IN_TWO, "b1c1", &["mate 3 b1c1"], Mark::Failed, "longer: #3 instead of #2"),
            (MATED, "a8b8", &["mate -2 a8b8"], Mark::Failed, "longer: #-2 instead of #-1"),
            (IN_TWO, "b1h1", &["cp 310 b1h1"], Mark::Failed, "missed: cp 310"),
            (IN_TWO, "b1h1", &[SHOWN, "cp 310 b1h1"], Mark::Failed, "missed: cp 310"),
            (IN_TWO, "b1h1", &["mate 2 >= b1h1"], Mark::Failed, "missed: it claims a bound alone"),
            (IN_TWO, "b1h1", &[], Mark::Failed, "missed: it claims nothing"),
            (
                IN_TWO,
                "b1h1",
                &["mate 1 b1h1", SHOWN],
                Mark::Failed,
                "false claim: #1 at depth 1, where #2 is proven",
            ),
            (IN_TWO, "b1h1", &["mate -2"], Mark::Failed, "false claim: #-2 at depth 1, where #2 is proven"),
            (MATED, "a8b8", &["mate 0"], Mark::Failed, "false claim: #0 at depth 1, where #-1 is proven"),
            (IN_TWO, "b1g1", &[SHOWN], Mark::Failed, "bad line: it begins with b1h1, and b1g1 is played"),
            (IN_TWO, "b1h1", &["mate 2 b1h1"], Mark::Failed, "bad line: short, 1 of 3 plies"),
            (
                IN_TWO,
                "b1c1",
                &["mate 2 b1c1 a8b8 c1c2 b8a8 c2c8"],
                Mark::Failed,
                "bad line: long, 5 plies for 3",
            ),
            (IN_TWO, "b1h1", &["mate 2 b1h1 a8a7 h1h8"], Mark::Failed, "bad line: move 2, a8a7, is illegal"),
            (IN_TWO, "b1h1", &["mate 2 b1h1 a8b8 h1h7"], Mark::Failed, "bad line: it does not end in mate"),
            (
                IN_TWO,
                "b1h1",
                &["mate 2 b1h1 a8b8 h1h8 b8a8"],
                Mark::Failed,
                "bad line: the game is over after ply 3 (checkmate)",
            ),
            (
                LATE,
                "b1h1",
                &[SHOWN],
                Mark::Failed,
                "bad line: the game is over after ply 1 (fifty-move rule)",
            ),
            (IN_TWO, "b1b8", &[SHOWN], Mark::Fault, "illegal move b1b8"),
            (IN_TWO, "", &[SHOWN], Mark::Fault, "it names no move"),
        ];
        for (position, best, claims, mark, reason) in table {
            let (_, mut case) = suite(position).expect("sound").cases().remove(0);
            let (verdict, asked, games) = lead(case.as_mut(), [says(best, claims)]);
            assert_eq!((verdict.mark, verdict.reason.as_str()), (mark, reason), "{position} {claims:?}");
            assert_eq!((asked.len(), games, asked[0].limits), (1, 1, Limits::nodes(1000)));
        }
    }

    #[test]
    fn cards_show_the_proof() {
        let text = format!("# two\n{IN_TWO}\n\n{MATED} id \"m\"; c0 \"by the rules\";");
        let cards: Vec<_> =
            suite(&text).expect("sound").entries.into_iter().map(|entry| entry.card).collect();
        let seen: Vec<_> = cards
            .iter()
            .map(|card| (card.id.as_str(), card.class.as_str(), card.accepted.as_str()))
            .collect();
        assert_eq!(seen, [("k7/8/1K6/8/8/8/8/1R6 w - -", "mate-in-2", "#2"), ("m", "mated-in-1", "#-1")]);
        assert_eq!(cards[1].note, "by the rules");
    }

    #[test]
    fn what_is_no_proven_mate_is_named() {
        let remedy = "give `bm #3;` (or `dm 3;`), in moves, negative where the side to move is mated";
        let table = [
            ("k7/8/1K6/8/8/8/8/1R6 w - -", format!("m.epd:1: no distance to mate; {remedy}")),
            (
                "\nk7/8/1K6/8/8/8/8/1R6 w - - bm Rh1;",
                format!("m.epd:2: `bm Rh1` is no distance to mate; {remedy}"),
            ),
            (
                "k7/8/1K6/8/8/8/8/1R6 w - - bm #0;",
                format!("m.epd:1: `0` is no distance to mate; {remedy}"),
            ),
            (
                "k7/8/1K6/8/8/8/8/1R6 w - - bm #2; dm 2;",
                format!("m.epd:1: `bm` and `dm` both stand here; {remedy}"),
            ),
            (
                "1k5R/8/1K6/8/8/8/8/8 b - - bm #-1;",
                "m.epd:1: the game is over here (checkmate); drop the line".to_owned(),
            ),
            (
                "k7/8/1K6/8/8/8/8/1R6 w - - bm #2;\nk7/8/1K6/8/8/8/8/1R6 w - - 3 9 bm #2;",
                "m.epd:2: `k7/8/1K6/8/8/8/8/1R6 w - -` stands in m.epd:1, too; give each case an id of its own"
                    .to_owned(),
            ),
            ("", "m.epd: there is no case in it; give at least one position".to_owned()),
        ];
        for (text, message) in table {
            assert_eq!(suite(text).expect_err(text).to_string(), message);
        }
    }
}
