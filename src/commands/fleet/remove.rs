//! `fleet remove`: removes a run from the server.

use clap::Args;

use super::server::ServerArgs;
use crate::exit::Exit;
use crate::streams;
use threefold_fleet::broker::{Broker, Inbox};
use threefold_fleet::coordinator;
use threefold_fleet::protocol::RunId;

/// `threefold fleet remove`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  threefold fleet remove --nats nats://localhost:4222 0123456789abcdef\n\n\
    The journal of the run is not changed, and can be resumed."
)]
pub struct RemoveArgs {
    /// The server
    #[command(flatten)]
    pub server: ServerArgs,
    /// The run, as `fleet status` lists it
    #[arg(value_name = "RUN")]
    pub run: RunId,
}

/// Removes a run from the server.
///
/// # Errors
/// If there is no such run, if it goes on, or if the server can't be used.
pub fn run(args: &RemoveArgs) -> anyhow::Result<Exit> {
    let broker = Broker::connect(&args.server.options()?, "threefold fleet remove", &Inbox::Coordinator)?;
    coordinator::remove_run(&broker, &args.run)?;
    streams::result(&format!("run {} is removed; its journal can be resumed", args.run))?;
    Ok(Exit::Fine)
}
