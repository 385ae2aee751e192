//! What fastchess says of a pair, as a comparison: its check of the protocol, and games with a search for
//! warnings in its output, which is what the CI of many engines does.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Context;

use super::experiment::Experiment;
use super::list::CommitPair;
use super::pair_folder::PairFolder;
use super::peer_record::PeerRecord;
use super::record::StepRecord;
use super::timed_command;

/// How fastchess is asked.
#[derive(Debug)]
pub struct Peers<'p> {
    /// The program.
    pub fastchess: PathBuf,
    /// The games.
    pub games: PeerGames,
    /// An EPD file of openings.
    pub book: &'p Path,
    /// The time limit of each step.
    pub step_limit: Duration,
}

/// The games that fastchess plays.
#[derive(Debug, Clone, Copy)]
pub struct PeerGames {
    /// The number of games, two for each opening.
    pub games: u32,
    /// The number of games at a time.
    pub jobs: usize,
}

impl Peers<'_> {
    /// Asks fastchess.
    ///
    /// # Errors
    /// If it can't be started, or its output can't be written.
    pub fn ask(
        &self,
        experiment: Experiment,
        pair: &CommitPair,
        folder: &PairFolder,
    ) -> anyhow::Result<PeerRecord> {
        let (first, second) = (experiment.first(), experiment.second());
        let mut record = PeerRecord::default();
        let programs = [&pair.first_program, &pair.second_program];
        for (program, name) in programs.into_iter().zip([first, second]) {
            let mut command = self.command();
            command.arg("--compliance").arg(program);
            let output = folder.path(&format!("compliance-{name}.txt"));
            let step = self.step(&mut command, &output)?;
            record.seconds += step.seconds;
            if name == first {
                record.first_compliance = step.exit;
            } else {
                record.second_compliance = step.exit;
            }
        }
        if self.games.games > 0 {
            self.play(experiment, pair, folder, &mut record)?;
        }
        Ok(record)
    }

    /// Games of the two programs against each other.
    fn play(
        &self,
        experiment: Experiment,
        pair: &CommitPair,
        folder: &PairFolder,
        record: &mut PeerRecord,
    ) -> anyhow::Result<()> {
        let (first, second) = (experiment.first(), experiment.second());
        let mut command = self.command();
        for (program, name) in [(&pair.first_program, first), (&pair.second_program, second)] {
            command.arg("-engine").arg(format!("cmd={}", program.display())).arg(format!("name={name}"));
        }
        // Without `-recover` fastchess stops at the first crash.
        command.args(["-each", "tc=1+0.01", "-games", "2", "-repeat", "-recover", "-rounds"]);
        command.arg(self.games.games.div_ceil(2).to_string());
        command.arg("-concurrency").arg(self.games.jobs.to_string());
        command.arg("-openings").arg(format!("file={}", self.book.display()));
        command.args(["format=epd", "order=sequential"]);
        let output = folder.path("games.txt");
        let step = self.step(&mut command, &output)?;
        record.seconds += step.seconds;
        record.games = step.exit;
        record.read_games(&threefold::files::text_of_any_encoding(&output)?, second);
        Ok(())
    }

    fn command(&self) -> Command {
        Command::new(&self.fastchess)
    }

    fn step(&self, command: &mut Command, output: &Path) -> anyhow::Result<StepRecord> {
        // fastchess leaves files in its folder.
        let folder = tempfile::tempdir().context("a temporary folder can't be made")?;
        command.current_dir(folder.path());
        timed_command::run(command, self.step_limit, output)
            .with_context(|| format!("{}: can't be run", self.fastchess.display()))
    }
}
