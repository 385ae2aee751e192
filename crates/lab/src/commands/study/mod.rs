//! Studies: Echo against variants of itself, one question per file.

pub mod ablation;
pub mod dawdling;
pub mod open_flag;
pub mod repetition;
pub mod time;

use crate::args::{AblationArgs, DawdlingArgs, OpenFlagArgs, RepetitionArgs, TimeArgs};
use threefold::command_table;

command_table! {
    /// `threefold-lab study`
    pub enum StudyCommand {
        /// Measure the Elo of each search feature: Echo against Echo without it.
        Ablation(AblationArgs) => ablation::run, run options: game.run_options;
        /// Measure the cost and the Elo of each way to treat repetitions: policy, detector, table scores,
        /// cycle detection, fifty-move counter, perpetual bonus.
        Repetition(RepetitionArgs) => repetition::run, run options: game.run_options;
        /// Measure how fast each repetition policy wins won endings.
        Dawdling(DawdlingArgs) => dawdling::run, run options: run_options;
        /// Measure the errors of the detector `OpenFlag` with several threads, and the traps that it passes.
        OpenFlag(OpenFlagArgs) => open_flag::run, run options: run_options;
        /// Measure how each time manager uses the clock, and its Elo.
        Time(TimeArgs) => time::run, run options: game.run_options;
    }
}
