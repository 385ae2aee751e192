//! `sprt --take`: several takes against one base, each with a test of its own.

use std::num::NonZeroU32;
use std::time::Duration;

use anyhow::Context;
use clap::Args;

use super::{SprtArgs, printed, sprt_config};
use crate::args::{RunOptions, from_one};
use crate::commands::games;
use crate::exit::Exit;
use crate::files;
use threefold_chess::clock::{ClockSource, Stop};
use threefold_games::pairing::TournamentFormat;
use threefold_player::{
    BenchCounts, EngineBuild, EngineFault, EngineId, EngineSource, EngineSpec, LaunchOptions,
};
use threefold_run::takes::{self, MOST_TAKES};
use threefold_run::{MatchTask, Purpose, RunSpec, TakesRule, Task};
use threefold_stats::takes::{Guarantee, TakesEnd};

/// Several takes against one base.
#[derive(Debug, Clone, Args)]
pub struct TakesArgs {
    /// Engine to test against the one base that --engine names; give two or more
    #[arg(long = "take", value_name = "SPEC", num_args = 1)]
    pub takes: Vec<String>,
    /// What --alpha is with --take: the error probability of the whole `family`, or of `each` take
    #[arg(long, value_name = "WHAT", default_value_t = Guarantee::Family, requires = "takes")]
    pub guarantee: Guarantee,
    /// End of a run with --take: when the `first` take passes, or when `all` are decided
    #[arg(long, value_name = "WHEN", default_value_t = TakesEnd::FirstPass, requires = "takes")]
    pub stop: TakesEnd,
    /// Seed of the draws that give the games to the takes [default: 1]
    // Without `requires`: the message of this program names the option that a reader looks for.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Pairs of games whose results the draws do not wait for; give at least the number of games at a time
    #[arg(long, value_name = "PAIRS", default_value = "64", requires = "takes", value_parser = from_one::<NonZeroU32>)]
    pub ahead: NonZeroU32,
    /// Play a take although its `bench` and its options are those of the base, such as a faster build
    #[arg(long, requires = "takes")]
    pub allow_same_bench: bool,
}

/// The longest time that a benchmark may take; a longer one is not compared.
const LONGEST_BENCH: Duration = Duration::from_mins(1);

/// Plays until a take passes, or until all are decided.
pub(super) fn run(args: &SprtArgs) -> anyhow::Result<Exit> {
    anyhow::ensure!(
        args.budget.is_none(),
        "--budget: is for a test of two engines; with --take, give the most games of a take by --games"
    );
    anyhow::ensure!(
        args.engines.len() == 1,
        "--take: needs one base; give --engine BASE once, and each other engine by --take"
    );
    anyhow::ensure!(
        !args.deadline,
        "--deadline: is for one test; leave it out, or test one engine without --take"
    );
    anyhow::ensure!(
        !args.printed.markdown,
        "--markdown: is for one test; give --json, or --out for summary.md"
    );
    check_number(args.takes.takes.len())?;
    // Read together, so that no two have the same name.
    let specs: Vec<String> = args.takes.takes.iter().chain(&args.engines).cloned().collect();
    let mut takes = files::engines(&specs, &args.game.each)?;
    let base = &takes.pop().context("--engine: name the base")?;
    let identified = identify(base, &takes);
    check_programs(&identified)?;
    if !args.takes.allow_same_bench {
        check_benches(&identified, &args.game.run_options)?;
    }
    let spec = specification(args, &takes, base)?;
    let Task::Match(first) = &spec.parts[0].task else { unreachable!("a take is a match") };
    let machine = games::check_of(first, &args.game);
    games::play_run("sprt", &args.game, spec, machine, printed(args))
}

fn specification(args: &SprtArgs, takes: &[EngineSpec], base: &EngineSpec) -> anyhow::Result<RunSpec> {
    let number = u32::try_from(takes.len()).ok().and_then(NonZeroU32::new).context("--take: name a take")?;
    let test = sprt_config(args, args.takes.guarantee.risks(args.risks(), number))?;
    let engines = |take: &EngineSpec| vec![take.clone(), base.clone()];
    let purpose = Purpose::Test(test.into());
    // The openings are read once: those of all takes are the same.
    let first = games::task(&args.game, engines(&takes[0]), TournamentFormat::Gauntlet, args.games, purpose)?;
    // `games::task` has checked the first take and the base only.
    games::check_limits(takes, first.control)?;
    let tasks = takes.iter().map(|take| MatchTask { engines: engines(take), ..first.clone() }).collect();
    let usual = TakesRule::new(args.takes.stop, args.takes.guarantee);
    // --ahead counts pairs, and the rule counts whole batches, so no batch may be longer.
    let batch = usual.batch.min(args.takes.ahead.get());
    let rule = TakesRule { batch, ahead: args.takes.ahead.get().div_ceil(batch), ..usual };
    Ok(takes::spec(tasks, rule, args.takes.seed.unwrap_or(1)))
}

fn check_number(takes: usize) -> anyhow::Result<()> {
    anyhow::ensure!(
        takes > 1,
        "--take: one take against one base is a test of two engines; give --engine NEW --engine BASE"
    );
    anyhow::ensure!(takes <= MOST_TAKES, "--take: {takes} are too many; give at most {MOST_TAKES}");
    Ok(())
}

/// An engine with what identifies its program.
struct Identified<'e> {
    engine: &'e EngineSpec,
    /// The SHA-256 of its program and of other files that it is started with.
    files: Vec<String>,
}

/// Reads the files of all engines, the base first.
fn identify<'e>(base: &'e EngineSpec, takes: &'e [EngineSpec]) -> Vec<Identified<'e>> {
    let engines: Vec<&EngineSpec> = std::iter::once(base).chain(takes).collect();
    let named: Vec<(EngineSpec, EngineId)> =
        engines.iter().map(|&engine| (engine.clone(), EngineId::default())).collect();
    let builds = EngineBuild::of_all(&named).into_iter();
    let files = builds.map(|build| build.files.into_iter().map(|file| file.sha256).collect());
    engines.into_iter().zip(files).map(|(engine, files)| Identified { engine, files }).collect()
}

/// Fails if two engines are the same program with the same options.
fn check_programs(engines: &[Identified<'_>]) -> anyhow::Result<()> {
    for (index, one) in engines.iter().enumerate() {
        let same = |other: &&Identified<'_>| one.has_same_settings(other) && one.has_same_program(other);
        if let Some(other) = engines[..index].iter().find(same) {
            anyhow::bail!(
                "`{}` and `{}` have the same program and the same options, so they play the same games; leave one of \
                 them out, or give it another option",
                one.engine.name,
                other.engine.name
            );
        }
    }
    Ok(())
}

/// Fails if a take with the options of the base has its benchmark, too.
fn check_benches(engines: &[Identified<'_>], run_options: &RunOptions) -> anyhow::Result<()> {
    let [base, takes @ ..] = engines else { return Ok(()) };
    let mut of_base = None;
    for take in takes.iter().filter(|take| take.has_same_settings(base)) {
        // The base is run only if a take has its options, and then once.
        let expected = of_base.get_or_insert_with(|| bench(base.engine, run_options.startup));
        let count = match (&*expected, &bench(take.engine, run_options.startup)) {
            (Ok(expected), Ok(found)) if expected == found => *found,
            (Ok(_), Ok(_)) => continue,
            (Err(why), _) | (_, Err(why)) => {
                let name = &take.engine.name;
                run_options.inform(&format!("the benches of `{name}` and the base are not compared: {why}"));
                continue;
            }
        };
        anyhow::bail!(
            "`{}` has the bench of the base `{}`, {count} nodes, and the same options, so it seems to play the same \
             games; if it differs in speed, in its use of time or in positions that the bench lacks, give \
             --allow-same-bench",
            take.engine.name,
            base.engine.name
        );
    }
    Ok(())
}

impl Identified<'_> {
    /// Do both have the same options, limits and other settings that games depend on?
    fn has_same_settings(&self, other: &Self) -> bool {
        let neutral = |engine: &EngineSpec| {
            let mut options = engine.options.clone();
            options.sort();
            EngineSpec {
                text: String::new(),
                name: String::new(),
                source: EngineSource::Echo,
                options,
                warnings: true,
                white_pov: false,
                startup: None,
                debug: false,
                stderr: None,
                // The content of a book is compared with the other files.
                book: engine.book.as_ref().map(|_| "book".into()),
                ..engine.clone()
            }
        };
        neutral(self.engine) == neutral(other.engine)
    }

    /// Are both the same files, started with the same arguments?
    fn has_same_program(&self, other: &Self) -> bool {
        let arguments = |engine: &EngineSpec| match &engine.source {
            EngineSource::Echo => None,
            EngineSource::Command { args, .. } => Some(args.clone()),
        };
        let has_same_source = self.engine.source == other.engine.source
            || (arguments(self.engine).is_some() && arguments(self.engine) == arguments(other.engine));
        has_same_source && self.files == other.files
    }
}

/// The nodes of an engine's benchmark, or why there are none.
fn bench(engine: &EngineSpec, startup: Option<Duration>) -> Result<u64, String> {
    let mut options = LaunchOptions::new(ClockSource::Wall, Stop::default());
    options.startup = startup.unwrap_or(options.startup);
    let found = threefold_player::launch(engine, &options).and_then(|mut player| player.bench(LONGEST_BENCH));
    let nodes =
        found.map(|BenchCounts { nodes, .. }| nodes).map_err(|fault: EngineFault| fault.to_string())?;
    nodes.ok_or_else(|| "no number of nodes is printed".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identified<'e>(engine: &'e EngineSpec, files: &[&str]) -> Identified<'e> {
        Identified { engine, files: files.iter().map(|&file| file.to_owned()).collect() }
    }

    fn spec(text: &str) -> EngineSpec {
        text.parse().expect("sound")
    }

    #[test]
    fn engines_are_the_same_by_contents_and_settings() {
        let base = spec("./old,name=base,Hash=16,Threads=2");
        let table = [
            // the take, its file, same settings, same program
            ("./old,name=a,Threads=2,Hash=16", "f", true, true),
            ("./copy,name=a,Hash=16,Threads=2", "f", true, true),
            ("./new,name=a,Hash=16,Threads=2", "g", true, false),
            ("./old,name=a,Hash=32,Threads=2", "f", false, true),
            ("./old,name=a,Hash=16,Threads=2,nodes=500", "f", false, true),
            ("./old --other,name=a,Hash=16,Threads=2", "f", true, false),
            ("echo,name=a,Hash=16,Threads=2", "f", true, false),
        ];
        for (text, file, settings, program) in table {
            let take = spec(text);
            let (take, base) = (identified(&take, &[file]), identified(&base, &["f"]));
            assert_eq!(
                (take.has_same_settings(&base), take.has_same_program(&base)),
                (settings, program),
                "{text}"
            );
        }
    }

    #[test]
    fn wrong_number_of_takes_is_refused() {
        assert!(check_number(1).expect_err("one take").to_string().contains("--engine NEW --engine BASE"));
        assert!(check_number(65).expect_err("too many").to_string().contains("at most 64"));
        assert!(check_number(2).is_ok() && check_number(64).is_ok());
    }
}
