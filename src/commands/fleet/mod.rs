//! `fleet`: runs the jobs of a command on other machines.

pub mod confine;
pub mod exclude;
mod live_page;
pub mod remove;
pub mod server;
pub mod sign;
mod speed;
pub mod status;
pub mod submit;
pub mod work;

use crate::command_table;

command_table! {
    /// `threefold fleet`
    pub enum FleetCommand {
        /// Run a command with its jobs done by the workers of a fleet.
        Submit(Box<submit::SubmitArgs>) => submit::run, run options: subcommand;
        /// Do jobs for the runs of a fleet.
        Work(work::WorkArgs) => work::run;
        /// Show the workers, the runs and their queues.
        Status(status::StatusArgs) => status::run;
        /// Remove a run from the server whose `fleet submit` was killed.
        Remove(remove::RemoveArgs) => remove::run;
        /// Remove the results of a worker from a journal; `resume` does these jobs again.
        Exclude(exclude::ExcludeArgs) => exclude::run;
        /// Sign files of engines, so that workers that trust the key run them.
        Sign(sign::SignArgs) => sign::run;
        /// Start a program with limits; workers start engines by this.
        #[command(hide = true)]
        Confine(confine::ConfineArgs) => confine::run;
    }
}
