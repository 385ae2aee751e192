//! The plan of a regression run: `suites/regress.toml`.
//!
//! A pure function of texts: the caller reads the files that the plan names and passes them as [`PlanFiles`].

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::str::FromStr;

use toml::Spanned;

use super::file::{KEYS, Written, WrittenCalibration, WrittenTest};
use crate::arena::opening::{self, Opening};
use crate::arena::pairing::TournamentFormat;
use crate::calibration::NodeLadder;
use crate::player::EngineSpec;
use crate::run::{MatchTask, Part, Purpose, RunSpec, SuiteTask, Task};
use crate::suite::reference::{resolve, stem};
use crate::suite::{SourceFile, SuiteError, SuiteSource};
use threefold_chess::clock::{ClockSource, Control};
use threefold_stats::Risks;
use threefold_stats::{EloModel, Sprt};

threefold_named_enum::named_enum! {
    /// How many of a plan's games are played.
    pub enum PlanLength {
        /// All of them.
        Full = "full",
        /// The quick budgets.
        Quick = "quick",
    }
}

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
    pub fn read(source_file: SourceFile) -> Result<Self, SuiteError> {
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
        plan.engine()?;
        plan.check_shares()?;
        Ok(plan)
    }

    /// The engine that the suites test, unless the user names another.
    pub fn engine(&self) -> Result<EngineSpec, SuiteError> {
        self.value(&self.written.engine, "name an engine such as `echo` or `./engine,Hash=16`")
    }

    /// Checks that every suite with a number of cases per class is in the plan.
    fn check_shares(&self) -> Result<(), SuiteError> {
        let known: BTreeSet<String> = self.written.suites.iter().map(|file| stem(file)).collect();
        match self.written.per_class.keys().find(|suite| !known.contains(suite.get_ref())) {
            Some(suite) => {
                let what = format!("no suite of the plan is called `{}`", suite.get_ref());
                let remedy = format!("there are {}", known.into_iter().collect::<Vec<_>>().join(", "));
                Err(self.source_file.error_at_span(suite.span(), what, &remedy))
            }
            None => Ok(()),
        }
    }

    /// The suite files it needs, as paths relative to where its own path starts.
    pub fn suites(&self) -> Vec<String> {
        self.written.suites.iter().map(|file| self.resolve(file)).collect()
    }

    /// The opening books it needs, each once.
    pub fn books(&self) -> BTreeSet<String> {
        let tests = self.written.test.iter().map(|test| &test.get_ref().openings);
        let ladders = self.written.calibration.iter().map(|ladder| &ladder.get_ref().openings);
        tests.chain(ladders).map(|file| self.resolve(file)).collect()
    }

    /// The run: the suites in the order of the plan, then its tests, then its calibrations.
    pub fn spec(
        &self,
        engine: &EngineSpec,
        length: PlanLength,
        materials: &PlanFiles,
    ) -> Result<RunSpec, SuiteError> {
        let mut parts = Vec::new();
        for file in self.suites() {
            let source = materials.suites.get(&file).ok_or_else(|| self.missing_file(&file))?.clone();
            let name = stem(&file);
            let per_class = self
                .written
                .per_class
                .iter()
                .find(|(suite, _)| *suite.get_ref() == name)
                .map(|(_, &cases)| cases);
            let task = Task::Suite(SuiteTask {
                engine: engine.clone(),
                source,
                limits: None,
                timemargin: None,
                per_class,
            });
            parts.push(Part::without_labels(name, task));
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
            title: self.written.title.clone(),
            seed: self.written.seed,
            parts,
            ..RunSpec::default()
        })
    }

    fn test(
        &self,
        test: &Spanned<WrittenTest>,
        length: PlanLength,
        materials: &PlanFiles,
    ) -> Result<MatchTask, SuiteError> {
        let written = test.get_ref();
        let remedy = "name an engine such as `echo,RepetitionPolicy=HistoryDraw`";
        let engines = vec![self.value(&written.new, remedy)?, self.value(&written.base, remedy)?];
        let model = match &written.model {
            Some(model) => self.value(model, "leave it out for normalized Elo")?,
            None => EloModel::Normalized,
        };
        let usual = Risks::USUAL;
        let risks =
            Risks { alpha: written.alpha.unwrap_or(usual.alpha), beta: written.beta.unwrap_or(usual.beta) };
        let sprt = Sprt::new(model, written.elo0, written.elo1, risks)
            .map_err(|error| self.error(test, &error, "such as elo0 = -10, elo1 = 10"))?;
        Ok(MatchTask {
            engines,
            openings: self.openings(&written.openings, materials)?,
            format: TournamentFormat::RoundRobin,
            pairs: match length {
                PlanLength::Full => written.pairs,
                PlanLength::Quick => written.quick_pairs,
            },
            control: Control { nodes: Some(written.nodes), ..Control::default() },
            pace: ClockSource::Wall,
            adjudication: self.written.adjudication.clone(),
            purpose: Purpose::Test(sprt.into()),
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
            engine: self.value(&written.engine, "name an engine such as `echo`")?,
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

    fn value<T: FromStr<Err: Display>>(
        &self,
        written: &Spanned<String>,
        remedy: &str,
    ) -> Result<T, SuiteError> {
        written.get_ref().parse().map_err(|error| self.error(written, &error, remedy))
    }

    fn error<T>(&self, at: &Spanned<T>, error: &dyn Display, remedy: &str) -> SuiteError {
        self.source_file.error_at_span(at.span(), error.to_string(), remedy)
    }

    fn missing_file(&self, file: &str) -> SuiteError {
        self.source_file
            .error_in_file(format!("`{file}` was not read"), "pass every file that the plan names")
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;
    use crate::arena::opening::read_epd;

    const PLAN: &str = r#"version = 1
title = "a plan"
seed = 5
engine = "echo,name=Echo"
suites = ["mates.toml", "../more/traps.toml"]
[per-class]
traps = 7
[adjudication]
max-moves = 120
draw = { from-move = 40, moves = 8, score = 10 }
resign = { moves = 4, score = 600, two-sided = true }
[[test]]
name = "policies"
new = "echo,RepetitionPolicy=HistoryIgnored"
base = "echo,RepetitionPolicy=HistoryDraw"
nodes = 4000
pairs = 300
quick-pairs = 20
openings = "book.epd"
elo0 = -10
elo1 = 10
[[calibration]]
name = "ladder"
engine = "echo,name=Echo"
nodes = [500, 2000, 8000]
rounds = 20
quick-rounds = 2
openings = "book.epd"
"#;

    fn plan(text: &str) -> Result<RegressionPlan, SuiteError> {
        RegressionPlan::read(SourceFile { file: "suites/regress.toml".to_owned(), text: text.to_owned() })
    }

    fn order(text: &str, length: PlanLength) -> Result<RunSpec, SuiteError> {
        let plan = plan(text)?;
        let book = read_epd("4k3/8/8/8/8/8/4P3/4K3 w - -\n4k3/4p3/8/8/8/8/8/4K3 w - -\n").expect("sound");
        let source_file = |file: &str| SourceFile { file: file.to_owned(), text: String::new() };
        let source = |file: String| {
            (file.clone(), SuiteSource { suite_file: source_file(&file), positions: Vec::new() })
        };
        let materials = PlanFiles {
            suites: plan.suites().into_iter().map(source).collect(),
            books: plan.books().into_iter().map(|file| (file, book.clone())).collect(),
        };
        plan.spec(&plan.engine()?, length, &materials)
    }

    #[test]
    fn plan_becomes_a_run_spec() {
        let names = plan(PLAN).map(|plan| (plan.suites(), plan.books())).expect("sound");
        assert_eq!(names.0, ["suites/mates.toml", "suites/../more/traps.toml"]);
        assert_eq!(names.1, BTreeSet::from(["suites/book.epd".to_owned()]));
        for (length, test_pairs, ladder_pairs) in [(PlanLength::Full, 300, 60), (PlanLength::Quick, 20, 6)] {
            let order = order(PLAN, length).expect("sound");
            let parts: Vec<&str> = order.parts.iter().map(|part| part.name.as_str()).collect();
            assert_eq!(parts, ["mates", "traps", "policies", "ladder"]);
            let per_class = |part: &Part| match &part.task {
                Task::Suite(suite) => suite.per_class.map(NonZeroUsize::get),
                Task::Match(_) => None,
            };
            assert_eq!(order.parts.iter().map(per_class).collect::<Vec<_>>(), [None, Some(7), None, None]);
            let [.., Part { task: Task::Match(test), .. }, Part { task: Task::Match(ladder), .. }] =
                &order.parts[..]
            else {
                panic!("two matches at the end")
            };
            assert_eq!((test.pairs, ladder.pairs), (test_pairs, ladder_pairs));
            assert_eq!(test.test().map(|test| (test.sprt().elo0(), test.sprt().elo1())), Some((-10.0, 10.0)));
            let rules: Vec<String> = test.adjudication.texts().map(|(_, text)| text).collect();
            assert_eq!(
                rules,
                ["movecount=4,score=600,twosided=true", "movenumber=40,movecount=8,score=10", "120"]
            );
            assert_eq!((test.control.nodes, &ladder.adjudication), (Some(4000), &test.adjudication));
            assert_eq!(ladder.engines[2].name, "Echo@8000");
        }
    }

    #[test]
    fn shipped_plan_is_valid() {
        order(include_str!("../../../../suites/regress.toml"), PlanLength::Full).expect("a sound plan");
    }

    #[test]
    fn plan_errors_name_file_and_line() {
        let table = [
            ("version = 1", "version = 2", "suites/regress.toml:1: version 2 is not known here"),
            (
                "\"echo,name=Echo\"\nsuites",
                "\"echo,x\"\nsuites",
                "suites/regress.toml:4: `x` is no key=value",
            ),
            (
                "traps = 7",
                "trips = 7",
                "suites/regress.toml:7: no suite of the plan is called `trips`; there are mates, traps",
            ),
            ("traps = 7", "traps = 0", "suites/regress.toml:7: invalid value: integer `0`"),
            (
                "max-moves = 120",
                "tables = 5",
                "suites/regress.toml:9: there is no rule `tables`; the rules are",
            ),
            ("moves = 8,", "", "suites/regress.toml:10: draw: movecount must be a whole number"),
            ("quick-pairs", "quickpairs", "suites/regress.toml:18: unknown field `quickpairs`"),
            ("pairs = 300", "pairs = \"many\"", "suites/regress.toml:17: invalid type"),
            ("elo0 = -10", "elo0 = 30", "suites/regress.toml:12: elo0 = 30 and elo1 = 10 are invalid"),
            ("elo1 = 10", "elo1 = 10\nmodel = \"bayes\"", "suites/regress.toml:22: `bayes` is not known"),
            ("[500, 2000, 8000]", "[500]", "suites/regress.toml:22: a ladder takes two or more"),
        ];
        for (old, new, message) in table {
            let text = PLAN.replacen(old, new, 1);
            let error = order(&text, PlanLength::Full).expect_err(new).to_string();
            assert!(error.starts_with(message), "{new}: {error}");
        }
    }
}
