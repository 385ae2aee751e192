//! Returns to the root: does a search take the second occurrence of its own root for a draw?
//!
//! The asked move wins, but the opponent can bring the root back, and in one line the winning side has nothing better. By the
//! rules the game goes on, and the side to move wins in another way. An engine that scores any return to the root as a draw
//! shows a draw for the move, so that lines of `MultiPV` are wrong. Nothing else depends on it, since the best move of a won
//! position does not return. It is a policy, and no error by the protocol, so only a comparison decides.
//!
//! Two searches are compared: of the position after the move, which has no history, and of the move (`searchmoves`).

use crate::input::{CaseDefinition, CaseInfo, SourceFile, SuiteError, SuiteInput};
use crate::two_scores::TwoScores;
use crate::{Case, Cause, ClockLimit, FailCause, Kind, LostCase, PassCause, SkipCause, epd};
use shakmaty::EnPassantMode;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Centipawns, Score};
use threefold_games::move_reader;
use threefold_oracle::Referee;
use threefold_player::{Answer, Question};

/// The suite kind `root-return`.
pub const KIND: Kind = Kind {
    name: "root-return",
    summary: "Returns to the root: is the second occurrence of the root scored as a draw?",
    clock: ClockLimit::Refused,
    lost_case: LostCase::Search,
    load,
};

/// A score of at least this shows that the engine knows the win, in centipawns.
const WON: i32 = 200;
/// A score of at most this is a draw, in centipawns: engines with contempt do not score draws as 0.
const DRAWN: i32 = 50;

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    input.limits_alone()?;
    epd::definitions(input, |source_file, record| definition(input.suite, source_file, record))
}

fn definition(
    suite: &str,
    source_file: &SourceFile,
    record: &epd::EpdRecord,
) -> Result<CaseDefinition, SuiteError> {
    let error = |what: String| {
        source_file.error_at_line(record.number, what, "name the move that is asked about, as in `sm Kb3`")
    };
    let written = record.operation("sm").ok_or_else(|| error("there is no move".to_owned()))?;
    let mut referee = Referee::new(&record.position).map_err(|it| error(it.to_string()))?;
    let asked = move_reader::parse_move(&referee, written).map_err(|it| error(it.to_string()))?;
    referee.play(asked).map_err(|it| error(it.to_string()))?;
    let after = GamePosition {
        start: Fen::from_position(referee.position(), EnPassantMode::Legal),
        moves: Vec::new(),
    };
    let class = record.class_of_id().unwrap_or_else(|| "root-return".to_owned());
    let accepted = format!("no draw for {asked}");
    let info: CaseInfo = record.case_info(suite, class, accepted);
    let position = record.position.clone();
    let open = move |limits: &Limits| -> Box<dyn Case> {
        let question = |position: &GamePosition, searchmoves| Question {
            position: position.clone(),
            limits: *limits,
            searchmoves,
        };
        let questions = [question(&after, Vec::new()), question(&position, vec![asked])];
        Box::new(TwoScores::new(questions, is_known_win, move |scores, answer: &Answer| {
            compare(asked, scores, answer)
        }))
    };
    Ok(CaseDefinition::new(info, open))
}

/// Does the engine know that the position after the move is won? Its score is from the other side's view.
fn is_known_win(after: Score) -> Result<(), (Cause, String)> {
    let won = after.reversed();
    let what = || format!("after the move it scores the position as {won}, which is no win");
    if is_at_least(won, WON) { Ok(()) } else { Err((SkipCause::Inconclusive.into(), what())) }
}

fn compare(asked: UciMove, [after, found]: [Score; 2], answer: &Answer) -> (Cause, String) {
    if answer.best != Some(asked) {
        return (SkipCause::NotSupported.into(), "`searchmoves`".to_owned());
    }
    let detail = format!("{found} for {asked}, {} after it", after.reversed());
    match found {
        Score::Cp(Centipawns(found)) if found <= DRAWN => (FailCause::Draw.into(), detail),
        found if is_at_least(found, WON) => (PassCause::NoDraw.into(), detail),
        _ => (SkipCause::Inconclusive.into(), detail),
    }
}

/// Is it a win, or at least this number of centipawns?
fn is_at_least(score: Score, least: i32) -> bool {
    match score {
        Score::Cp(Centipawns(found)) => found >= least,
        Score::Mate(mate) => mate.is_win(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialogue::script::{lead, says};
    use crate::{Suite, SuiteSource, VerdictKind};

    fn suite(text: &str) -> Result<Suite, SuiteError> {
        let source_file = SourceFile { file: "r.epd".to_owned(), text: text.to_owned() };
        Suite::read(&SuiteSource::from_positions(&KIND, source_file, &Limits::nodes(100)))
    }

    const ROW: &str = "8/8/8/k7/8/1K6/6P1/8 w - - sm Ka3; id \"KPK.001\"; c0 \"after Kb5 only Kb3 wins\";";

    #[test]
    fn a_won_move_must_not_be_scored_as_a_draw() {
        use VerdictKind::{Failed, Passed, Skipped};
        let table = [
            ("cp -640", Some(("b3a3", "cp 620")), Passed, "no draw: cp 620 for b3a3, cp 640 after it"),
            ("cp -640", Some(("b3a3", "mate 12")), Passed, "no draw: mate 12 for b3a3, cp 640 after it"),
            ("mate -9", Some(("b3a3", "cp 8")), Failed, "draw: cp 8 for b3a3, mate 9 after it"),
            ("cp -640", Some(("b3a3", "cp 120")), Skipped, "inconclusive: cp 120 for b3a3, cp 640 after it"),
            ("cp -640", Some(("b3c4", "cp 620")), Skipped, "not supported: `searchmoves`"),
            (
                "cp -90",
                None,
                Skipped,
                "inconclusive: after the move it scores the position as cp 90, which is no win",
            ),
        ];
        for (after, with, kind, reason) in table {
            let (info, mut case) = suite(ROW).expect("sound").cases().remove(0);
            assert_eq!((info.class.as_str(), info.accepted.as_str()), ("KPK", "no draw for b3a3"));
            let answers =
                std::iter::once(says("a5b5", &[after])).chain(with.map(|(mv, score)| says(mv, &[score])));
            let (verdict, asked, _) = lead(case.as_mut(), answers.collect::<Vec<_>>());
            assert_eq!((verdict.kind(), verdict.reason().as_str()), (kind, reason));
            assert_eq!(asked[0].position.start.to_string(), "8/8/8/k7/8/K7/6P1/8 b - - 1 1");
            let moves = asked.get(1).map(|question| question.searchmoves.len());
            assert_eq!(moves, with.map(|_| 1));
        }
    }

    #[test]
    fn a_row_needs_a_legal_move() {
        let error = |row| suite(row).expect_err("unsound").to_string();
        let remedy = "name the move that is asked about, as in `sm Kb3`";
        assert_eq!(error("8/8/8/k7/8/1K6/6P1/8 w - -"), format!("r.epd:1: there is no move; {remedy}"));
        assert!(error("8/8/8/k7/8/1K6/6P1/8 w - - sm Kb5;").ends_with(remedy));
    }
}
