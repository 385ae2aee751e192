//! TOML: suite files and the plan of a regression run.

use std::num::NonZeroUsize;

use threefold_run::regress::{PlanChoices, PlanFiles, PlanLength, RegressionPlan};
use threefold_suites::{SourceFile, Suite, SuiteSource};

use crate::{Accepted, Target, cases, text};

/// The fuzz target `toml`.
pub const TARGET: Target = Target { name: "toml", check, vocabulary: VOCABULARY };

const VOCABULARY: &[&str] = &[
    "version = 1\n",
    "kind = \"repetition\"\n",
    "kind = \"mate\"\n",
    "kind = \"time-control\"\n",
    "title = \"t\"\n",
    "summary = \"\"\n",
    "positions = [\"p.csv\"]\n",
    "positions = [\"p.epd\"]\n",
    "[limits]\n",
    "nodes = ",
    "depth = ",
    "movetime = ",
    "timemargin = ",
    "[thresholds]\n",
    "pass = ",
    "class.\"a b\" = ",
    "[settings]\n",
    "engine = \"echo\"\n",
    "suites = [\"s.toml\"]\n",
    "[per-class]\n",
    "[[test]]\n",
    "[[calibration]]\n",
    "name = \"n\"\n",
    "openings = \"o.epd\"\n",
    "resign = \"movecount=3,score=600\"\n",
    "1",
    "0.5",
    "-1",
    "9223372036854775807",
    "1e999",
    "nan",
    "true",
    "\"",
    "'",
    "[",
    "]",
    "{",
    "}",
    "=",
    ",",
    ".",
    "#",
    "\n",
    "\n",
    " ",
    "é",
];

/// The content of the position files of a suite.
const TRAPS: &str = "id,class,fen,moves,best\nr,win,k7/8/1K6/8/8/8/8/1R6 w - - 0 1,,b1h1\n";
const POSITIONS: &str = "k7/8/1K6/8/8/8/8/1R6 w - - 0 1 bm Rh1; dm 2; id \"r\";\n";

/// Reads the text as a suite file and as a plan.
pub fn check(bytes: &[u8]) -> Accepted {
    let Some(text) = text(bytes) else { return Accepted(0) };
    let source_file = SourceFile { file: "suites/s.toml".to_owned(), text: text.to_owned() };
    Accepted(suite(&source_file) + plan(&source_file))
}

fn suite(source_file: &SourceFile) -> usize {
    let wanted = match SuiteSource::position_files(source_file) {
        Ok(wanted) => wanted,
        Err(error) => {
            cases::line_is_there(&error, &[source_file]);
            return 0;
        }
    };
    let text = |file: &str| if file.contains("csv") { TRAPS } else { POSITIONS }.to_owned();
    let positions: Vec<SourceFile> =
        wanted.into_iter().map(|file| SourceFile { text: text(&file), file }).collect();
    let source = SuiteSource { suite_file: source_file.clone(), positions };
    let given: Vec<&SourceFile> = std::iter::once(&source.suite_file).chain(&source.positions).collect();
    match Suite::read(&source) {
        Ok(suite) => {
            cases::hold(&suite);
            assert_eq!(suite.name, "s");
            assert!(suite.thresholds.judge(&[]).iter().all(|shortfall| !shortfall.to_string().is_empty()));
            1
        }
        Err(error) => {
            cases::line_is_there(&error, &given);
            0
        }
    }
}

fn plan(source_file: &SourceFile) -> usize {
    match RegressionPlan::parse(source_file.clone()) {
        Ok(plan) => {
            let engine = plan.engine().unwrap_or_else(|_| "echo".parse().expect("sound"));
            plan.books();
            if let Err(error) = plan.base() {
                cases::line_is_there(&error, &[source_file]);
            }
            let base = Some("echo,name=base".parse().expect("sound"));
            for &length in PlanLength::ALL {
                let (engine, base) = (engine.clone(), base.clone());
                let choices = PlanChoices { engine, base, length, bench: None, jobs: NonZeroUsize::MIN };
                // A plan without its files must be an error, not a shorter run.
                match plan.spec(&choices, &PlanFiles::default()) {
                    Ok(order) => assert!(plan.suites().is_empty() && order.parts.is_empty(), "{order:?}"),
                    Err(error) => cases::line_is_there(&error, &[source_file]),
                }
            }
            1
        }
        Err(error) => {
            cases::line_is_there(&error, &[source_file]);
            0
        }
    }
}
