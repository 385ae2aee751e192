//! Which failed cases can stop a run before its end.

use std::collections::BTreeSet;

use crate::job::RunSpec;
use threefold_suites::{CaseRecord, LostCase, Suite, VerdictKind};

/// The cases that count for the number of failed cases after which a run stops.
#[derive(Debug)]
pub(crate) enum StopCases {
    /// All.
    All,
    /// Those that the baseline of a comparison passes, of suites in which a lost case is a regression, by suite and id. In other
    /// suites the search may see less far by chance.
    Lost(BTreeSet<(String, String)>),
}

impl StopCases {
    /// Those of a run with these suites.
    pub(crate) fn of_run<'s>(spec: &RunSpec, suites: impl Iterator<Item = &'s Suite>) -> Self {
        let Some(baseline) = spec.baseline.as_ref().filter(|_| spec.stop_after.is_some()) else {
            return Self::All;
        };
        let strict = suites.filter(|suite| suite.lost_case == LostCase::Strict);
        let strict: BTreeSet<&str> = strict.map(|suite| suite.name.as_str()).collect();
        let may_be_lost = baseline.rows().filter_map(|mut row| {
            let is_passed = row.get("verdict").is_some_and(|verdict| verdict == VerdictKind::Passed.name());
            let [suite, id] = ["suite", "id"].map(|column| row.remove(column));
            suite.zip(id).filter(|(suite, _)| is_passed && strict.contains(suite.as_str()))
        });
        Self::Lost(may_be_lost.collect())
    }

    /// Does this case count if it does not pass?
    pub(crate) fn contains(&self, case: &CaseRecord) -> bool {
        match self {
            Self::All => true,
            Self::Lost(cases) => cases.contains(&(case.suite.clone(), case.id.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;

    use crate::job::BaselineText;
    use threefold_chess::position::GamePosition;
    use threefold_suites::{FailCause, SourceFile, SuiteSource, Verdict};

    fn case(suite: &str, id: &str) -> CaseRecord {
        let verdict = Verdict::unanswered(FailCause::ProtocolViolated, "");
        let [suite, id] = [suite, id].map(str::to_owned);
        let [class, engine, accepted, note] = [const { String::new() }; 4];
        let line = GamePosition::start_position();
        CaseRecord { suite, id, class, engine, accepted, note, line, verdict }
    }

    #[test]
    fn comparison_counts_cases_of_strict_suites_that_passed() {
        let suite = |name: &str, lost_case| {
            let text = "version = 1\nkind = \"dialogue\"\ntitle = \"Talk\"\npositions = []\n[[settings.dialogues]]\nid = \"a\"\n\
                        class = \"a\"\nsummary = \"It answers.\"\nsteps = \"> isready\\n< readyok\\n\"\n";
            let suite_file = SourceFile { file: format!("{name}.toml"), text: text.to_owned() };
            let read = Suite::read(&SuiteSource { suite_file, positions: Vec::new() });
            Suite { lost_case, ..read.expect("a sound suite") }
        };
        let suites = [suite("rule", LostCase::Strict), suite("mate", LostCase::Search)];
        let cases =
            "suite,id,verdict\nrule,a,passed\nrule,b,failed\nmate,a,passed\ngone,a,passed\n".to_owned();
        let baseline = BaselineText { cases, ..BaselineText::default() };
        let stop_after = NonZeroUsize::new(2);
        let compared = RunSpec { baseline: Some(baseline), stop_after, ..RunSpec::default() };
        let alone = RunSpec { stop_after, ..RunSpec::default() };
        for (name, id, counts) in [
            ("rule", "a", true),
            ("rule", "b", false),
            ("rule", "c", false),
            ("mate", "a", false),
            ("gone", "a", false),
        ] {
            let case = case(name, id);
            assert_eq!(StopCases::of_run(&compared, suites.iter()).contains(&case), counts, "{name} {id}");
            assert!(StopCases::of_run(&alone, suites.iter()).contains(&case), "{name} {id}");
        }
    }
}
