//! The table of players and the outcomes of games, as cutechess-cli prints them.

use super::number::significant;
use super::peer::Peer;
use super::reason::reason;
use super::result_format::ResultFormat;
use super::standing::{Results, Row, Standing, fixed};
use threefold_games::game::{GameEnd, GameOutcome, GameRecord};
use threefold_games::pairing::TournamentFormat;
use threefold_player::FaultCause;
use threefold_run::MatchTask;
use threefold_run::job::white_result;
use threefold_stats::{GameResult, Sprt};

/// The standings of all players.
pub(super) struct Ranking {
    players: Vec<Standing>,
    format: ResultFormat,
    /// Games between two lists of outcomes; 0 for the last one only.
    pub(super) outcome_interval: usize,
    /// Is the first player listed first?
    has_gauntlet_player: bool,
}

impl Ranking {
    pub(super) fn new(task: &MatchTask, format: ResultFormat, outcome_interval: usize) -> Self {
        Self {
            players: task.engines.iter().map(Standing::new).collect(),
            format,
            outcome_interval,
            has_gauntlet_player: task.format == TournamentFormat::Gauntlet,
        }
    }

    /// Adds a game of these two players.
    pub(super) fn add(&mut self, white: usize, black: usize, game: &GameRecord) {
        let result = white_result(game);
        self.players[white].white.record(result);
        self.players[black].black.record(result.reversed());
        for (player, result) in [(white, result), (black, result.reversed())] {
            let standing = &mut self.players[player];
            *standing.outcomes.entry(outcome(game, result)).or_default() += 1;
            *standing.ends.entry(field(game, result)).or_default() += 1;
        }
    }

    /// The table of the players by their share of the points; for two players the results by colour, and the
    /// Elo difference.
    pub(super) fn lines(&self) -> Vec<String> {
        if self.players.len() == 2 { self.match_lines() } else { self.table() }
    }

    fn table(&self) -> Vec<String> {
        let mut order: Vec<&Standing> = self.players.iter().collect();
        let ranked = if self.has_gauntlet_player { &mut order[1..] } else { &mut order[..] };
        let rank = |standing: &Standing| {
            // A player without games has no share, and comes last.
            let share = Results(standing.all()).share();
            if share.is_nan() { -1.0 } else { share }
        };
        ranked.sort_by(|one, other| rank(other).total_cmp(&rank(one)));
        let first = usize::from(!self.has_gauntlet_player);
        let rows = order.into_iter().zip(first..).map(|(standing, rank)| Row { rank, standing });
        let lines = rows.map(|row| self.format.row(&row));
        std::iter::once(self.format.heading()).chain(lines).collect()
    }

    fn match_lines(&self) -> Vec<String> {
        let Standing { name, white, black, .. } = &self.players[0];
        let by_colour = [
            (format!("{name} playing White"), *white),
            (format!("{name} playing Black"), *black),
            ("White vs Black".to_owned(), *white + black.reversed()),
        ];
        let played = by_colour.into_iter().filter(|(_, results)| results.games() > 0);
        let mut lines: Vec<String> =
            played.map(|(text, results)| format!("...      {text}: {}", Results(results).tally())).collect();
        let all = Results(self.players[0].all());
        lines.push(format!(
            "Elo difference: {} +/- {}, LOS: {} %, DrawRatio: {} %",
            all.elo_with(1),
            all.error_with(1),
            fixed(all.superiority_percentage(), 1),
            fixed(all.draw_percentage(), 1)
        ));
        lines
    }

    /// How the games of each player ended.
    pub(super) fn outcomes(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for Standing { name, outcomes, .. } in &self.players {
            lines.push(format!("Player: {name}"));
            lines.extend(outcomes.iter().map(|(outcome, times)| format!("   \"{outcome}\": {times}")));
        }
        lines
    }
}

/// The outcome in words, with `Win: ` or `Loss: ` before a decisive one.
fn outcome(game: &GameRecord, result: GameResult) -> String {
    let reason = reason(Peer::Cutechess, game);
    match result {
        GameResult::Win => format!("Win: {reason}"),
        GameResult::Loss => format!("Loss: {reason}"),
        GameResult::Draw => reason,
    }
}

/// The field that counts the end for a player with this result.
fn field(game: &GameRecord, result: GameResult) -> &'static str {
    let draw = |field| if game.outcome == GameOutcome::Draw { field } else { regular(result) };
    let forfeit = |field| if result == GameResult::Loss { field } else { "OtherW" };
    match &game.end {
        GameEnd::Checkmate => regular(result),
        GameEnd::Stalemate => draw("DStale"),
        GameEnd::Threefold => draw("DRepet"),
        GameEnd::FiftyMoves => draw("DMoves"),
        GameEnd::InsufficientMaterial => draw("DMater"),
        GameEnd::Adjudicated(_) => draw("DAdj"),
        GameEnd::TimeForfeit { .. } => forfeit("Time"),
        GameEnd::IllegalMove(_) => forfeit("Illegal"),
        GameEnd::EngineFault(fault) if fault.cause == FaultCause::NoAnswer => forfeit("Stall"),
        GameEnd::EngineFault(_) => forfeit("Discon"),
    }
}

const fn regular(result: GameResult) -> &'static str {
    match result {
        GameResult::Win => "RegulW",
        GameResult::Loss => "RegulL",
        GameResult::Draw => "OtherD",
    }
}

/// `SPRT: llr …`, as cutechess-cli prints it.
pub(super) fn test_line(llr: f64, test: &Sprt) -> String {
    let bounds = test.bounds();
    let accepted = match llr {
        _ if llr >= bounds.upper => " - H1 was accepted",
        _ if llr <= bounds.lower => " - H0 was accepted",
        _ => "",
    };
    format!(
        "SPRT: llr {} ({}%), lbound {}, ubound {}{accepted}",
        significant(llr, 3),
        fixed(100.0 * llr / bounds.upper, 1),
        significant(bounds.lower, 3),
        significant(bounds.upper, 3)
    )
}
