//! Does an engine lose answers by chance? What the baseline of its run says.

use std::collections::{BTreeSet, HashMap};

use crate::job::BaselineText;
use threefold_suites::{Cause, SkipCause};

/// Why a plan leaves out a dialogue that the engine passed in the first run: it failed it when it was asked again.
pub(crate) const PASSES_BY_CHANCE: &str = "passes by chance";

/// The same for a dialogue of which half of the variants are passed by chance.
pub(crate) const OTHER_VARIANTS: &str = "other variants pass by chance";

/// From this number of cases that the plan leaves out as passed by chance, a move that does not come is no news. Chosen on the
/// pairs of `docs/src/research/real-bugs.md`: an early Stash that loses every second `go` has 38 to 41 of them, and the engines of
/// twelve other pairs have eight at most.
const MANY_BY_CHANCE: usize = 20;

/// Does the plan leave out [`MANY_BY_CHANCE`] cases or more because the engine passes them by chance?
pub(crate) fn passes_many_by_chance(baseline: &BaselineText) -> bool {
    baseline.rows().filter(is_left_out_by_chance).count() >= MANY_BY_CHANCE
}

/// The suites of which the plan leaves out a case because the engine passes it by chance.
pub(crate) fn suites_passed_by_chance(baseline: &BaselineText) -> BTreeSet<String> {
    baseline.rows().filter(is_left_out_by_chance).filter_map(|mut row| row.remove("suite")).collect()
}

/// Is this row of a baseline a case that the plan leaves out because the engine passes it by chance?
fn is_left_out_by_chance(row: &HashMap<String, String>) -> bool {
    let by_chance = [Cause::from(SkipCause::Flaky).name(), PASSES_BY_CHANCE, OTHER_VARIANTS];
    let cell = |column: &str| row.get(column).map(String::as_str).unwrap_or_default();
    cell("cause") == Cause::from(SkipCause::LeftOut).name() && by_chance.contains(&cell("detail"))
}

/// The suites in which the engine lost an answer in the run of this baseline, and gave it in another attempt. Another answer that
/// it loses is no news then. Such cases are skipped, or left out by the plan for that reason. A baseline that can't be read says
/// nothing, and is refused elsewhere.
pub(crate) fn suites(baseline: &BaselineText) -> BTreeSet<String> {
    let [flaky, left_out] = [SkipCause::Flaky, SkipCause::LeftOut].map(|cause| Cause::from(cause).name());
    let suite = |mut row: HashMap<String, String>| {
        let cell = |column: &str| row.get(column).map(String::as_str).unwrap_or_default();
        let has_lost = cell("cause") == flaky || cell("cause") == left_out && cell("detail") == flaky;
        has_lost.then(|| row.remove("suite")).flatten()
    };
    baseline.rows().filter_map(suite).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_dialogues_that_pass_by_chance_show_that_the_engine_loses_answers() {
        let baseline = |number: usize, detail: &str| {
            let row = format!("dialogue,a,c,skipped,left out,{detail}\n");
            let cases = format!("suite,id,class,verdict,cause,detail\n{}", row.repeat(number));
            BaselineText { cases, figures: String::new(), environment: None }
        };
        for detail in ["flaky", PASSES_BY_CHANCE, OTHER_VARIANTS] {
            assert!(passes_many_by_chance(&baseline(20, detail)), "{detail}");
            assert!(!passes_many_by_chance(&baseline(19, detail)), "{detail}");
            let suites = suites_passed_by_chance(&baseline(1, detail));
            assert_eq!(suites.into_iter().collect::<Vec<_>>(), ["dialogue"], "{detail}");
        }
        assert!(!passes_many_by_chance(&baseline(50, "protocol violated")));
        assert!(suites_passed_by_chance(&baseline(1, "protocol violated")).is_empty());
    }

    #[test]
    fn baseline_knows_that_the_engine_loses_answers() {
        for (cause, detail, known) in [
            ("flaky", "in 1 of 3 attempts", true),
            ("left out", "flaky", true),
            ("left out", "illegal move", false),
            ("missed", "", false),
        ] {
            let cases = format!("suite,id,class,verdict,cause,detail\nmate,a,c,skipped,{cause},{detail}\n");
            let text = BaselineText { cases, figures: String::new(), environment: None };
            assert_eq!(suites(&text).contains("mate"), known, "{cause} {detail}");
        }
        let damaged = BaselineText { cases: "\"".to_owned(), figures: String::new(), environment: None };
        assert!(suites(&damaged).is_empty());
    }
}
