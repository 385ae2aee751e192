//! `bisect`: which commit between a good and a bad one lost cases, or strength?
//!
//! `bisect` never changes what is checked out, and does not use the state of `git bisect`: commits are built in
//! worktrees of their own. What is known of each commit is in a folder, so the same command goes on after an
//! interruption. `threefold_stats::bisection` chooses the next commit.

mod answer;
mod by_cases;
mod by_games;
mod cases;
mod commits;
mod games;
mod state;
mod tester;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Context;
use clap::{ArgGroup, Args, value_parser};

use self::commits::Commits;
use crate::args::{RunOptions, from_one, number_of_games};
use crate::exit::Exit;
use crate::input::by_name::{self, GivenPlan, PLAN_FILE};
use crate::input::repository::Repository;
use crate::session::commit_builds::CommitBuilds;
use threefold_player::{EngineSource, EngineSpec};

/// `threefold bisect`
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line, as clap reads it")]
#[command(
    group = ArgGroup::new("limit").args(["tc", "st", "nodes", "depth"]).multiple(true),
    after_help = "Examples:\n  threefold bisect v1.2 HEAD    # the cases that the last `threefold regress` lost\n  \
    threefold bisect v1.2 HEAD --case repetition/only-win-repeats.KNPK.001\n  \
    threefold bisect v1.2 HEAD --suite mate\n  threefold bisect v1.2 HEAD --elo --nodes 20000 --drop 20\n\n\
    Commits are built by the `build` of the plan, as by `regress --base-commit`. The same command goes on with an \
    interrupted bisection.\n\n\
    Exit code: 0 if one commit is found, 1 if several remain, 2 if GOOD fails or BAD passes, 3 if one of these two does \
    not start."
)]
pub struct BisectArgs {
    /// Commit without the loss: an ancestor of BAD
    #[arg(value_name = "GOOD")]
    pub good: String,
    /// Commit with the loss
    #[arg(value_name = "BAD")]
    pub bad: String,
    /// Find the commit that lost this case: its id, or SUITE/ID
    #[arg(long, value_name = "ID", conflicts_with = "elo")]
    pub case: Option<String>,
    /// Find the commit that lost the cases of this suite which GOOD passes and BAD does not: a suite of the plan,
    /// a file, or the name of a built-in suite
    #[arg(long, value_name = "FILE|NAME", conflicts_with = "elo")]
    pub suite: Option<PathBuf>,
    /// Find the commit that lost strength, by games against GOOD
    #[arg(long)]
    pub elo: bool,
    /// With --elo: the loss, in normalized Elo [default: 8, 15, 25, 45 and 80, each as likely]
    #[arg(long, value_name = "ELO", requires = "elo", value_parser = positive)]
    pub drop: Option<f64>,
    /// With --elo: time control, as in cutechess [default: the limits and openings of the plan's `[base]`]
    #[arg(long, value_name = "TC", requires = "elo", allow_hyphen_values = true)]
    pub tc: Option<String>,
    /// With --elo: fixed time for each move, in seconds
    #[arg(long, value_name = "SECONDS", requires = "elo", conflicts_with = "tc")]
    pub st: Option<String>,
    /// With --elo: node limit of each search
    #[arg(long, value_name = "N", requires = "elo", value_parser = from_one::<u64>)]
    pub nodes: Option<u64>,
    /// With --elo: depth limit of each search, in plies
    #[arg(long, value_name = "N", requires = "elo", value_parser = value_parser!(u16).range(1..))]
    pub depth: Option<u16>,
    /// Openings of the games: an EPD or PGN file, or the name of a built-in set [default: builtin:balanced]
    #[arg(long, value_name = "FILE|NAME", requires = "limit")]
    pub openings: Option<PathBuf>,
    /// Order of the openings: `sequential`, `random:SEED`, or `fastchess:SEED` [default: random:1]
    #[arg(long, value_name = "ORDER", requires = "limit")]
    pub order: Option<String>,
    /// Number of pairs of games between two looks at the result
    #[arg(long, value_name = "PAIRS", default_value = "32", value_parser = from_one::<NonZeroUsize>)]
    pub batch: NonZeroUsize,
    /// Maximum number of games of all commits; then the bisection ends with the most probable commits
    #[arg(long, value_name = "N", default_value_t = 40_000, value_parser = number_of_games)]
    pub games: usize,
    /// Test also commits with the node count of their parent's `bench`, which are otherwise taken for equal
    #[arg(long)]
    pub ignore_bench: bool,
    /// Plan with the engine, its `build`, the suites and `[base]`
    #[arg(long, value_name = "FILE", default_value = PLAN_FILE)]
    pub plan: PathBuf,
    /// Folder of the bisection: its state and journals [default: a folder of its own in `.threefold/bisect`]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Start over, even if the folder has an interrupted bisection
    #[arg(long)]
    pub fresh: bool,
    /// Print the result as one JSON object
    #[arg(long)]
    pub json: bool,
    /// Options of every run
    #[command(flatten)]
    pub run_options: RunOptions,
}

fn positive(given: &str) -> Result<f64, String> {
    let number = given.parse().ok().filter(|elo: &f64| elo.is_finite() && *elo > 0.0);
    number.ok_or_else(|| "give a number above 0: the loss, such as 20".to_owned())
}

/// The plan, the engine, and the history: what each kind of bisection needs.
struct Input<'a> {
    args: &'a BisectArgs,
    given: GivenPlan,
    engine: EngineSpec,
    commits: Commits,
}

impl Input<'_> {
    /// What a commit's results depend on in addition to the question: another build is another bisection.
    fn identity(&self) -> String {
        let build = self.given.plan.build().unwrap_or_default();
        format!(
            "{}\n{}\n{}\n{build}\nignore bench: {}",
            self.commits.hash(0),
            self.commits.hash(self.commits.bad()),
            self.engine.text,
            self.args.ignore_bench
        )
    }
}

/// Bisects, and prints the answer.
pub fn run(args: &BisectArgs) -> anyhow::Result<Exit> {
    let options = &args.run_options;
    anyhow::ensure!(
        !options.tui && !options.github,
        "a bisection is many runs: leave --tui and --github out"
    );
    anyhow::ensure!(
        args.plan.exists(),
        "{}: there is no plan, which says how a commit is built; `threefold init` writes one, or name it with --plan",
        args.plan.display()
    );
    let given = by_name::plan(&args.plan)?;
    let engine = given.plan.engine()?;
    let EngineSource::Command { .. } = &engine.source else {
        anyhow::bail!("{}: the plan tests Echo, which can't be built from commits", args.plan.display())
    };
    let build = given.plan.build().with_context(|| {
        format!(
            "{}: does not say how a commit is built; add build = \"make\" (`{{out}}` stands for the program to write)",
            args.plan.display()
        )
    })?;
    let repository = Repository::here()?;
    let commits = Commits::read(&repository, &args.good, &args.bad)?;
    let builds = CommitBuilds::new(repository, build, &engine);
    let input = Input { args, given, engine, commits };
    if args.elo {
        return by_games::run(&input, builds);
    }
    by_cases::run(&input, builds)
}
