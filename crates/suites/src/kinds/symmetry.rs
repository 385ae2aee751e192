//! Symmetry: does a position have the same score when it is reflected?
//!
//! With the colours exchanged, or the files reversed, chess is the same. An evaluation that forgets the colour of a square,
//! the side of the board or the side to move scores the reflected position differently. So each position gives two cases:
//! in one the colours are exchanged, in the other the files are reversed, unless it has castling rights. Both searches
//! begin in a new game.
//!
//! A limit of depth keeps the searches comparable, and at depth 1 little depends on the order of the moves. A sound
//! engine may still differ now and then, since it prunes by that order; and its tables of squares may treat the two wings
//! differently, so that no position passes with the files reversed. Only a comparison with an earlier version decides.

use crate::input::{CaseDefinition, CaseInfo, Ids, SuiteError, SuiteInput};
use crate::two_scores::TwoScores;
use crate::{Case, Cause, ClockLimit, FailCause, Kind, LostCase, PassCause, epd};
use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;
use threefold_chess::reflection::Reflection;
use threefold_chess::score::Score;
use threefold_player::{Answer, Question};

/// The suite kind `symmetry`.
pub const KIND: Kind = Kind {
    name: "symmetry",
    summary: "Symmetry: the same score with colours exchanged, or files reversed",
    clock: ClockLimit::Refused,
    lost_case: LostCase::Search,
    load,
};

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    input.limits_alone()?;
    let Limits { depth: Some(_), nodes: None, movetime: None, .. } = input.limits else {
        let remedy = "give `[limits]` with `depth = 1`";
        return Err(input.error("the limit is not a depth alone", remedy));
    };
    let (mut ids, mut definitions) = (Ids::default(), Vec::new());
    for source_file in input.positions {
        for record in epd::parse_epd(source_file)? {
            for definition in Reflection::ALL.iter().filter_map(|&how| definition(input.suite, &record, how))
            {
                ids.claim(source_file, record.number, &definition.info.id)?;
                definitions.push(definition);
            }
        }
    }
    Ok(definitions)
}

/// The case of a reflection; `None` if the position does not have it.
fn definition(suite: &str, record: &epd::EpdRecord, how: Reflection) -> Option<CaseDefinition> {
    let reflected = GamePosition { start: how.apply(&record.position.start)?, moves: Vec::new() };
    let theme = record.class_of_id().unwrap_or_else(|| "symmetry".to_owned());
    let info = record.case_info(suite, format!("{theme}.{}", how.name()), "the same score");
    let info = CaseInfo { id: format!("{}.{}", info.id, how.name()), ..info };
    let positions = [record.position.clone(), reflected];
    let open = move |limits: &Limits| -> Box<dyn Case> {
        let limits = *limits;
        let questions =
            positions.clone().map(|position| Question { position, limits, searchmoves: Vec::new() });
        Box::new(TwoScores::new(questions, |_| Ok(()), move |scores, _: &Answer| compare(how, scores)))
    };
    Some(CaseDefinition::new(info, open))
}

fn compare(how: Reflection, [first, second]: [Score; 2]) -> (Cause, String) {
    if first == second {
        return (PassCause::SameScore.into(), first.to_string());
    }
    let how = match how {
        Reflection::Colours => "colours exchanged",
        Reflection::Files => "files reversed",
    };
    (FailCause::OtherScore.into(), format!("{second} with {how}, {first} without"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialogue::script::{lead, says};
    use crate::{SourceFile, Suite, SuiteSource, VerdictKind};
    use threefold_chess::score::Ply;

    fn suite(text: &str, limits: &Limits) -> Result<Suite, SuiteError> {
        let source_file = SourceFile { file: "s.epd".to_owned(), text: text.to_owned() };
        Suite::read(&SuiteSource::from_positions(&KIND, source_file, limits))
    }

    #[test]
    fn each_position_is_reflected_where_it_can_be() {
        let text = "4k3/8/8/8/8/8/8/4K2R w K - id \"rooks.1\";\n4k3/8/8/8/8/8/P7/4K3 w - - id \"pawns.1\";\n";
        let suite = suite(text, &Limits::depth(Ply(1))).expect("sound");
        let named: Vec<(&str, &str)> =
            suite.definitions.iter().map(|it| (it.info.id.as_str(), it.info.class.as_str())).collect();
        assert_eq!(
            named,
            [
                ("rooks.1.colours", "rooks.colours"),
                ("pawns.1.colours", "pawns.colours"),
                ("pawns.1.files", "pawns.files"),
            ]
        );
    }

    #[test]
    fn both_searches_must_have_the_same_last_score() {
        use VerdictKind::{Failed, Passed, Skipped};
        let table = [
            (&["cp 9", "cp 30"][..], &["cp 30"][..], Passed, "same score: cp 30"),
            (&["cp 30"], &["cp -30"], Failed, "other score: cp -30 with colours exchanged, cp 30 without"),
            (&["mate 2"], &["cp 30"], Failed, "other score: cp 30 with colours exchanged, mate 2 without"),
            (&["cp 30"], &[], Skipped, "no score reported"),
        ];
        for (first, second, kind, reason) in table {
            let suite = suite("8/8/4k3/8/8/4K3/4P3/8 w - -", &Limits::depth(Ply(1))).expect("sound");
            let (_, mut case) = suite.cases().remove(0);
            let (verdict, asked, games) = lead(case.as_mut(), [says("e3e4", first), says("e6e5", second)]);
            assert_eq!((verdict.kind(), verdict.reason().as_str()), (kind, reason));
            let fens: Vec<String> =
                asked.iter().map(|question| question.position.start.to_string()).collect();
            assert_eq!(fens, ["8/8/4k3/8/8/4K3/4P3/8 w - - 0 1", "8/4p3/4k3/8/8/4K3/8/8 b - - 0 1"]);
            assert_eq!(games, 2);
        }
    }

    #[test]
    fn a_limit_of_depth_alone_is_required() {
        let error = |text, limits| suite(text, &limits).expect_err("unsound").to_string();
        assert_eq!(
            error("8/8/4k3/8/8/4K3/4P3/8 w - -", Limits::nodes(9)),
            "s.epd: the limit is not a depth alone; give `[limits]` with `depth = 1`"
        );
    }
}
