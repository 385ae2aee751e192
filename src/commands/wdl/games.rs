//! The scored positions of PGN files and journals.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;

use super::WdlArgs;
use crate::input::pgn;
use crate::input::pgn_issues::Complaints;
use crate::input::rating_files::{self, unknown_player};
use threefold_games::scored_game::ScoredGame;
use threefold_report::formats::ratings::InputSummary;
use threefold_report::wdl::{LeftOut, WdlReport, WdlSettings};
use threefold_run::RunRecord;
use threefold_stats::wdl::{Claim, WdlFit, WdlSample, reliability};

/// What was read.
#[derive(Default)]
pub(super) struct ReadGames {
    pub(super) input: InputSummary,
    forfeits: u64,
    /// All engines of the games.
    engines: BTreeSet<String>,
    /// Moves of all games, with a score and without.
    scored: u64,
    unscored: u64,
    unread_comment: Option<String>,
    left_out: LeftOut,
    /// Claimed chances.
    claims: Vec<Claim>,
    /// The positions that count.
    pub(super) sample: WdlSample,
}

impl ReadGames {
    /// Reads all files and prints warnings on standard error.
    pub(super) fn read(args: &WdlArgs, settings: &WdlSettings) -> anyhow::Result<Self> {
        let mut games = Self::default();
        let mut complaints = Complaints { keep: args.warnings.is_some(), shown: 0 };
        let wanted: BTreeSet<&str> = args.engines.iter().map(String::as_str).collect();
        let is_wanted = |name: &str| wanted.is_empty() || wanted.contains(name);
        for path in &rating_files::paths(&args.files)? {
            if path.extension().is_some_and(|extension| extension == "sqlite") {
                games.read_journal(path, settings, &is_wanted)?;
                games.input.files.push(path.display().to_string());
                continue;
            }
            let file = if path == Path::new("-") { "stdin".to_owned() } else { path.display().to_string() };
            pgn::read_scores(path, args.jobs.count(), |block| {
                complaints.take(&file, &block.results, &mut games.input);
                games.input.census.read += block.results.read;
                games.forfeits += block.forfeits;
                for game in &block.games {
                    games.take(game, settings, &is_wanted);
                }
            })?;
            games.input.files.push(file);
        }
        complaints.summarize(&games.input);
        Ok(games)
    }

    fn read_journal(
        &mut self,
        path: &Path,
        settings: &WdlSettings,
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> anyhow::Result<()> {
        let run = RunRecord::read(path)?;
        run.game_reader().for_each(&mut |recorded| {
            self.input.census.read += 1;
            match ScoredGame::from_record(&recorded.game) {
                Some(game) => self.take(&game, settings, is_wanted),
                None => self.forfeits += 1,
            }
            Ok(())
        })?;
        Ok(())
    }

    fn take(&mut self, game: &ScoredGame, settings: &WdlSettings, is_wanted: &dyn Fn(&str) -> bool) {
        self.input.census.counted += 1;
        for name in &game.players {
            // Looked up first: `insert` alone would need a copy of the name for each game.
            if !self.engines.contains(name) {
                self.engines.insert(name.clone());
            }
        }
        self.scored += game.positions.len() as u64;
        self.unscored += game.without_score;
        if self.unread_comment.is_none() {
            self.unread_comment.clone_from(&game.unread_comment);
        }
        let game_key = key(game);
        for position in &game.positions {
            let name = &game.players[usize::from(position.turn.is_black())];
            if let Some(claim) = position.claim.filter(|_| is_wanted(name)) {
                let actual = game.result_for(position.turn).half_points() as f64 / 2.0;
                self.claims.push(Claim { game: game_key, claimed: claim.expected_score(), actual });
            }
        }
        self.sample.add_game(settings.positions(game, is_wanted, &mut self.left_out));
    }

    /// Refuses engines that are not there, and games without scores.
    pub(super) fn check(&self, args: &WdlArgs) -> anyhow::Result<()> {
        for name in &args.engines {
            let known = || self.engines.iter().map(String::as_str);
            anyhow::ensure!(self.engines.contains(name), unknown_player(name, known()));
        }
        anyhow::ensure!(
            self.input.census.counted > 0,
            "no game counts; a game needs two player names, a result and legal moves"
        );
        if self.scored == 0 {
            let example = self.unread_comment.as_ref().map_or_else(String::new, |comment| {
                let shown: String = comment.chars().take(40).collect();
                format!("; the first comment is `{shown}`")
            });
            anyhow::bail!(
                "no comment on a move begins with a score, as in `{{+0.31/12 0.5s}}`{example}; \
                 play the games with comments (`threefold match --pgn FILE` without --pgn-min), or give a journal"
            );
        }
        anyhow::ensure!(
            !self.sample.positions().is_empty(),
            "none of {} positions with a score counts ({} of other engines, {} outside of --moves and --material, {} above --max-score)",
            self.scored,
            self.left_out.other_engines,
            self.left_out.out_of_range,
            self.left_out.high
        );
        Ok(())
    }

    pub(super) fn report(self, args: &WdlArgs, settings: WdlSettings, fit: WdlFit) -> WdlReport {
        WdlReport {
            input: self.input,
            forfeits: self.forfeits,
            engines: self
                .engines
                .into_iter()
                .filter(|name| args.engines.is_empty() || args.engines.contains(name))
                .collect(),
            settings,
            left_out: self.left_out,
            sample: self.sample,
            fit,
            claims: reliability(&self.claims),
        }
    }
}

/// The same for games with the same positions and scores: a game that is played again is no new observation.
fn key(game: &ScoredGame) -> u64 {
    // This hasher has fixed keys, so the same games give the same report.
    let mut hasher = DefaultHasher::new();
    for position in &game.positions {
        (position.move_number, position.material, position.score).hash(&mut hasher);
    }
    hasher.finish()
}
