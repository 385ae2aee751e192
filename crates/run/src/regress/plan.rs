//! The plan of a regression run: `threefold.toml` in an engine's repository, `suites/regress.toml` for Echo.
//!
//! A pure function of texts: the caller reads the files that the plan names and passes them as [`PlanFiles`].

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use toml::Spanned;

use super::base_match::{self, BaseOptions, BaseReference};
use super::base_setting::BaseSetting;
use super::choices::{PlanChoices, PlanLength};
use super::file::{KEYS, Written, WrittenCalibration, WrittenLimits, WrittenTest};
use super::plan_value::{sequential_test, value};
use crate::calibration::NodeLadder;
use crate::job::{ComparisonUse, ThresholdUse};
use crate::{MatchTask, Part, Purpose, RunSpec, SuiteTask, Task};
use threefold_chess::clock::{Control, LimitKey, Limits};
use threefold_chess::score::Ply;
use threefold_games::opening::{self, Opening};
use threefold_games::playout::adjudication::Adjudication;
use threefold_player::EngineSpec;
use threefold_suites::kinds::bench;
use threefold_suites::reference::{resolve, stem};
use threefold_suites::{ClockLimit, Kind, LostCase, SourceFile, Suite, SuiteError, SuiteSource};

threefold_named_enum::named_enum! {
    /// Where the node count of suite `bench` comes from.
    pub enum BenchSource {
        /// The last `Bench: N` of the commit messages.
        Commit = "commit",
        /// The results that the run is compared with.
        Baseline = "baseline",
    }
}

/// The name of the test against the base version, as a part of the run.
pub const BASE_TEST: &str = "base";

/// A parsed plan.
#[derive(Debug)]
pub struct RegressionPlan {
    source_file: SourceFile,
    written: Written,
}

/// The contents of the files that a plan names, by the names in the plan.
#[derive(Debug, Clone, Default)]
pub struct PlanFiles {
    /// Suites with their positions.
    pub suites: BTreeMap<String, SuiteSource>,
    /// Books of openings.
    pub books: BTreeMap<String, Vec<Opening>>,
}

impl RegressionPlan {
    /// Parses a plan.
    pub fn parse(source_file: SourceFile) -> Result<Self, SuiteError> {
        let written: Written = source_file.toml(KEYS)?;
        if *written.version.get_ref() != 1 {
            let what = format!("version {} is not known here", written.version.get_ref());
            return Err(source_file.error_at_span(
                written.version.span(),
                what,
                "this program reads version = 1",
            ));
        }
        let plan = Self { source_file, written };
        // The values are read for their errors only, before anything of the plan is run.
        plan.bench()?;
        plan.base_options()?;
        plan.limits()?;
        // A plan without an engine is valid, because the command line may name one.
        if plan.written.engine.is_some() {
            plan.engine()?;
        }
        plan.check_suites()?;
        plan.check_tolerance()?;
        Ok(plan)
    }

    /// The plan with these values in `[base]`, in place of its own.
    ///
    /// # Errors
    /// If there are some, and the plan has no `[base]`.
    pub fn with_base_settings(mut self, settings: &[BaseSetting]) -> Result<Self, SuiteError> {
        match &mut self.written.base {
            Some(base) => {
                // A number of games replaces the budget of the plan, and not one that is set with it.
                let (games, others): (Vec<_>, Vec<_>) =
                    settings.iter().partition(|setting| matches!(setting, BaseSetting::Games(_)));
                games.iter().chain(&others).for_each(|setting| setting.apply(base));
            }
            None if settings.is_empty() => {}
            None => {
                return Err(self.source_file.error_in_file(
                    "the plan has no [base] to set values of".to_owned(),
                    "add [base] with tc = \"8+0.08\", elo0 = 0, elo1 = 5",
                ));
            }
        }
        Ok(self)
    }

    /// The engine that the suites test, unless the user names another.
    ///
    /// # Errors
    /// If the plan names none.
    pub fn engine(&self) -> Result<EngineSpec, SuiteError> {
        let remedy = "name an engine such as `echo` or `./engine,Hash=16`";
        let Some(engine) = &self.written.engine else {
            return Err(self.source_file.error_in_file(
                "the plan has no `engine`".to_owned(),
                "add engine = \"./mine\", or give --engine ./mine",
            ));
        };
        value(&self.source_file, engine, remedy)
    }

    /// Checks that every suite with a number of cases per class, with cases that are left out, or with a
    /// tolerance is in the plan.
    fn check_suites(&self) -> Result<(), SuiteError> {
        let known: BTreeSet<String> = self.written.suites.iter().map(|file| stem(file)).collect();
        let Written { per_class, left_out, tolerance, .. } = &self.written;
        let mut named = per_class.keys().chain(left_out.keys()).chain(tolerance.keys());
        match named.find(|suite| !known.contains(suite.get_ref())) {
            Some(suite) => {
                let what = format!("no suite of the plan is called `{}`", suite.get_ref());
                let remedy = format!("there are {}", known.into_iter().collect::<Vec<_>>().join(", "));
                Err(self.source_file.error_at_span(suite.span(), what, &remedy))
            }
            None => Ok(()),
        }
    }

    /// What a lost case of a suite means, if the plan says so.
    fn tolerance(&self, suite: &str) -> Result<Option<LostCase>, SuiteError> {
        let remedy = "give \"strict\" (each lost case counts) or \"search\" (it is asked again)";
        let given = self.written.tolerance.iter().find(|(name, _)| name.get_ref() == suite);
        given.map(|(_, given)| value(&self.source_file, given, remedy)).transpose()
    }

    fn check_tolerance(&self) -> Result<(), SuiteError> {
        self.written.tolerance.keys().try_for_each(|suite| self.tolerance(suite.get_ref()).map(drop))
    }

    /// The suite files it needs, as paths relative to where its own path starts.
    pub fn suites(&self) -> Vec<String> {
        self.written.suites.iter().map(|file| self.resolve(file)).collect()
    }

    /// The opening books it needs, each once.
    pub fn books(&self) -> BTreeSet<String> {
        let tests = self.written.test.iter().map(|test| &test.get_ref().openings);
        let tests = tests.chain(self.written.base.iter().map(|base| &base.get_ref().openings));
        let ladders = self.written.calibration.iter().map(|ladder| &ladder.get_ref().openings);
        tests.chain(ladders).map(|file| self.resolve(file)).collect()
    }

    /// The shell command that builds the engine, run in the root of its repository; `{out}` in it stands for
    /// the program to write.
    pub fn build(&self) -> Option<&str> {
        self.written.build.as_deref()
    }

    /// The base version that the plan names.
    pub fn base(&self) -> Result<Option<BaseReference>, SuiteError> {
        self.written.base.as_ref().map_or(Ok(None), |base| BaseReference::from_plan(base, &self.source_file))
    }

    /// The UCI options of a base version that is another engine.
    ///
    /// # Errors
    /// If the plan has another value than the known ones.
    pub fn base_options(&self) -> Result<BaseOptions, SuiteError> {
        let written = self.written.base.as_ref().and_then(|base| base.get_ref().options.as_ref());
        let remedy = "give \"inherited\" (the default) or \"own\"";
        written.map_or(Ok(BaseOptions::Inherited), |options| value(&self.source_file, options, remedy))
    }

    /// The title of the reports.
    fn title(&self, engine: &EngineSpec) -> String {
        let usual = || format!("Regression test of {}", engine.name);
        self.written.title.clone().unwrap_or_else(usual)
    }

    /// When games of the plan end early.
    pub const fn adjudication(&self) -> &Adjudication {
        &self.written.adjudication
    }

    /// Does the plan test the engine against a base version?
    pub const fn has_base_test(&self) -> bool {
        self.written.base.is_some()
    }

    /// The run: the suites in the order of the plan, then the test against the base version, then the plan's
    /// other tests, then its calibrations.
    pub fn spec(&self, choices: &PlanChoices, materials: &PlanFiles) -> Result<RunSpec, SuiteError> {
        let PlanChoices { engine, length, .. } = choices;
        let length = *length;
        let mut parts = Vec::new();
        for file in self.suites() {
            let source = materials.suites.get(&file).ok_or_else(|| self.missing_file(&file))?.clone();
            let source = match choices.bench {
                Some(nodes) => bench::expecting(source, nodes),
                None => source,
            };
            let name = stem(&file);
            let per_class = self
                .written
                .per_class
                .iter()
                .find(|(suite, _)| *suite.get_ref() == name)
                .map(|(_, &cases)| cases);
            let left_out = self.left_out(&name, &source)?;
            let source = match self.tolerance(&name)? {
                Some(lost_case) => source.with_lost_case(lost_case),
                None => source,
            };
            let limits = self.limits()?.filter(|limits| replaces_limits(*limits, &source));
            let task = Task::Suite(SuiteTask {
                engine: engine.clone(),
                source,
                limits: limits.map(Box::new),
                timemargin: None,
                per_class,
                left_out,
            });
            parts.push(Part::without_labels(name, task));
        }
        if let (Some(written), Some(base)) = (&self.written.base, &choices.base) {
            let openings = self.openings(&written.get_ref().openings, materials)?;
            let task = base_match::task(written, &self.source_file, choices, base)?;
            let adjudication = self.written.adjudication.clone();
            let task = Task::Match(MatchTask { openings, adjudication, ..task });
            parts.push(Part::without_labels(BASE_TEST.to_owned(), task));
        }
        for test in &self.written.test {
            let task = Task::Match(self.test(test, length, materials)?);
            parts.push(Part::without_labels(test.get_ref().name.clone(), task));
        }
        for ladder in &self.written.calibration {
            let task = Task::Match(self.calibration(ladder, length, materials)?);
            parts.push(Part::without_labels(ladder.get_ref().name.clone(), task));
        }
        Ok(RunSpec {
            title: self.title(engine),
            seed: self.written.seed,
            parts,
            thresholds: self.thresholds()?,
            comparison: ComparisonUse::Required,
            ..RunSpec::default()
        })
    }

    /// The ids of a suite's cases that are skipped.
    fn left_out(&self, suite: &str, source: &SuiteSource) -> Result<Vec<String>, SuiteError> {
        let Some((_, ids)) = self.written.left_out.iter().find(|(name, _)| name.get_ref() == suite) else {
            return Ok(Vec::new());
        };
        let known = Suite::read(source)?;
        let is_known = |id: &str| known.definitions.iter().any(|definition| definition.info.id == id);
        if let Some(id) = ids.iter().find(|id| !is_known(id.get_ref())) {
            let what = format!("suite {suite} has no case `{}`", id.get_ref());
            return Err(self.source_file.error_at_span(id.span(), what, "give ids as in cases.csv"));
        }
        Ok(ids.iter().map(|id| id.get_ref().clone()).collect())
    }

    /// Where the node count comes from that suite `bench` must have; `None` if it need not have any.
    pub fn bench(&self) -> Result<Option<BenchSource>, SuiteError> {
        let remedy = "give \"commit\" for the line `Bench: N` of commit messages, or \"baseline\"";
        let given = self.written.bench.as_ref();
        given.map(|given| value(&self.source_file, given, remedy)).transpose()
    }

    /// The limits that replace those of suites with a node limit alone.
    fn limits(&self) -> Result<Option<Limits>, SuiteError> {
        let Some(given) = &self.written.limits else { return Ok(None) };
        let WrittenLimits { nodes, depth, tc } = given.get_ref();
        let remedy = "give a time control such as \"2\" or \"2+0.1\"";
        let clocks = tc.as_ref().map(|tc| value(&self.source_file, tc, remedy)).transpose()?;
        let limits = Limits { nodes: *nodes, depth: depth.map(Ply), clocks, ..Limits::default() };
        let what = match (nodes, depth) {
            _ if limits.is_infinite() => "[limits] limits nothing",
            (Some(0), _) => "[limits] has no number of nodes from 1",
            (_, Some(0)) => "[limits] has no number of plies from 1",
            _ => return Ok(Some(limits)),
        };
        Err(self.error(given, &what, "give nodes = 20000 or depth = 10"))
    }

    fn thresholds(&self) -> Result<ThresholdUse, SuiteError> {
        let remedy = "give \"ignore\" to let only the baseline decide, or leave the key out";
        self.written
            .thresholds
            .as_ref()
            .map_or(Ok(ThresholdUse::Apply), |given| value(&self.source_file, given, remedy))
    }

    fn test(
        &self,
        test: &Spanned<WrittenTest>,
        length: PlanLength,
        materials: &PlanFiles,
    ) -> Result<MatchTask, SuiteError> {
        let written = test.get_ref();
        let remedy = "name an engine such as `echo,RepetitionPolicy=HistoryDraw`";
        let engines = vec![
            value(&self.source_file, &written.new, remedy)?,
            value(&self.source_file, &written.base, remedy)?,
        ];
        let sprt = sequential_test(
            &self.source_file,
            written.model.as_ref(),
            [written.elo0, written.elo1],
            [written.alpha, written.beta],
        )?
        .map_err(|error| self.error(test, &error, "such as elo0 = -10, elo1 = 10"))?;
        let mut control = Control::default();
        let nodes = written.nodes.to_string();
        control
            .set(LimitKey::Nodes, &nodes)
            .map_err(|error| self.error(test, &error, "such as nodes = 4000"))?;
        Ok(MatchTask {
            control,
            adjudication: self.written.adjudication.clone(),
            purpose: Purpose::Test(sprt),
            ..MatchTask::new(
                engines,
                self.openings(&written.openings, materials)?,
                match length {
                    PlanLength::Full => written.pairs,
                    PlanLength::Quick => written.quick_pairs,
                },
            )
        })
    }

    fn calibration(
        &self,
        ladder: &Spanned<WrittenCalibration>,
        length: PlanLength,
        materials: &PlanFiles,
    ) -> Result<MatchTask, SuiteError> {
        let written = ladder.get_ref();
        let rungs = NodeLadder {
            engine: value(&self.source_file, &written.engine, "name an engine such as `echo`")?,
            rungs: written.nodes.clone(),
            rounds: match length {
                PlanLength::Full => written.rounds,
                PlanLength::Quick => written.quick_rounds,
            },
            openings: self.openings(&written.openings, materials)?,
            adjudication: self.written.adjudication.clone(),
        };
        rungs.match_task().map_err(|error| self.error(ladder, &error, "correct this calibration"))
    }

    /// A book's openings in the order given by the plan's seed.
    fn openings(&self, file: &str, materials: &PlanFiles) -> Result<Vec<Opening>, SuiteError> {
        let file = self.resolve(file);
        let book = materials.books.get(&file).ok_or_else(|| self.missing_file(&file))?;
        let order = opening::OpeningOrder::Random { seed: self.written.seed };
        Ok(order.arrange(book.len()).into_iter().map(|index| book[index].clone()).collect())
    }

    /// A file of the plan, as a path relative to where the plan's own path starts.
    fn resolve(&self, file: &str) -> String {
        resolve(&self.source_file.file, file)
    }

    fn error<T>(&self, at: &Spanned<T>, error: &dyn Display, remedy: &str) -> SuiteError {
        self.source_file.error_at_span(at.span(), error.to_string(), remedy)
    }

    fn missing_file(&self, file: &str) -> SuiteError {
        self.source_file
            .error_in_file(format!("`{file}` was not read"), "pass every file that the plan names")
    }
}

/// Do the limits of a plan replace those of a suite? Only nodes may limit its searches, and a clock only where its kind
/// allows one. A clock also limits a suite that has no limits, such as dialogues.
fn replaces_limits(limits: Limits, source: &SuiteSource) -> bool {
    let table = source.suite_file.text.parse::<toml::Table>().ok();
    let own = table.as_ref().and_then(|table| table.get("limits")?.as_table());
    let has_nodes_alone = own.is_some_and(|own| own.len() == 1 && own.contains_key("nodes"));
    let kind = source.kind_name().ok().and_then(|kind| Kind::named(&kind));
    let allows_clock = kind.is_some_and(|kind| kind.clock == ClockLimit::Allowed);
    match limits.clocks {
        Some(_) => allows_clock && (has_nodes_alone || own.is_none()),
        None => has_nodes_alone,
    }
}
