//! The arguments of the commands of `threefold-lab`.

mod bench_runner;
mod commit_pairs;
mod fleet_simulation;
mod mutants;
mod positions;
mod strength_curve;
mod study;
mod survey;
mod tune;
mod verify_statistics;

pub use bench_runner::{BenchRunnerArgs, InstantEngineArgs};
pub use commit_pairs::{CommitPairsArgs, OrdinaryCommitsArgs, RealBugsArgs, RegressionRulesArgs};
pub use fleet_simulation::FleetSimulationArgs;
pub use mutants::MutantsArgs;
pub use positions::{
    AnecdoteArgs, BestMoveArgs, ConversionArgs, DefenceArgs, FiftyArgs, MateArgs, MiddlegameArgs,
    PerpetualArgs, PerpetualBonusArgs, RootReturnArgs, RuleArgs, SpecialMoveArgs, SymmetryArgs, TrapArgs,
    UnderpromotionArgs, ValueArgs,
};
pub use strength_curve::StrengthCurveArgs;
pub use study::{AblationArgs, DawdlingArgs, OpenFlagArgs, RepetitionArgs, TimeArgs};
pub use survey::SurveyArgs;
pub use tune::{TuneFitArgs, TuneGamesArgs};
pub use verify_statistics::VerifyStatisticsArgs;
