//! Does an engine lose answers by chance? What the baseline of its run says.

use std::collections::{BTreeSet, HashMap};

use crate::job::BaselineText;
use threefold_suites::{Cause, SkipCause};

/// The suites in which the engine lost an answer in the run of this baseline, and gave it in another attempt. Another answer that
/// it loses is no news then. Such cases are skipped, or left out by the plan for that reason. A baseline that can't be read says
/// nothing, and is refused elsewhere.
pub(crate) fn suites(baseline: &BaselineText) -> BTreeSet<String> {
    let [flaky, left_out] = [SkipCause::Flaky, SkipCause::LeftOut].map(|cause| Cause::from(cause).name());
    let mut reader = csv::Reader::from_reader(baseline.cases.as_bytes());
    let rows = reader.deserialize::<HashMap<String, String>>().map_while(Result::ok);
    let suite = |mut row: HashMap<String, String>| {
        let cell = |column: &str| row.get(column).map(String::as_str).unwrap_or_default();
        let has_lost = cell("cause") == flaky || cell("cause") == left_out && cell("detail") == flaky;
        has_lost.then(|| row.remove("suite")).flatten()
    };
    rows.into_iter().filter_map(suite).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
