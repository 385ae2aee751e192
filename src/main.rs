//! The program `threefold`.

use std::env;
use std::process::ExitCode;

use threefold::args::{Cli, Command, FleetCommand, PositionsCommand, TablebaseCommand};
use threefold::exit::Exit;
use threefold::{commands, program};
use threefold_drop_in::{Peer, requested};
use threefold_report::Registry;

fn main() -> ExitCode {
    if let Some((peer, line)) = requested(env::args_os()) {
        return commands::drop_in::run(peer, &line).into();
    }
    program::main(|cli: &Cli| cli.command.run_options(), |cli| dispatch(cli.command))
}

fn dispatch(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::Init(args) => commands::init::run(&args),
        Command::Regress(args) => commands::regress::run(&args),
        Command::Suite(args) => commands::suite::run(&args),
        Command::Match(args) => commands::games::run_match(&args),
        Command::Sprt(args) => commands::games::run_sprt(&args),
        Command::Fastchess(args) => Ok(commands::drop_in::run(Peer::Fastchess, &args.words)),
        Command::CutechessCli(args) => Ok(commands::drop_in::run(Peer::Cutechess, &args.words)),
        Command::Plan(args) => commands::plan::run(&args),
        Command::Calibrate(args) => commands::calibrate::run(&args),
        Command::Resume(args) => commands::resume::run(&args, &Registry::built_in()),
        Command::Rate(args) => commands::rate::run(&args),
        Command::Report(args) => commands::report::run(&args, &Registry::built_in()),
        Command::Explain(args) => commands::explain::run(&args),
        Command::Bundle(args) => commands::bundle::run(&args),
        Command::History(args) => commands::history::run(&args),
        Command::Positions(PositionsCommand::Check(args)) => commands::positions::check(&args),
        Command::Positions(PositionsCommand::Openings(args)) => commands::positions::openings(&args),
        Command::Positions(PositionsCommand::Signature(args)) => commands::positions::signature(&args),
        Command::Positions(PositionsCommand::Prove(args)) => commands::proof::prove(&args),
        Command::Positions(PositionsCommand::VerifyProof(args)) => commands::proof::verify(&args),
        Command::Tablebase(TablebaseCommand::Build(args)) => commands::tablebase::build(&args),
        Command::Tablebase(TablebaseCommand::Probe(args)) => commands::tablebase::probe(&args),
        Command::Tablebase(TablebaseCommand::Verify(args)) => commands::tablebase::verify(&args),
        Command::Uci(args) => commands::echo::uci(&args),
        Command::Bench => commands::echo::bench(),
        Command::Perft(args) => commands::echo::perft(&args),
        Command::Doctor(args) => commands::doctor::run(&args),
        Command::Fleet(command) => fleet(command),
        Command::Completions(args) => commands::documents::completions(&args),
        Command::Man(args) => commands::documents::man(&args),
    }
}

fn fleet(command: FleetCommand) -> anyhow::Result<Exit> {
    match command {
        FleetCommand::Submit(args) => {
            commands::fleet::connect(&args)?;
            dispatch(args.command.command())
        }
        FleetCommand::Work(args) => commands::fleet::work(&args),
        FleetCommand::Status(args) => commands::fleet::status(&args),
        FleetCommand::Exclude(args) => commands::fleet::exclude(&args),
        FleetCommand::Remove(args) => commands::fleet::remove(&args),
        FleetCommand::Sign(args) => commands::fleet::sign(&args),
        FleetCommand::Confine(args) => commands::fleet::confine(&args),
    }
}
