//! Conversions: a proven win, played to mate against a perfect defender.
//!
//! A line of EPD has `dm N;`, the proven distance to mate in moves. The engine has the winning side. The
//! defender plays from the tables: a draw by rule if possible, else the longest resistance; among equal
//! moves, one that repeats a position or does not reset the fifty-move counter. The case passes if mate is
//! given before the rules end the game. The number of moves relative to the distance is the *dawdling index*:
//! 1 is perfect; an engine without a plan has 2 and more.

use std::sync::Arc;

use shakmaty::{Move, Position};

use crate::input::{CaseDefinition, SourceFile, SuiteError, SuiteInput};
use crate::tablebase_playout::{self, PlayoutOutcome, PlayoutRules, TablebasePlayout};
use crate::{Case, ClockLimit, FailCause, Kind, LostCase, Measure, PassCause, epd};
use threefold_chess::clock::Limits;
use threefold_chess::score::MateDistance;
use threefold_oracle::referee::{Referee, RuleEnd};
use threefold_oracle::{ProvenValue, Tables};

/// The entry in the table of suite kinds.
pub const KIND: Kind = Kind {
    name: "conversion",
    summary: "Proven wins played against a perfect defender: mate in time, without a threefold repetition",
    clock: ClockLimit::Refused,
    lost_case: LostCase::Search,
    load,
};

/// The name of the measure of moves used, relative to the distance.
pub const USED: &str = "moves to mate against the distance (dawdling index)";

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    input.limits_alone()?;
    epd::definitions(input, |source_file, record| definition(input.suite, source_file, record))
}

fn definition(
    suite: &str,
    source_file: &SourceFile,
    record: &epd::EpdRecord,
) -> Result<CaseDefinition, SuiteError> {
    let remedy = "give the distance to mate as `dm 12;`, in moves";
    let given = record
        .operation("dm")
        .ok_or_else(|| source_file.error_at_line(record.number, "no distance to mate", remedy))?;
    let distance = given.parse::<i32>().ok().filter(|&moves| moves > 0).and_then(MateDistance::from_moves);
    let distance = distance
        .ok_or_else(|| source_file.error_at_line(record.number, format!("`dm {given}` is no win"), remedy))?;
    let ending = tablebase_playout::check(source_file, record)?;
    let info = record.case_info(suite, ending.to_string(), format!("mate, #{} at best", distance.moves()));
    let line = record.position.clone();
    let open = move |limits: &Limits, tables: &Arc<Tables>| -> Box<dyn Case> {
        Box::new(TablebasePlayout::new(Conversion { distance }, line.clone(), *limits, Arc::clone(tables)))
    };
    Ok(CaseDefinition::with_tables(info, vec![ending], open))
}

/// The win to convert.
#[derive(Debug, Clone, Copy)]
struct Conversion {
    distance: MateDistance,
}

impl PlayoutRules for Conversion {
    fn fact(&self) -> ProvenValue {
        ProvenValue::Mate(self.distance)
    }

    fn reply(&self, referee: &Referee, tables: &Tables) -> Option<Move> {
        // `max_by_key` takes the last of equals, so the order is reversed to prefer the first by name.
        let values = tablebase_playout::move_values(referee, tables).into_iter().rev();
        let best = values.max_by_key(|it| {
            (it.drawn, it.after.one_ply_earlier().rank(), it.occurrences, !it.mv.is_zeroing())
        });
        best.map(|it| it.mv)
    }

    fn decide(&self, referee: &Referee, after: ProvenValue, moves: usize) -> Option<PlayoutOutcome> {
        let lost = after.mate().is_some_and(|mate| !mate.is_win());
        // Close to 100 plies of the fifty-move counter every move draws, so the last move need not be the
        // mistake.
        let clock = referee.position().halfmoves();
        (!lost).then(|| {
            let detail = format!("no win is left after move {moves} (fifty-move counter: {clock} plies)");
            PlayoutOutcome::new(FailCause::GivenAway, detail)
        })
    }

    fn ended(&self, ending: RuleEnd, moves: usize) -> PlayoutOutcome {
        let distance = self.distance.moves();
        // Checkmate is the engine's: `decide` ends the playout when the opponent is no longer lost.
        if ending != RuleEnd::Checkmate {
            let detail = format!("{ending} at move {moves}, #{distance} was there");
            return PlayoutOutcome::new(FailCause::Drawn, detail);
        }
        let index = moves as f64 / f64::from(distance);
        let detail = format!("mate in {moves} moves, #{distance} at best: dawdling index {index:.2}");
        let used = Measure::share(USED, moves as u64, u64::from(distance.unsigned_abs()));
        PlayoutOutcome { measures: vec![used], ..PlayoutOutcome::new(PassCause::Converted, detail) }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;
    use crate::dialogue::script::{lead, says};
    use crate::{CaseInfo, Suite, SuiteSource, Timing, Verdict, VerdictKind, run_case};
    use threefold_chess::position::GamePosition;
    use threefold_player::{Answer, Player, ScriptedPlayer};

    const ROOK: &str = "7k/8/8/8/8/8/8/KR6 w - - 0 1 dm 10;";

    fn suite(text: &str) -> Result<Suite, SuiteError> {
        let source_file = SourceFile { file: "c.epd".to_owned(), text: text.to_owned() };
        Suite::read(&SuiteSource::from_positions(&KIND, source_file, &Limits::nodes(1000)))
    }

    fn krk() -> Tables {
        let mut tables = Tables::new(NonZeroUsize::MIN);
        tables.make(&["KRK".parse().expect("a material")], &mut |_| {}).expect("few pieces");
        tables
    }

    fn case(text: &str) -> (CaseInfo, Box<dyn Case>) {
        suite(text).expect("sound").cases().remove(0)
    }

    /// A player that plays the fastest mate of the tables, or the slowest win on every second move.
    fn from_tables(name: &str, wastes_moves: bool) -> Box<dyn Player> {
        let (mut turn, tables) = (0, krk());
        Box::new(ScriptedPlayer::new(name, move |question| {
            turn += 1;
            let referee = Referee::new(&question.position).expect("legal");
            let mut wins: Vec<_> = tablebase_playout::move_values(&referee, &tables)
                .into_iter()
                .filter(|it| it.after.mate().is_some() && it.occurrences == 0)
                .collect();
            wins.sort_by_key(|it| it.after.plies());
            let index = if wastes_moves && turn % 2 == 0 { wins.len() - 1 } else { 0 };
            Ok(Answer { best: Some(referee.uci(wins[index].mv)), nodes: 10, ..Answer::silent() })
        }))
    }

    fn played(mut player: Box<dyn Player>, text: &str) -> Verdict {
        let (_, mut case) = case(text);
        run_case(case.as_mut(), std::slice::from_mut(&mut player), Timing::default())
            .expect("no interruption")
    }

    #[test]
    fn fastest_mate_has_dawdling_index_one() {
        let verdict = played(from_tables("perfect", false), ROOK);
        assert_eq!((verdict.kind(), verdict.nodes), (VerdictKind::Passed, 100), "{}", verdict.reason());
        assert_eq!(verdict.reason(), "converted: mate in 10 moves, #10 at best: dawdling index 1.00");
        assert_eq!(verdict.measures, [Measure::share(USED, 10, 10)]);
        assert_eq!(verdict.pv.split(' ').count(), 19);
    }

    #[test]
    fn wasted_moves_raise_the_dawdling_index_or_lose_the_win() {
        let verdict = played(from_tables("slow", true), ROOK);
        let used = verdict.measures.first().map_or(u64::MAX, |it| it.amount);
        assert!(verdict.kind() == VerdictKind::Failed || used > 10, "{}", verdict.reason());
        // The defender repeats positions if that costs nothing, so shuffling leads to a third occurrence.
        let shuffle = ["b1b2", "b2b1"].into_iter().cycle().map(|mv| says(mv, &[]));
        let (_, mut case) = case(ROOK);
        let (verdict, ..) = lead(case.as_mut(), shuffle.take(60));
        assert_eq!(verdict.kind(), VerdictKind::Failed, "{}", verdict.reason());
        assert!(verdict.reason().starts_with("drawn: threefold repetition at move "), "{}", verdict.reason());
    }

    #[test]
    fn game_ends_when_the_win_is_given_away() {
        let table = [
            // first move, verdict, reason
            (
                "b1b7",
                VerdictKind::Failed,
                "given away: no win is left after move 1 (fifty-move counter: 1 plies)",
            ),
            ("b1c2", VerdictKind::Fault, "illegal move: b1c2 at move 1"),
            ("", VerdictKind::Fault, "no move: at move 1"),
        ];
        // On b7 the rook is next to the king and unprotected.
        let won = "k7/8/8/2K5/8/8/8/1R6 w - - 0 1";
        for (first, kind, reason) in table {
            let (info, mut case) = case(&format!("{won} dm {};", distance(won)));
            assert_eq!(info.class, "KRK");
            let (verdict, asked, _) = lead(case.as_mut(), [says(first, &[])]);
            assert_eq!((verdict.kind(), verdict.reason().as_str(), asked.len()), (kind, reason, 1));
        }
        let (_, mut case) = case(&ROOK.replace("dm 10", "dm 16"));
        let (verdict, ..) = lead(case.as_mut(), []);
        assert_eq!(verdict.reason(), "unsound case: the suite says #16, the tables say #10");
    }

    fn distance(fen: &str) -> i32 {
        let referee = Referee::new(&GamePosition::parse(fen, "").expect("a FEN")).expect("legal");
        krk().probe(referee.position()).and_then(ProvenValue::mate).expect("won").moves()
    }

    #[test]
    fn invalid_conversions_are_named() {
        let table = [
            ("7k/8/8/8/8/8/8/KR6 w - -", "c.epd:1: no distance to mate; give"),
            ("7k/8/8/8/8/8/8/KR6 w - - dm -3;", "c.epd:1: `dm -3` is no win; give"),
            (
                "7k/8/8/8/8/8/PPP5/KR6 w - - dm 3;",
                "c.epd:1: there is no table for KRPPPK; give positions of at most ",
            ),
            ("7k/8/8/8/8/8/8/K7 w - - dm 3;", "c.epd:1: the game is over here (insufficient material)"),
        ];
        for (text, message) in table {
            let error = suite(text).expect_err(message).to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
