//! Search costs: nodes and time to a depth, and other counts that an engine reports.
//!
//! Nothing is required; every case passes. Running variants of an engine on the same positions, round after
//! round, shows the cost of each variant. Positions are EPD or a file of traps, with their histories.
//! Searches that a node limit ends before their depth are counted separately: they would have cost more.

use crate::input::{CaseDefinition, CaseInfo, Ids, OptionOverrides, SourceFile, SuiteError, SuiteInput};
use crate::single_question::SingleQuestion;
use crate::{Case, ClockLimit, Kind, LostCase, Measure, PassCause, Verdict, epd, trap};
use threefold_chess::clock::{ClockSource, Limits};
use threefold_chess::position::GamePosition;
use threefold_player::{Answer, Question};

/// The suite kind `effort`.
pub const KIND: Kind = Kind {
    name: "effort",
    summary: "Search cost: nodes and time to a fixed depth; every case passes",
    clock: ClockLimit::Allowed,
    lost_case: LostCase::Strict,
    load,
};

/// The name of the measure of nodes.
pub const NODES: &str = "nodes";
/// The name of the measure of time.
pub const MICROSECONDS: &str = "microseconds";
/// The name of the measure of searches that the node limit ended.
pub const CUT_SHORT: &str = "searches cut short";

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    input.limits_alone()?;
    let mut ids = Ids::default();
    let mut definitions = Vec::new();
    for source_file in input.positions {
        for (number, id, class, line) in positions(source_file)? {
            ids.claim(source_file, number, &id)?;
            definitions.push(definition(input.suite, id, class, line));
        }
    }
    Ok(definitions)
}

/// Line of the file, id, class and position.
type CostPosition = (usize, String, String, GamePosition);

fn positions(source_file: &SourceFile) -> Result<Vec<CostPosition>, SuiteError> {
    if source_file.file.to_lowercase().ends_with(".csv") {
        let traps = trap::parse_traps(source_file)?.into_iter();
        return Ok(traps.map(|trap| (trap.number, trap.id, trap.class, trap.position)).collect());
    }
    let records = epd::parse_epd(source_file)?.into_iter();
    let of = |record: epd::EpdRecord| {
        let class = record.class_of_id().unwrap_or_else(|| "effort".to_owned());
        (record.number, record.id(), class, record.position)
    };
    Ok(records.map(of).collect())
}

fn definition(suite: &str, id: String, class: String, position: GamePosition) -> CaseDefinition {
    let info = CaseInfo {
        suite: suite.to_owned(),
        id,
        class,
        accepted: "anything".to_owned(),
        note: String::new(),
        position: position.clone(),
        clock_source: ClockSource::Wall,
        players: vec![OptionOverrides::default()],
        background_threads: 0,
    };
    let open = move |limits: &Limits| -> Box<dyn Case> {
        let limits = *limits;
        let question = Question { position: position.clone(), limits, searchmoves: Vec::new() };
        Box::new(SingleQuestion::new(question, move |answer: &Answer| measured(answer, &limits)))
    };
    CaseDefinition::new(info, open)
}

fn measured(answer: &Answer, limits: &Limits) -> Verdict {
    let time = u64::try_from(answer.elapsed.as_micros()).unwrap_or(u64::MAX);
    let cut_short = limits.nodes.is_some_and(|most| answer.nodes >= most);
    let mut measures = vec![
        Measure::count(NODES, answer.nodes),
        Measure::count(MICROSECONDS, time),
        Measure::count(CUT_SHORT, u64::from(cut_short)),
    ];
    measures.extend(answer.counts.iter().map(|(name, count)| Measure::count(name.clone(), *count)));
    Verdict { measures, ..Verdict::new(answer, PassCause::Measured, "") }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::dialogue::script::{lead, says};
    use crate::{Suite, SuiteSource, VerdictKind};

    #[test]
    fn positions_of_both_files_are_measured() {
        let source_file =
            |file: &str, text: &str| SourceFile { file: file.to_owned(), text: text.to_owned() };
        let text = "version = 1\nkind = \"effort\"\ntitle = \"t\"\npositions = [\"a.epd\", \"b.csv\"]\n\
                    [limits]\ndepth = 3\nnodes = 101\n";
        let epd = "4k3/8/8/8/8/8/4P3/4K3 w - - id \"pawn.1\";\n";
        let csv = "id,class,fen,moves,best\nr,dawdle,7k/8/8/8/8/8/R7/K7 w - - 0 1,a2b2,h8g8\n";
        let source = SuiteSource {
            suite_file: source_file("s.toml", text),
            positions: vec![source_file("a.epd", epd), source_file("b.csv", csv)],
        };
        let mut cases = Suite::read(&source).expect("sound").cases();
        let seen: Vec<_> = cases.iter().map(|(info, _)| (info.id.as_str(), info.class.as_str())).collect();
        assert_eq!(seen, [("pawn.1", "pawn"), ("r", "dawdle")]);
        assert_eq!(cases[1].0.position.moves.len(), 1);
        let counts = vec![("anchored".to_owned(), 7)];
        let answer = Answer { elapsed: Duration::from_micros(31), counts, ..says("e2e4", &["cp 9"]) };
        let (verdict, _, games) = lead(cases[0].1.as_mut(), [answer]);
        let measures: Vec<_> = verdict.measures.iter().map(|it| (it.name.as_str(), it.amount)).collect();
        let reported = [("nodes", 100), ("microseconds", 31), ("searches cut short", 0), ("anchored", 7)];
        assert_eq!(measures, reported);
        assert_eq!((verdict.kind(), games), (VerdictKind::Passed, 1));
        let answer = Answer { nodes: 101, ..says("e2e4", &["cp 9"]) };
        let (verdict, ..) = lead(cases[0].1.as_mut(), [answer]);
        assert!(verdict.measures.contains(&Measure::count(CUT_SHORT, 1)), "{:?}", verdict.measures);
    }
}
