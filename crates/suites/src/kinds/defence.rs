//! Defences: a proven draw to hold, or a lost position to prolong, against a perfect attacker.
//!
//! A line of EPD has `result "draw";`, or `dm -N;` for a loss in N moves. In a draw the attacker plays from
//! the tables: the move with the fewest holding replies, new positions before repeated ones, and never one
//! that loses. The draw is held if the rules end the game, or after the number of moves in the suite's
//! `[settings]`. In a loss the attacker mates as fast as possible; the case passes if the engine lasts the
//! required share of the distance. An engine that always chooses the longest line lasts all of it.

use std::cmp::Reverse;
use std::num::NonZeroU32;
use std::sync::Arc;

use serde::Deserialize;
use shakmaty::{Move, Position};

use crate::input::{CaseDefinition, SourceFile, SuiteError, SuiteInput};
use crate::tablebase_playout::{self, MoveValue, PlayoutOutcome, PlayoutRules, TablebasePlayout};
use crate::{Case, Cause, ClockLimit, FailCause, Kind, LostCase, Measure, PassCause, epd};
use threefold_chess::clock::Limits;
use threefold_chess::score::MateDistance;
use threefold_oracle::referee::{Referee, RuleEnd};
use threefold_oracle::{ProvenValue, Tables};

/// The suite kind `defence`.
pub const KIND: Kind = Kind {
    name: "defence",
    summary: "Proven draws to hold, and losses to delay, against a perfect attacker",
    clock: ClockLimit::Refused,
    lost_case: LostCase::Search,
    load,
};

/// The name of the measure of moves lasted, relative to the distance.
pub const LASTED: &str = "moves lasted against the distance";

const SETTINGS: &str = "`[settings]` may hold `moves = 30`, after which a draw is held, and `share = 0.8`, the \
                        part of the distance that a lost position must last";

/// The kind's settings, version 1 of the suite file.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct DefenceSettings {
    moves: NonZeroU32,
    share: f64,
}

impl Default for DefenceSettings {
    fn default() -> Self {
        Self { moves: NonZeroU32::new(30).expect("not zero"), share: 0.8 }
    }
}

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    let settings: DefenceSettings = input.optional_settings(SETTINGS)?;
    if !(0.0..=1.0).contains(&settings.share) {
        return Err(input.error(format!("share = {} is not a share", settings.share), SETTINGS));
    }
    input.limited()?;
    epd::definitions(input, |source_file, record| definition(input.suite, source_file, record, settings))
}

fn definition(
    suite: &str,
    source_file: &SourceFile,
    record: &epd::EpdRecord,
    settings: DefenceSettings,
) -> Result<CaseDefinition, SuiteError> {
    let remedy = "give `result \"draw\";`, or `dm -12;` for a loss in 12 moves";
    let complain = |what: String| source_file.error_at_line(record.number, what, remedy);
    let rules = match (record.operation("result"), record.operation("dm")) {
        (Some("draw"), None) => Defence::Draw { moves: settings.moves.get() as usize },
        (None, Some(given)) => {
            let lost =
                given.parse::<i32>().ok().filter(|&moves| moves < 0).and_then(MateDistance::from_moves);
            let distance = lost.ok_or_else(|| complain(format!("`dm {given}` is no loss")))?;
            Defence::Loss { distance, least: least(distance, settings.share) }
        }
        (Some(given), None) => return Err(complain(format!("`result {given}` is no draw"))),
        (Some(_), Some(_)) | (None, None) => {
            return Err(complain("what is to be held is not said".to_owned()));
        }
    };
    let input = tablebase_playout::check(source_file, record)?;
    let (class, accepted) = match rules {
        Defence::Draw { moves } => ("draw", format!("a draw, or {moves} moves")),
        Defence::Loss { distance, least } => {
            ("loss", format!("{least} of {} moves", distance.moves().unsigned_abs()))
        }
    };
    let mut info = record.case_info(suite, class, accepted);
    if info.note.is_empty() {
        info.note = input.to_string();
    }
    let line = record.position.clone();
    let open = move |limits: &Limits, tables: &Arc<Tables>| -> Box<dyn Case> {
        Box::new(TablebasePlayout::new(rules, line.clone(), *limits, Arc::clone(tables)))
    };
    Ok(CaseDefinition::with_tables(info, vec![input], open))
}

/// The fewest moves that are this share of the distance. Rounding errors of decimal fractions do not require
/// an extra move.
fn least(distance: MateDistance, share: f64) -> usize {
    (share * f64::from(distance.moves().unsigned_abs()) - 1e-9).ceil().max(0.0) as usize
}

#[derive(Debug, Clone, Copy)]
enum Defence {
    /// A draw, by the rules or for this number of moves.
    Draw { moves: usize },
    /// A lost position, for at least this number of moves.
    Loss { distance: MateDistance, least: usize },
}

impl PlayoutRules for Defence {
    fn fact(&self) -> ProvenValue {
        match *self {
            Self::Draw { .. } => ProvenValue::Draw,
            Self::Loss { distance, .. } => ProvenValue::Mate(distance),
        }
    }

    fn reply(&self, referee: &Referee, tables: &Tables) -> Option<Move> {
        let values = tablebase_playout::move_values(referee, tables);
        let best = match self {
            Self::Draw { .. } => values
                .into_iter()
                .filter(|it| it.after == ProvenValue::Draw)
                .min_by_key(|it| (it.occurrences, trouble(referee, tables, it))),
            Self::Loss { .. } => values
                .into_iter()
                .min_by_key(|it| (it.drawn, Reverse(it.after.one_ply_earlier().rank()), it.occurrences)),
        };
        best.map(|it| it.mv)
    }

    fn decide(&self, _: &Referee, after: ProvenValue, moves: usize) -> Option<PlayoutOutcome> {
        // A lost position is judged by its length alone, at its end.
        let Self::Draw { moves: enough } = *self else { return None };
        match after {
            ProvenValue::Mate(mate) if mate.is_win() => {
                let detail = format!("#-{} after move {moves}", mate.moves());
                Some(PlayoutOutcome::new(FailCause::GivenAway, detail))
            }
            ProvenValue::Mate(_) => {
                Some(PlayoutOutcome::new(PassCause::Turned, format!("it wins at move {moves}")))
            }
            ProvenValue::Draw if moves >= enough => {
                Some(PlayoutOutcome::new(PassCause::Held, format!("still a draw after {moves} moves")))
            }
            ProvenValue::Draw => None,
        }
    }

    fn ended(&self, ending: RuleEnd, moves: usize) -> PlayoutOutcome {
        match (*self, ending) {
            (Self::Loss { distance, least }, RuleEnd::Checkmate) => {
                let longest = distance.moves().unsigned_abs();
                let cause: Cause =
                    if moves >= least { PassCause::Lasted.into() } else { FailCause::MatedTooSoon.into() };
                let detail = format!("{moves} of {longest} moves, {least} asked");
                let lasted = Measure::share(LASTED, moves as u64, u64::from(longest));
                PlayoutOutcome { measures: vec![lasted], ..PlayoutOutcome::new(cause, detail) }
            }
            (Self::Draw { .. }, RuleEnd::Checkmate) => {
                PlayoutOutcome::new(PassCause::Turned, format!("it mates at move {moves}"))
            }
            // A lost position that the rules end as a draw is held, too.
            (_, _) => PlayoutOutcome::new(PassCause::Held, format!("{ending} at move {moves}")),
        }
    }
}

/// The difficulty that an attacker's move makes, smallest for the hardest: holding replies, and fewer replies
/// in total if equal. A move that ends the game makes none.
fn trouble(referee: &Referee, tables: &Tables, value: &MoveValue) -> (usize, Reverse<usize>) {
    let mut after = referee.position().clone();
    after.play_unchecked(value.mv);
    let replies = after.legal_moves();
    if replies.is_empty() || after.is_insufficient_material() {
        return (usize::MAX, Reverse(0));
    }
    let holds = |&&mv: &&Move| {
        tables.probe_after(&after, mv).is_none_or(|fact| fact.mate().is_none_or(|mate| !mate.is_win()))
    };
    (replies.iter().filter(holds).count(), Reverse(replies.len()))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;
    use crate::dialogue::script::{lead, says};
    use crate::{Suite, SuiteSource, Timing, Verdict, VerdictKind, run_case};
    use threefold_player::{Answer, Player, ScriptedPlayer};

    /// The king must take the opposition and keep it.
    const DRAWN: &str = "8/8/4k3/8/4PK2/8/8/8 b - - 0 1 result \"draw\";";
    const LOST: &str = "7k/8/8/8/8/8/8/KR6 b - - 0 1 dm -13;";

    fn made(names: &[&str]) -> Tables {
        let mut tables = Tables::new(NonZeroUsize::MIN);
        let endings: Vec<_> = names.iter().map(|name| name.parse().expect("a material")).collect();
        tables.make(&endings, &mut |_| {}).expect("few pieces");
        tables
    }

    fn suite(text: &str) -> Result<Suite, SuiteError> {
        let source_file = SourceFile { file: "d.epd".to_owned(), text: text.to_owned() };
        Suite::read(&SuiteSource::from_positions(&KIND, source_file, &Limits::nodes(1000)))
    }

    /// A player that takes the best of its moves by the tables, or the worst.
    fn played(text: &str, worst: bool) -> Verdict {
        let (_, mut case) = suite(text).expect("sound").cases().remove(0);
        let tables = made(&["KRK", "KPK"]);
        let mut player: Box<dyn Player> = Box::new(ScriptedPlayer::new("tables", move |question| {
            let referee = Referee::new(&question.position).expect("legal");
            let mut moves = tablebase_playout::move_values(&referee, &tables);
            moves.sort_by_key(|it| it.after.one_ply_earlier().rank());
            let it = if worst { moves.first() } else { moves.last() };
            Ok(Answer { best: it.map(|it| referee.uci(it.mv)), nodes: 10, ..Answer::silent() })
        }));
        run_case(case.as_mut(), std::slice::from_mut(&mut player), Timing::default())
            .expect("there is no interruption")
    }

    #[test]
    fn draw_is_held_by_correct_moves_and_lost_by_others() {
        let held = played(DRAWN, false);
        assert_eq!(held.kind(), VerdictKind::Passed, "{}", held.reason());
        assert!(held.reason().starts_with("held: "), "{}", held.reason());
        let lost = played(DRAWN, true);
        assert_eq!(lost.kind(), VerdictKind::Failed, "{}", lost.reason());
        assert!(lost.reason().starts_with("given away: #-"), "{}", lost.reason());
        assert_eq!(held, played(DRAWN, false), "the attacker leaves nothing to chance");
    }

    #[test]
    fn loss_is_delayed_as_long_as_possible() {
        let long = played(LOST, false);
        let short = played(LOST, true);
        assert_eq!(
            (long.kind(), short.kind()),
            (VerdictKind::Passed, VerdictKind::Failed),
            "{} {}",
            long.reason(),
            short.reason()
        );
        assert_eq!(long.reason(), "lasted: 13 of 13 moves, 11 asked");
        assert_eq!(long.measures, [Measure::share(LASTED, 13, 13)]);
        assert!(short.measures[0].amount < 11, "{}", short.reason());
    }

    #[test]
    fn crashed_engine_is_at_fault() {
        for (best, reason) in [("e6e4", "illegal move: e6e4 at move 1"), ("", "no move: at move 1")] {
            let (_, mut case) = suite(DRAWN).expect("sound").cases().remove(0);
            let (verdict, ..) = lead(case.as_mut(), [says(best, &[])]);
            assert_eq!((verdict.kind(), verdict.reason().as_str()), (VerdictKind::Fault, reason));
        }
    }

    #[test]
    fn invalid_defences_are_named() {
        let fen = "4k3/8/4K3/4P3/8/8/8/8 b - - 0 1";
        let table = [
            ("", "d.epd:1: what is to be held is not said; give `result \"draw\";`, or `dm -12;`"),
            ("result \"loss\";", "d.epd:1: `result loss` is no draw; "),
            ("dm 3;", "d.epd:1: `dm 3` is no loss; "),
            ("dm -3; result \"draw\";", "d.epd:1: what is to be held is not said; "),
        ];
        for (operations, message) in table {
            let error = suite(&format!("{fen} {operations}")).expect_err(message).to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
