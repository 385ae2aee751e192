//! `doctor`: is this machine fit for games on the wall clock, and how many at a time?

use std::num::NonZeroUsize;
use std::time::Duration;

use anyhow::Context;
use clap::{Args, value_parser};

use crate::args::from_one;
use crate::exit::Exit;
use crate::machine::cpus::Cpus;
use crate::machine::wakeups::{self, Wakeups};
use crate::machine::{complaints, recommended_games, recommended_margin};
use crate::{files, streams};
use threefold_chess::clock::{ClockSource, Stop};
use threefold_player::{LaunchOptions, launch};

/// `threefold doctor`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  threefold doctor\n  threefold doctor -j 4 --engine ./mine\n\n\
    Exit code: 1 if the machine is not fit for this number of games at a time.")]
pub struct DoctorArgs {
    /// Planned number of games at a time [default: as many as the cores allow]
    #[arg(short = 'j', long = "jobs", value_name = "N", value_parser = from_one::<NonZeroUsize>)]
    pub jobs: Option<NonZeroUsize>,
    /// Threads of each engine
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Engine whose CPU time is measured while it waits; may be repeated
    #[arg(long = "engine", value_name = "SPEC")]
    pub engines: Vec<String>,
    /// Length of the measurement of wake-up delays, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = value_parser!(u16).range(1..=600))]
    pub seconds: u16,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// How long an engine is watched while it waits.
const IDLE_TIME: Duration = Duration::from_secs(1);
/// An engine that waits should use less than this share of a CPU.
const IDLE_SHARE: f64 = 0.01;

/// Measures, prints and recommends.
///
/// # Errors
/// If an engine can't be started.
pub fn run(args: &DoctorArgs) -> anyhow::Result<Exit> {
    let cpus = Cpus::present();
    let threads = usize::from(args.threads);
    let games = args.jobs.unwrap_or_else(|| recommended_games(&cpus, threads));
    let wakeups = Wakeups::measure(games.get(), threads, Duration::from_secs(args.seconds.into()));
    let mut complaints = complaints(&cpus, &wakeups, games, threads);
    let mut idle = Vec::new();
    for spec in files::engines(&args.engines, &[])? {
        let options = LaunchOptions::new(ClockSource::Wall, Stop::default());
        let mut player = launch(&spec, &options).with_context(|| spec.name.clone())?;
        player.new_game().with_context(|| spec.name.clone())?;
        let share = player.idle_cpu(IDLE_TIME).map(|used| used.as_secs_f64() / IDLE_TIME.as_secs_f64());
        if let Some(share) = share.filter(|&share| share > IDLE_SHARE) {
            complaints.push(format!(
                "{} uses {:.0} % of a CPU while it waits, and so takes time from the engine that thinks",
                spec.name,
                share * 100.0
            ));
        }
        idle.push((spec.name, share));
    }
    if args.json {
        streams::result(&json(&cpus, &wakeups, games, threads, &idle, &complaints))?;
    } else {
        streams::result(&text(&cpus, &wakeups, games, threads, &idle, &complaints))?;
    }
    Ok(if complaints.is_empty() { Exit::Fine } else { Exit::Worse })
}

fn text(
    cpus: &Cpus,
    wakeups: &Wakeups,
    games: NonZeroUsize,
    threads: usize,
    idle: &[(String, Option<f64>)],
    complaints: &[String],
) -> String {
    let quantile = |share| wakeups.quantile(share).map_or_else(|| "unknown".to_owned(), wakeups::text);
    let quota = cpus.quota.map_or_else(|| "none".to_owned(), |quota| format!("{quota:.2} CPUs"));
    let mut lines = vec![
        format!("CPUs of this process    {} logical, {} cores", cpus.allowed, cpus.cores),
        format!("quota of its group      {quota}"),
        format!("clock source            {}", cpus.clock_source.as_deref().unwrap_or("unknown")),
        format!(
            "wake-up delay           p50 {}, p99 {}, max {} ({games} games at a time)",
            quantile(0.5),
            quantile(0.99),
            quantile(1.0)
        ),
    ];
    for (name, share) in idle {
        let share =
            share.map_or_else(|| "unknown".to_owned(), |share| format!("{:.1} % of a CPU", share * 100.0));
        lines.push(format!("{name} while it waits    {share}"));
    }
    lines.push(format!(
        "recommended             -j {}, timemargin={}",
        recommended_games(cpus, threads),
        recommended_margin(wakeups).as_millis()
    ));
    if complaints.is_empty() {
        lines.push("This machine is fit for these games.".to_owned());
    }
    lines.extend(complaints.iter().map(|complaint| format!("warning: {complaint}")));
    lines.join("\n")
}

fn json(
    cpus: &Cpus,
    wakeups: &Wakeups,
    games: NonZeroUsize,
    threads: usize,
    idle: &[(String, Option<f64>)],
    complaints: &[String],
) -> String {
    let micros = |share| wakeups.quantile(share).map(|delay| delay.as_secs_f64() * 1e6);
    let idle: Vec<_> =
        idle.iter().map(|(name, share)| serde_json::json!({ "engine": name, "cpu_share": share })).collect();
    serde_json::json!({
        "logical_cpus": cpus.allowed,
        "cores": cpus.cores,
        "quota_cpus": cpus.quota,
        "clock_source": cpus.clock_source,
        "games_at_a_time": games.get(),
        "wakeup_delay_us": { "p50": micros(0.5), "p99": micros(0.99), "max": micros(1.0) },
        "waiting_engines": idle,
        "recommended": {
            "games_at_a_time": recommended_games(cpus, threads).get(),
            "timemargin_ms": recommended_margin(wakeups).as_millis() as u64,
        },
        "warnings": complaints,
    })
    .to_string()
}
