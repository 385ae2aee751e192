//! The test of an engine against its base version: `[base]` in a plan.
//!
//! The base version is a commit, which the program builds, or another engine. The games stop when the test
//! decides or the time is used up. The time is counted as thinking time of the journaled games, so that a
//! resumed run and a report count the same games.

use std::num::NonZeroU64;
use std::time::Duration;

use toml::Spanned;

use super::choices::{PlanChoices, PlanLength};
use super::file::WrittenBase;
use super::plan_value::{sequential_test, value};
use super::time_budget;
use crate::{MatchTask, Purpose};
use threefold_chess::clock::{Control, LimitKey};
use threefold_games::pairing::TournamentFormat;
use threefold_player::EngineSpec;
use threefold_stats::AnyRule;
use threefold_stats::deadline::DeadlineTest;
use threefold_suites::{SourceFile, SuiteError};

/// The share of the time budget that a quick run uses by default.
const QUICK_SHARE: u32 = 10;

threefold_named_enum::named_enum! {
    /// Which UCI options a base version that is another engine has.
    pub enum BaseOptions {
        /// Those of the engine under test, unless its SPEC gives other values
        Inherited = "inherited",
        /// Only those of its SPEC
        Own = "own",
    }
}

threefold_named_enum::named_enum! {
    /// Which test decides between an engine and its base version.
    pub enum BaseTest {
        /// A test that ends when the games or the time are used up, with the power of a match of that length
        Deadline = "deadline",
        /// An SPRT, which ends undecided when they are used up
        Sprt = "sprt",
    }
}

/// The base version of an engine.
#[derive(Debug, Clone, PartialEq)]
pub enum BaseReference {
    /// A commit of its repository, by any name that git understands.
    Commit(String),
    /// Another engine.
    Engine(Box<EngineSpec>),
}

impl BaseReference {
    /// The base version that a plan names; `None` if only the command line names it.
    pub(super) fn from_plan(
        written: &Spanned<WrittenBase>,
        source_file: &SourceFile,
    ) -> Result<Option<Self>, SuiteError> {
        match (&written.get_ref().commit, &written.get_ref().engine) {
            (None, None) => Ok(None),
            (Some(commit), None) => Ok(Some(Self::Commit(commit.clone()))),
            (None, Some(engine)) => {
                let remedy = "name an engine such as `./old,Hash=16`";
                Ok(Some(Self::Engine(Box::new(value(source_file, engine, remedy)?))))
            }
            (Some(_), Some(_)) => Err(source_file.error_at_span(
                written.span(),
                "both `commit` and `engine` name the base version".to_owned(),
                "keep one of them",
            )),
        }
    }
}

/// The match against the base version, without its openings and its rules of adjudication.
pub(super) fn task(
    written: &Spanned<WrittenBase>,
    source_file: &SourceFile,
    choices: &PlanChoices,
    base: &EngineSpec,
) -> Result<MatchTask, SuiteError> {
    let at = written.span();
    let error = |what: String, remedy: &str| source_file.error_at_span(at.clone(), what, remedy);
    let control = control(written, source_file)?;
    let written = written.get_ref();
    if control.is_infinite() {
        let remedy = "give one of tc = \"8+0.08\", st = 0.1, nodes = 20000 and depth = 8";
        return Err(error("nothing limits a search".to_owned(), remedy));
    }
    let sprt = sequential_test(
        source_file,
        written.model.as_ref(),
        [written.elo0, written.elo1],
        [written.alpha, written.beta],
    )?
    .map_err(|wrong| error(wrong.to_string(), "such as elo0 = -10, elo1 = 0"))?;
    let encounters = written.games.div_ceil(2);
    let rule = rule(written, source_file, sprt, encounters)?;
    let jobs = u32::try_from(choices.jobs.get()).unwrap_or(u32::MAX);
    Ok(MatchTask {
        format: TournamentFormat::Gauntlet,
        control,
        purpose: Purpose::Test(rule),
        // In a second, each of the games that run at a time uses a second of thinking time.
        budget: budget(written, source_file, choices.length)?.map(|time| time.saturating_mul(jobs)),
        ..MatchTask::new(vec![choices.engine.clone(), base.clone()], Vec::new(), encounters)
    })
}

/// The stopping rule: a test with a deadline, unless the plan has another one or its unit is one of single
/// games.
fn rule(
    written: &WrittenBase,
    source_file: &SourceFile,
    sprt: AnyRule,
    encounters: usize,
) -> Result<AnyRule, SuiteError> {
    let given = written.test.as_ref();
    let remedy = "leave it out for a test with a deadline";
    let test: Option<BaseTest> = given.map(|test| value(source_file, test, remedy)).transpose()?;
    let pairs = NonZeroU64::new(encounters as u64).unwrap_or(NonZeroU64::MIN);
    match (test, DeadlineTest::new(*sprt.hypotheses(), pairs)) {
        (Some(BaseTest::Sprt), _) | (None, Err(_)) => Ok(sprt),
        (_, Ok(rule)) => Ok(rule.into()),
        (Some(BaseTest::Deadline), Err(wrong)) => {
            let span = given.map(Spanned::span).unwrap_or_default();
            Err(source_file.error_at_span(span, wrong.to_string(), "give another model, or test = \"sprt\""))
        }
    }
}

fn control(written: &Spanned<WrittenBase>, source_file: &SourceFile) -> Result<Control, SuiteError> {
    let mut control = Control::default();
    let (at, written) = (written.span(), written.get_ref());
    let texts = [
        (LimitKey::Tc, written.tc.as_ref().map(|tc| (tc.get_ref().clone(), tc.span()))),
        (LimitKey::St, written.st.as_ref().map(|st| (st.get_ref().to_string(), st.span()))),
        (LimitKey::Nodes, written.nodes.map(|nodes| (nodes.to_string(), at.clone()))),
        (LimitKey::Depth, written.depth.map(|depth| (depth.to_string(), at.clone()))),
        (LimitKey::TimeMargin, written.timemargin.map(|margin| (margin.to_string(), at.clone()))),
    ];
    for (key, text, span) in
        texts.into_iter().filter_map(|(key, text)| text.map(|(text, span)| (key, text, span)))
    {
        control
            .set(key, &text)
            .map_err(|wrong| source_file.error_at_span(span, wrong.to_string(), "such as tc = \"8+0.08\""))?;
    }
    Ok(control)
}

/// The time for the games.
fn budget(
    written: &WrittenBase,
    source_file: &SourceFile,
    length: PlanLength,
) -> Result<Option<Duration>, SuiteError> {
    let read = |text: &Spanned<String>| {
        time_budget::parse(text.get_ref()).map_err(|remedy| {
            source_file.error_at_span(text.span(), format!("`{}` is no time", text.get_ref()), &remedy)
        })
    };
    let full = written.budget.as_ref().map(read).transpose()?;
    let quick = written.quick_budget.as_ref().map(read).transpose()?;
    Ok(match length {
        PlanLength::Full => full,
        PlanLength::Quick => quick.or_else(|| full.map(|time| time / QUICK_SHARE)),
    })
}
