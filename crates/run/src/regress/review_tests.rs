//! Reviews of runs that were made up.

use super::*;
use crate::environment::{Environment, Property};
use crate::regress::{AskedAgain, Loss, compare};
use threefold_suites::{Cause, FailCause, LostCase, PassCause};

fn name(suite: &str, id: &str) -> CaseName {
    CaseName { suite: suite.to_owned(), id: id.to_owned() }
}

fn case(cause: Cause, played: &str) -> BaselineCase {
    BaselineCase {
        class: "a".to_owned(),
        cause,
        detail: String::new(),
        played: played.to_owned(),
        solved_nodes: None,
        accepted: None,
    }
}

fn side(cases: &[(&str, &str, VerdictKind)]) -> Baseline {
    let cases =
        cases.iter().map(|&(suite, id, kind)| (name(suite, id), case(Cause::unclassified(kind), "e2e4")));
    Baseline { cases: cases.collect(), ..Baseline::default() }
}

fn ids(differences: &Differences) -> Vec<(&str, DifferenceKind)> {
    differences.cases.iter().map(|it| (it.name.id.as_str(), it.kind)).collect()
}

#[test]
fn differences_are_verdicts_that_changed_the_worse_first() {
    use VerdictKind::{Failed, Fault, Passed, Skipped};
    let was = side(&[
        ("s", "1", Failed),
        ("s", "2", Passed),
        ("s", "3", Passed),
        ("s", "4", Skipped),
        ("s", "5", Passed),
        ("s", "6", Passed),
        ("s", "7", Failed),
        ("other", "1", Passed),
    ]);
    let now = side(&[
        ("s", "1", Passed),
        ("s", "2", Failed),
        ("s", "3", Passed),
        ("s", "4", Passed),
        ("s", "5", Skipped),
        ("s", "7", Fault),
        ("s", "8", Passed),
    ]);
    let found = Differences::new(&was, &now);
    let expected = [
        ("2", DifferenceKind::Worse),
        ("7", DifferenceKind::Worse),
        ("1", DifferenceKind::Better),
        ("8", DifferenceKind::New),
        ("5", DifferenceKind::Skipped),
        ("4", DifferenceKind::NotSkipped),
        ("6", DifferenceKind::Gone),
    ];
    assert_eq!(ids(&found), expected, "suite `other` did not run");
    assert_eq!(Differences::new(&now, &now), Differences::default());
}

#[test]
fn suite_at_other_limits_is_not_reviewed() {
    let [mut was, mut now] = [VerdictKind::Passed, VerdictKind::Failed].map(|kind| side(&[("s", "1", kind)]));
    was.limits.insert("s".to_owned(), "5000 nodes".to_owned());
    now.limits.insert("s".to_owned(), "100 nodes".to_owned());
    let found = Differences::new(&was, &now);
    assert_eq!(
        (found.cases.len(), &found.other_limits[..]),
        (0, &["s: baseline at 5000 nodes, this run at 100 nodes".to_owned()][..])
    );
}

#[test]
fn baseline_has_what_was_accepted_and_nothing_else() {
    use VerdictKind::{Failed, Passed};
    let was = side(&[("s", "1", Passed), ("s", "2", Passed), ("s", "3", Passed)]);
    let mut now = side(&[("s", "1", Failed), ("s", "2", Failed), ("s", "4", Passed)]);
    now.limits.insert("s".to_owned(), "100 nodes".to_owned());
    now.environment = Environment::default().with(Property::Cpu, Some("B".to_owned()));
    let mut reviewed = was.clone();
    let differences = Differences::new(&was, &now).cases;
    for id in ["1", "3", "4"] {
        let accepted = differences.iter().find(|it| it.name.id == id).expect("it differs");
        reviewed.accept(accepted, &now);
    }
    let count = |count| reviewed.figures.get(&FigureName::count("s", count)).copied();
    let kinds: Vec<(&str, VerdictKind)> =
        reviewed.cases.iter().map(|(name, case)| (name.id.as_str(), case.kind())).collect();
    assert_eq!(kinds, [("1", Failed), ("2", Passed), ("4", Passed)]);
    assert_eq!((count(PartCount::Cases), count(PartCount::Passed)), (Some(3.0), Some(2.0)));
    assert_eq!(reviewed.limits, now.limits);
    assert_eq!(reviewed.environment, was.environment, "no speed was accepted");
    assert_eq!(ids(&Differences::new(&reviewed, &now)), [("2", DifferenceKind::Worse)]);
}

#[test]
fn accepted_count_of_a_bench_is_the_only_one_that_passes() {
    let bench = |cause: Cause, played: &str| {
        let case = BaselineCase { class: bench::ID.to_owned(), ..case(cause, played) };
        Baseline { cases: [(name("bench", bench::ID), case)].into(), ..Baseline::default() }
    };
    let other = |played: &str| bench(FailCause::OtherNodes.into(), played);
    let mut reviewed = bench(PassCause::Measured.into(), "111");
    let accepted = Differences::new(&reviewed, &other("222")).cases.remove(0);
    reviewed.accept(&accepted, &other("222"));
    let is_red = |now: &Baseline| {
        // It is read from its files.
        let baseline = Baseline::parse(&reviewed.to_text()).expect("sound");
        !compare(&baseline, now, &AskedAgain::default()).suites[0].worse.is_empty()
    };
    // The commit still promises another count, but this one was accepted.
    assert!(!is_red(&other("222")));
    assert!(!is_red(&bench(PassCause::SameNodes.into(), "222")));
    assert!(is_red(&other("333")), "a promise that is broken again");
    assert!(is_red(&bench(FailCause::RunsDiffer.into(), "333")));
    assert!(is_red(&bench(FailCause::RunsDiffer.into(), "222")), "one of its counts is the accepted one");
    assert_eq!(ids(&Differences::new(&reviewed, &other("222"))), [], "it was accepted");
    assert_eq!(ids(&Differences::new(&reviewed, &other("333"))), [("bench", DifferenceKind::Worse)]);
    let differs = bench(FailCause::RunsDiffer.into(), "222");
    assert_eq!(ids(&Differences::new(&reviewed, &differs)), [("bench", DifferenceKind::Worse)]);
}

#[test]
fn accepted_skipped_case_is_no_accepted_loss() {
    let mut reviewed = side(&[("s", "1", VerdictKind::Passed), ("s", "2", VerdictKind::Passed)]);
    let skipped = side(&[("s", "1", VerdictKind::Skipped), ("s", "2", VerdictKind::Passed)]);
    let difference = Differences::new(&reviewed, &skipped).cases.remove(0);
    assert_eq!(difference.kind, DifferenceKind::Skipped);
    reviewed.accept(&difference, &skipped);
    let now = side(&[("s", "1", VerdictKind::Skipped), ("s", "2", VerdictKind::Failed)]);
    let mut asked = AskedAgain { adjustable: ["s".to_owned()].into(), ..AskedAgain::default() };
    asked.lost_cases.insert("s".to_owned(), LostCase::Search);
    asked.new.insert(name("s", "2"), vec![("9000 nodes".to_owned(), false)]);
    let lost = |baseline: &Baseline| compare(baseline, &now, &asked).suites.remove(0).losses.remove("2");
    assert_eq!(lost(&reviewed), Some(Loss::Alone(2)), "it is the only case that is lost");
    // Baselines of earlier versions have the verdict before a skipped one.
    reviewed.cases.get_mut(&name("s", "1")).expect("it is there").accepted = Some(VerdictKind::Passed);
    assert_eq!(lost(&reviewed), Some(Loss::Alone(2)), "it is the only case that is lost");
}

#[test]
fn accepted_loss_excuses_no_other_one() {
    use VerdictKind::{Failed, Passed};
    let ids = ["1", "2", "3"];
    let mut reviewed = side(&ids.map(|id| ("s", id, Passed)));
    let now = side(&ids.map(|id| ("s", id, Failed)));
    let mut asked = AskedAgain { adjustable: ["s".to_owned()].into(), ..AskedAgain::default() };
    asked.lost_cases.insert("s".to_owned(), LostCase::Search);
    for id in ids {
        asked.new.insert(name("s", id), vec![("9000 nodes".to_owned(), false)]);
    }
    let regressions = |baseline: &Baseline| {
        let baseline = Baseline::parse(&baseline.to_text()).expect("sound");
        let compared = compare(&baseline, &now, &asked).suites.remove(0);
        compared
            .losses
            .into_iter()
            .filter(|(_, loss)| loss.is_regression())
            .map(|(id, _)| id)
            .collect::<Vec<_>>()
    };
    assert_eq!(regressions(&reviewed), ids);
    for (accepted, left) in [("1", &["2", "3"][..]), ("3", &["2"])] {
        let difference =
            Differences::new(&reviewed, &now).cases.into_iter().find(|it| it.name.id == accepted);
        reviewed.accept(&difference.expect("it differs"), &now);
        assert_eq!(regressions(&reviewed), left, "{accepted}");
    }
}

#[test]
fn bench_is_accepted_with_its_environment() {
    let bench = |played: &str| {
        let case = BaselineCase { class: bench::ID.to_owned(), ..case(PassCause::Measured.into(), played) };
        Baseline { cases: [(name("bench", bench::ID), case)].into(), ..Baseline::default() }
    };
    let (mut was, mut now) = (bench("4711"), bench("4712"));
    now.environment = Environment::default().with(Property::Cpu, Some("B".to_owned()));
    let found = Differences::new(&was, &now);
    assert_eq!(ids(&found), [("bench", DifferenceKind::OtherCount)]);
    was.accept(&found.cases[0], &now);
    assert_eq!((was.cases, was.environment), (now.cases, now.environment));
}

#[test]
fn fault_and_search_that_differs_are_not_accepted() {
    let refusal = |cause: Cause| {
        let now = Some(case(cause, ""));
        CaseDifference { name: name("s", "1"), kind: DifferenceKind::Worse, was: None, now }.refusal()
    };
    assert!(
        refusal(Cause::unclassified(VerdictKind::Fault)).is_some_and(|why| why.contains("fix the engine"))
    );
    assert!(refusal(FailCause::DiffersAfterNewGame.into()).is_some_and(|why| why.contains("twice")));
    assert_eq!(refusal(FailCause::Longer.into()), None);
}

#[test]
fn accepted_cases_are_listed_once_with_their_build() {
    let difference = |kind| CaseDifference {
        name: name("s", "a,b"),
        kind: DifferenceKind::New,
        was: None,
        now: Some(case(Cause::unclassified(kind), "e2e4")),
    };
    let first = difference(VerdictKind::Failed).accepted(Some("1234567890".to_owned()), "./mine,Hash=1");
    let text = write_accepted(&[], &first);
    assert_eq!(
        text,
        "suite,id,was,now,played,build,engine\ns,\"a,b\",none,failed,e2e4,1234567890,\"./mine,Hash=1\"\n"
    );
    let again = difference(VerdictKind::Passed).accepted(None, "");
    let known = read_accepted(&text).expect("its own text");
    let text = write_accepted(&known, &again);
    assert_eq!(read_accepted(&text), Ok(vec![again]));
    let error = read_accepted("suite,id\na,b\n").expect_err("it lacks columns").to_string();
    assert!(error.starts_with("accepted.csv:2: "), "{error}");
}
