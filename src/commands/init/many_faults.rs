//! A suite in which the engine has many faults: what the plan keeps of it.

use anyhow::Context as _;

use super::left_out::cases_with;
use super::listed;
use crate::input::by_name::PLAN_FILE;
use crate::setup::plan_text;
use crate::streams;
use threefold_run::{PartEnding, PartResult};
use threefold_suites::{CaseInfo, VerdictKind};

/// The most faults in one suite; each may cost the longest time of a search.
pub(super) const MOST_FAULTS: usize = 20;

/// Why the cases of [`cases_not_asked`] are left out.
pub(super) const NOT_ASKED: &str = "not asked after many faults";

/// Are the results of this part part of the baseline? They are if it is over, and for too many faults if the engine
/// has answered most of the cases. An early engine crashes at some kinds of positions, and keeps other rules.
pub(super) fn counts(part: &PartResult<'_>) -> bool {
    match part.progress.ending {
        Some(PartEnding::TooManyFaults) => {
            let faults = part.cases().filter(|case| case.verdict.kind() == VerdictKind::Fault).count();
            2 * faults < part.cases().count()
        }
        ending => ending == Some(PartEnding::Complete),
    }
}

/// The cases of a part that too many faults stopped before they were asked.
pub(super) fn cases_not_asked<'r>(part: &PartResult<'r>) -> impl Iterator<Item = &'r CaseInfo> {
    let asked = part.cases().count();
    let all = part.suite.filter(|_| counts(part)).map(|suite| suite.definitions.as_slice());
    // Results count in the order of the suite, so its last cases are those that were not asked.
    all.unwrap_or_default().iter().skip(asked).map(|case| &case.info)
}

/// The plan after a run: without the suite in which the engine had too many faults, unless most of its cases had none.
/// `None` if no suite had too many.
pub(super) fn plan_after(plan: &str, parts: &[PartResult<'_>]) -> anyhow::Result<Option<String>> {
    let too_many = |part: &&PartResult<'_>| part.progress.ending == Some(PartEnding::TooManyFaults);
    let Some(part) = parts.iter().find(too_many) else { return Ok(None) };
    let name = &part.part.name;
    let without = plan_text::without_suite(plan, name).with_context(|| {
        format!("the engine has more than {MOST_FAULTS} faults in `{name}`, which is no suite of the plan")
    })?;
    let (changed, what) = if counts(part) {
        let not_asked = cases_not_asked(part).count();
        // The plan stays the same; another run then asks the suites that this one did not reach.
        (plan.to_owned(), format!("these and the other {not_asked} that were not asked are left out"))
    } else {
        (without, format!("the plan is without it; add builtin:{name} once the engine is fixed"))
    };
    streams::notice(&format!(
        "\nwarning: {PLAN_FILE}: the engine crashes, hangs or breaks the protocol in more than {MOST_FAULTS} cases of suite \
         {name}, so {what}:\n{}\ngoing on with the other suites",
        listed(&cases_with(parts, |verdict| verdict.kind() == VerdictKind::Fault))
    ));
    Ok(Some(changed))
}
