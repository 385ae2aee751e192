//! Bisecting by cases: each commit is tested once.

use std::collections::BTreeMap;

use super::answer::{Answer, Finding};
use super::cases::{self, CaseQuestion};
use super::state::CaseEvidence;
use super::tester::{self, CommitTester, Tested};
use super::{Input, answer};

use crate::exit::Exit;
use crate::session::commit_builds::CommitBuilds;
use crate::session::journal_path::JournalPath;
use crate::session::outcome::RunOutcome;
use threefold_player::EngineSpec;
use threefold_report::format::count;
use threefold_report::words::rerun::shell_word;
use threefold_run::RunRecord;
use threefold_run::regress::baseline::CaseName;
use threefold_stats::bisection::exact::{self, next_step};
use threefold_stats::bisection::{ExactStep, Verdict};
use threefold_suites::CaseRecord;

/// The cases that are printed as evidence.
const MOST_CASES: usize = 5;

/// The verdicts of a run, by the names of its cases.
type Cases = BTreeMap<CaseName, CaseRecord>;

/// Bisects, and prints the answer.
pub(super) fn run(input: &Input<'_>, builds: CommitBuilds) -> anyhow::Result<Exit> {
    let question = CaseQuestion::choose(input)?;
    let text = format!("{}\n{}", input.identity(), question.text());
    let mut tester = CommitTester::open(input.args, &input.commits, builds, &text)?;
    let Some(lost) = first_tests(&mut tester, &question)? else { return Ok(Exit::Interrupted) };
    let strict = question.strict_suites()?;
    let mut is_refuted = false;
    loop {
        let (equal, verdicts) = (tester.equal(), tester.verdicts());
        if !is_refuted && exact::is_refuted(&equal, &verdicts) {
            is_refuted = true;
            tester.inform(
                "commits with the same node count of `bench` differ here: each commit is tested from now on",
            );
        }
        let (commit, suspects) = match next_step(input.commits.history(), &equal, &verdicts) {
            ExactStep::Test { commit, suspects } => (commit, suspects),
            ExactStep::Found(commit) => {
                return finish(input, &tester, &question, Finding::commit(commit, None));
            }
            ExactStep::AnyOf(commits) => {
                return finish(input, &tester, &question, Finding::any_of(commits, None));
            }
        };
        tester.inform(&match suspects {
            1 => "1 commit left; it and its parent are tested themselves".to_owned(),
            _ => format!("{} left, about {}", count(suspects, "commit"), answer::builds(suspects)),
        });
        let found = match test(&mut tester, &question, commit, Some(&lost))? {
            Tested::Done(found) => found,
            Tested::Skipped(_) => continue,
            Tested::Interrupted => return Ok(Exit::Interrupted),
        };
        match cases::verdict(&found, &lost, &strict) {
            Verdict::Skipped => tester.skip(commit, "every case was skipped")?,
            verdict => decide(&mut tester, commit, verdict, &found, &lost)?,
        }
    }
}

/// Records a verdict.
fn decide(
    tester: &mut CommitTester<'_>,
    commit: usize,
    verdict: Verdict,
    found: &Cases,
    lost: &[CaseName],
) -> anyhow::Result<()> {
    let evidence = cases::evidence(found, lost);
    let number = lost.iter().filter(|name| found.get(name).and_then(cases::is_lost) == Some(true)).count();
    let is_bad = verdict == Verdict::Bad;
    let word = if is_bad { "bad" } else { "good" };
    let what = match &evidence[..] {
        [only] => format!("{}/{} {}", only.suite, only.id, only.verdict),
        _ => format!("{number} of {} cases lost", lost.len()),
    };
    tester.inform(&format!("{} {word}: {what}", tester.commits.short(commit)));
    tester.record(commit, |known| {
        known.is_bad = Some(is_bad);
        known.skipped = None;
        known.cases = evidence;
    })
}

/// Tests the good and the bad commit; the cases that the bad one lost. `None` if that was interrupted.
fn first_tests(
    tester: &mut CommitTester<'_>,
    question: &CaseQuestion,
) -> anyhow::Result<Option<Vec<CaseName>>> {
    if let Some(lost) = tester.file.state.lost_cases() {
        return Ok(Some(lost));
    }
    let (good, bad) = (0, tester.commits.bad());
    let mut found = Vec::new();
    for (commit, which) in [(good, "GOOD"), (bad, "BAD")] {
        match test(tester, question, commit, None)? {
            Tested::Done(cases) => found.push(cases),
            Tested::Skipped(why) => anyhow::bail!("{which} {}: {why}", tester.commits.short(commit)),
            Tested::Interrupted => return Ok(None),
        }
        let passed = |cases: &Cases| cases.values().any(|case| cases::is_lost(case) == Some(false));
        if commit == good && !passed(&found[0]) {
            let why = reasons(&found[0]);
            anyhow::bail!(
                "GOOD {} does not pass {}{why}; give an earlier commit that does",
                tester.commits.short(good),
                question.what
            );
        }
    }
    let [of_good, of_bad] = &found[..] else { return Ok(None) };
    let verdict = |cases: &Cases, name: &CaseName| cases.get(name).and_then(cases::is_lost);
    let lost: Vec<CaseName> = of_bad
        .keys()
        .filter(|name| verdict(of_bad, name) == Some(true) && verdict(of_good, name) == Some(false))
        .cloned()
        .collect();
    anyhow::ensure!(
        !lost.is_empty(),
        "BAD {} passes what GOOD passes of {}; there is nothing to find",
        tester.commits.short(bad),
        question.what
    );
    // `decide` below writes this with the first verdict, so no verdict is in the file without it.
    tester.file.state.lost = Some(lost.iter().map(|it| (it.suite.clone(), it.id.clone())).collect());
    if lost.len() > 1 || of_bad.len() > 1 {
        let names: Vec<String> = lost.iter().take(5).map(|it| format!("{}/{}", it.suite, it.id)).collect();
        let more = if lost.len() > names.len() { ", …" } else { "" };
        tester.inform(&format!("{}: {}{more}", count(lost.len(), "lost case"), names.join(", ")));
    }
    decide(tester, good, Verdict::Good, of_good, &lost)?;
    decide(tester, bad, Verdict::Bad, of_bad, &lost)?;
    Ok(Some(lost))
}

/// `: failed: history: …`, if it is one case.
fn reasons(cases: &Cases) -> String {
    match cases.values().collect::<Vec<_>>()[..] {
        [only] => format!(" ({}: {})", only.verdict.kind(), only.verdict.reason()),
        _ => String::new(),
    }
}

/// Builds a commit, and asks the cases. The good and the bad one must start.
fn test(
    tester: &mut CommitTester<'_>,
    question: &CaseQuestion,
    commit: usize,
    lost: Option<&[CaseName]>,
) -> anyhow::Result<Tested<Cases>> {
    let engine: EngineSpec = match tester.engine(commit)? {
        Tested::Done(engine) => engine,
        Tested::Skipped(why) => return Ok(Tested::Skipped(why)),
        Tested::Interrupted => return Ok(Tested::Interrupted),
    };
    // A commit is tested only without a verdict, so an existing journal is that of an interrupted test.
    let journal = tester.file.journal(tester.commits.hash(commit));
    let spec = question.run_spec(&engine, lost)?;
    match tester.session.run(spec, &JournalPath::Over(&journal)) {
        Ok(RunOutcome::Finished(finished)) => Ok(Tested::Done(cases::verdicts(&finished.run))),
        Ok(RunOutcome::Interrupted | RunOutcome::ShardFinished) => Ok(Tested::Interrupted),
        Err(error) if lost.is_some() && tester::is_of_engine(&error) => {
            let why = format!("{error:#}");
            tester.skip(commit, &why)?;
            Ok(Tested::Skipped(why))
        }
        Err(error) => Err(tester::with_remedy(error)),
    }
}

/// Prints the answer.
fn finish(
    input: &Input<'_>,
    tester: &CommitTester<'_>,
    question: &CaseQuestion,
    finding: Finding,
) -> anyhow::Result<Exit> {
    let mut answer = Answer { finding, evidence: Vec::new(), again: Vec::new(), extra: Vec::new() };
    let &[first] = &answer.finding.commits[..] else { return answer::print(input, tester, &answer) };
    let parents = input.commits.history().parents(first);
    let cases = tester.known(first).cases;
    let of_parents: Vec<Vec<CaseEvidence>> =
        parents.iter().map(|&parent| tester.known(parent).cases).collect();
    let made_worse = made_worse(&cases, &of_parents);
    for case in made_worse.iter().take(MOST_CASES) {
        answer.evidence.push(line(tester.commits.short(first), case));
        let before =
            parents.iter().zip(&of_parents).filter_map(|(&parent, cases)| Some((parent, same(cases, case)?)));
        let before = before
            .map(|(parent, before)| line(&format!("{} (parent)", tester.commits.short(parent)), before));
        answer.evidence.extend(before);
    }
    if made_worse.len() > MOST_CASES {
        answer.evidence.push(format!("and {}", count(made_worse.len() - MOST_CASES, "further case")));
    }
    let journal = tester.file.journal(tester.commits.hash(first));
    if let (Some(case), true) = (made_worse.first(), journal.exists()) {
        let name = CaseName { suite: case.suite.clone(), id: case.id.clone() };
        answer.again.push(format!(
            "threefold explain {} {}/{}",
            shell_word(&journal.display().to_string()),
            case.suite,
            case.id
        ));
        let run = RunRecord::read(&journal)?;
        let engine = run.spec().parts.first().and_then(|part| part.task.engines().first().cloned());
        answer.again.extend(engine.and_then(|engine| question.again(&name, &engine)));
    }
    answer::print(input, tester, &answer)
}

/// The cases that a commit lost and none of its parents; all that it lost, if there are none of these.
fn made_worse(cases: &[CaseEvidence], of_parents: &[Vec<CaseEvidence>]) -> Vec<CaseEvidence> {
    let is_lost = |case: &CaseEvidence| case.is_lost == Some(true);
    let lost = || cases.iter().filter(|case| is_lost(case));
    let is_new =
        |case: &&CaseEvidence| !of_parents.iter().any(|cases| same(cases, case).is_some_and(is_lost));
    let new: Vec<CaseEvidence> = lost().filter(is_new).cloned().collect();
    if new.is_empty() { lost().cloned().collect() } else { new }
}

/// A case among those of another commit.
fn same<'c>(cases: &'c [CaseEvidence], case: &CaseEvidence) -> Option<&'c CaseEvidence> {
    cases.iter().find(|other| other.suite == case.suite && other.id == case.id)
}

fn line(commit: &str, case: &CaseEvidence) -> String {
    format!("{commit} {}/{} {}", case.suite, case.id, case.verdict)
}
