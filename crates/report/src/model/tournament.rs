//! A tournament of several engines: ratings from a joint fit of all its games, and the result of each
//! pairing.
//!
//! The ratings are those of `threefold rate` for the same games, converted to logistic Elo. Their average is 0. A group of
//! engines that the results do not connect has its own scale, and a perfect scorer has no error. Each distinct pair counts once.

use serde_json::{Value, json};

use crate::format;
use crate::model::json_intervals;
use crate::model::report::{MatchPart, NumberedSummary, Standing};
use threefold_games::game_identity::SeenEncounters;
use threefold_run::job::white_result;
use threefold_stats::elo::{self, Z95};
use threefold_stats::rating::{
    Crosstable, GapPolicy, PlayerIndex, RatingError, RatingModel, RatingSettings, RatingStatus, Reference,
    rate,
};
use threefold_stats::{Estimate, GameResult, Logistic, Scoresheet, Trinomial};

/// The ratings and the pairings of a tournament.
pub(crate) struct Tournament {
    /// By group, highest rating first; or why the games determine none.
    pub(crate) ratings: Result<Vec<TournamentRating>, RatingError>,
    /// The pairings that have games, in the order of the engines.
    pub(crate) pairings: Vec<Pairing>,
}

/// An engine's rating.
pub(crate) struct TournamentRating {
    pub(crate) standing: Standing,
    /// In logistic Elo, relative to the average of its group.
    pub(crate) elo: f64,
    /// Half of the 95 % interval, clustered by game pair; `None` for a perfect scorer.
    pub(crate) error: Option<f64>,
    /// How the rating was determined.
    pub(crate) status: RatingStatus,
    /// The group of engines that can be compared, from 0.
    pub(crate) group: usize,
}

/// The games of two engines.
pub(crate) struct Pairing {
    /// The results of the engine named first.
    pub(crate) standing: Standing,
    /// The other engine.
    pub(crate) opponent: String,
    /// The complete pairs, for the engine named first.
    pub(crate) sheet: Scoresheet,
}

impl Tournament {
    /// The tournament of a part.
    pub(crate) fn from_match(part: &MatchPart) -> Self {
        Self::of_parts(&part.standings, std::slice::from_ref(part))
    }

    /// The tournament of these engines whose games are those of several parts.
    pub(crate) fn of_parts(standings: &[Standing], parts: &[MatchPart]) -> Self {
        let mut table = Crosstable::new(standings.iter().map(|standing| standing.name.clone()));
        let index = |name: &String| standings.iter().position(|standing| standing.name == *name);
        let mut pairings: Vec<((usize, usize), Vec<GameResult>, Scoresheet)> = Vec::new();
        let mut seen = SeenEncounters::default();
        for games in parts.iter().flat_map(|part| pairs(&part.games)) {
            let identities: Vec<_> = games.iter().map(|game| game.record.played.identity).collect();
            // Deterministic engines play the same games again; a repetition is no new observation.
            if !seen.is_new(&identities) {
                continue;
            }
            let first = &games[0].record;
            let [Some(white), Some(black)] = first.players.each_ref().map(index) else { continue };
            let results = games.iter().enumerate().map(|(game, it)| {
                // The second game of a pair has the colours reversed.
                let result = white_result(&it.record);
                if game == 0 { result } else { result.reversed() }
            });
            let results: Vec<GameResult> = results.collect();
            match results[..] {
                [first, second] => table.record_pair(PlayerIndex(white), PlayerIndex(black), [first, second]),
                [first, ..] => table.record_game(PlayerIndex(white), PlayerIndex(black), first),
                [] => {}
            }
            // Encounters with either engine first are one pairing, seen from the engine that is listed first.
            let key = (white.min(black), white.max(black));
            let own = |result: GameResult| if white == key.0 { result } else { result.reversed() };
            let results: Vec<GameResult> = results.into_iter().map(own).collect();
            let at = pairings.iter().position(|pairing| pairing.0 == key).unwrap_or_else(|| {
                pairings.push((key, Vec::new(), Scoresheet::default()));
                pairings.len() - 1
            });
            let (_, all, sheet) = &mut pairings[at];
            if let [first, second] = results[..] {
                sheet.record([first, second]);
            }
            all.extend(results);
        }
        pairings.sort_by_key(|pairing| pairing.0);
        let name = |index: usize| standings[index].name.clone();
        let pairings = pairings.into_iter().map(|((first, second), results, sheet)| Pairing {
            standing: Standing::from_results(&name(first), results),
            opponent: name(second),
            sheet,
        });
        Self { ratings: ratings(&table, standings), pairings: pairings.collect() }
    }

    /// The engines, highest rating first; without ratings, by score.
    pub(crate) fn order<'t>(&'t self, standings: &'t [Standing]) -> Vec<&'t str> {
        if let Ok(ratings) = &self.ratings {
            return ratings.iter().map(|rated| rated.standing.name.as_str()).collect();
        }
        let mut order: Vec<&Standing> = standings.iter().collect();
        let score = |standing: &Standing| standing.score().unwrap_or(0.0);
        order.sort_by(|one, other| score(other).total_cmp(&score(one)));
        order.into_iter().map(|standing| standing.name.as_str()).collect()
    }

    /// The figures for `report.json`.
    pub(crate) fn json(&self) -> Value {
        let ratings = match &self.ratings {
            Ok(ratings) => ratings.iter().map(TournamentRating::json).collect(),
            Err(why) => json!({ "absent": why.to_string() }),
        };
        json!({ "ratings": ratings, "pairings": self.pairings.iter().map(Pairing::json).collect::<Value>() })
    }
}

impl TournamentRating {
    /// The columns of a table of ratings.
    pub(crate) const COLUMNS: [&'static str; 6] =
        ["engine", "Elo (logistic, 95 %)", "points", "games", "score", "W-D-L"];

    /// The rating with its interval, or that the engine won or lost every game.
    pub(crate) fn elo(&self) -> String {
        match (self.status, self.error) {
            _ if self.standing.games() == 0 => "no games".to_owned(),
            (RatingStatus::Unbeaten, _) => "won every game".to_owned(),
            (RatingStatus::Winless, _) => "lost every game".to_owned(),
            // All pairs have the same result, which says nothing about the error.
            // Rounding leaves a little if all pairs are equal. No number of games makes a real error that small.
            (RatingStatus::Rated, Some(error)) if error < 1e-3 => {
                format!("{} (error unknown)", format::tenths(self.elo))
            }
            (RatingStatus::Rated, Some(error)) => format!("{} ± {error:.1}", format::tenths(self.elo)),
            (RatingStatus::Rated, None) => format::tenths(self.elo),
        }
    }

    /// The row of a table of ratings: see [`COLUMNS`](Self::COLUMNS).
    pub(crate) fn row(&self) -> [String; 6] {
        let standing = &self.standing;
        let Standing { wins, draws, losses, .. } = standing;
        [
            standing.name.clone(),
            self.elo(),
            format::points(standing.points()),
            format::grouped(standing.games()),
            standing.score().map_or_else(|| "–".to_owned(), format::percent),
            format!("{wins}-{draws}-{losses}"),
        ]
    }

    fn json(&self) -> Value {
        let status = match self.status {
            RatingStatus::Rated => "rated",
            RatingStatus::Unbeaten => "unbeaten",
            RatingStatus::Winless => "winless",
        };
        json!({
            "name": self.standing.name, "logistic_elo": self.elo, "error": self.error, "status": status,
            "group": self.group, "points": self.standing.points(), "games": self.standing.games(),
        })
    }
}

/// What the ratings are relative to. `scales` is the number of groups of engines.
pub(crate) fn rating_note(scales: usize) -> String {
    let note = if scales > 1 { "; each table has its own scale" } else { "" };
    format!("Elo relative to the average of the engines, fitted to all games{note}.")
}

impl Pairing {
    /// The columns of a table of pairings.
    pub(crate) const COLUMNS: [&'static str; 4] = ["engine", "opponent", "W-D-L", "Elo (logistic, 95 %)"];

    /// The row of a table of pairings: see [`COLUMNS`](Self::COLUMNS).
    pub(crate) fn row(&self) -> [String; 4] {
        let Standing { name, wins, draws, losses } = &self.standing;
        [
            name.clone(),
            self.opponent.clone(),
            format!("{wins}-{draws}-{losses}"),
            self.elo().map_or_else(|| "unknown".to_owned(), format::plus_minus),
        ]
    }

    fn json(&self) -> Value {
        let Standing { name, wins, draws, losses } = &self.standing;
        json!({
            "a": name, "b": self.opponent, "wins": wins, "draws": draws, "losses": losses,
            "pairs": self.sheet.pairs().counts, "logistic_elo": self.elo().map(json_intervals::logistic),
        })
    }

    /// The difference with its 95 % interval: by pairs, or by games if they are single games. `None` while
    /// all have the same result.
    pub(crate) fn elo(&self) -> Option<Estimate<Logistic>> {
        let pairs = self.sheet.pairs();
        if pairs.trials() > 0 {
            return (pairs.classes_seen() > 1).then(|| elo::logistic(pairs)).flatten();
        }
        let Standing { wins, draws, losses, .. } = self.standing;
        let games = Trinomial { counts: [losses, draws, wins] };
        (games.classes_seen() > 1).then(|| elo::logistic(&games)).flatten()
    }
}

/// The games in pairs; a game without its partner alone, and single games, whose neighbours have other
/// players.
fn pairs(games: &[NumberedSummary]) -> impl Iterator<Item = &[NumberedSummary]> {
    games.chunk_by(|one, other| {
        let [white, black] = &other.record.players;
        let is_reversed = one.record.players.each_ref() == [black, white];
        is_reversed && (one.number - 1) / 2 == (other.number - 1) / 2
    })
}

fn ratings(table: &Crosstable, standings: &[Standing]) -> Result<Vec<TournamentRating>, RatingError> {
    let settings = RatingSettings { gaps: GapPolicy::Split, ..RatingSettings::new(RatingModel::Davidson) };
    let list = rate(table, &settings)?;
    let logistic = list.logistic_scale();
    let rated = list.players.iter().zip(table.seats()).zip(standings).map(|((player, seat), standing)| {
        let error = list.clustered.standard_error(seat, Reference::PoolMean);
        TournamentRating {
            standing: standing.clone(),
            elo: player.rating.0 * logistic,
            error: error.map(|error| Z95 * error * logistic),
            status: player.status,
            group: player.group,
        }
    });
    let mut ratings: Vec<TournamentRating> = rated.collect();
    // Groups that never met have no common scale, so their ratings are not compared.
    ratings.sort_by(|one, other| one.group.cmp(&other.group).then(other.elo.total_cmp(&one.elo)));
    Ok(ratings)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::model::report::MatchResult;
    use threefold_chess::position::GamePosition;
    use threefold_games::game::{GameEnd, GameOutcome};
    use threefold_games::game_summary::{GameSummary, MoveSummary};
    use threefold_games::pgn::PgnOptions;
    use threefold_run::{Labels, distinct_pairs::RepeatCount};

    /// Pairs of games: the players of the first game, and the results of its White in both.
    pub(crate) fn part(names: &[&str], pairs: &[([&str; 2], &str)]) -> MatchPart {
        let game = |index: usize, players: [&str; 2], outcome| NumberedSummary {
            number: index + 1,
            record: GameSummary {
                players: players.map(str::to_owned),
                opening: GamePosition::start_position(),
                played: MoveSummary::default(),
                warnings: Vec::new(),
                shadow: Vec::new(),
                outcome,
                end: GameEnd::Checkmate,
                times: None,
            },
        };
        let mut games = Vec::new();
        for (pair, &([white, black], results)) in pairs.iter().enumerate() {
            for (index, result) in results.chars().enumerate() {
                let players = if index == 0 { [white, black] } else { [black, white] };
                let outcome = match (result, index) {
                    ('d', _) => GameOutcome::Draw,
                    ('w', 0) | ('l', 1) => GameOutcome::White,
                    _ => GameOutcome::Black,
                };
                games.push(game(2 * pair + index, players, outcome));
            }
        }
        let standing = |name: &&str| {
            let results = games.iter().filter_map(|NumberedSummary { record, .. }| {
                let seat = record.players.iter().position(|player| player == name)?;
                let result = white_result(record);
                Some(if seat == 0 { result } else { result.reversed() })
            });
            Standing::from_results(name, results)
        };
        let standings = names.iter().map(standing).collect();
        MatchPart {
            name: "match".to_owned(),
            labels: Labels::NONE,
            terms: String::new(),
            openbench_terms: String::new(),
            planned: games.len(),
            games,
            games_with_moves: Vec::new(),
            ending: None,
            repeats: RepeatCount::default(),
            coupling: None,
            families: None,
            standings,
            clocks: Vec::new(),
            result: MatchResult::Table,
            stretches: None,
            slots: None,
            curve: None,
            pgn: PgnOptions::default(),
            is_shadow: false,
        }
    }

    #[test]
    fn pairing_counts_both_colours_for_the_engine_named_first() {
        let played = [(["A", "B"], "wd"), (["B", "A"], "wl"), (["A", "C"], "ww"), (["A", "B"], "w")];
        let Tournament { pairings, .. } = Tournament::from_match(&part(&["A", "B", "C"], &played));
        let found: Vec<_> = pairings
            .iter()
            .map(|it| {
                let Standing { name, wins, draws, losses } = &it.standing;
                (format!("{name}-{}", it.opponent), [*wins, *draws, *losses], it.sheet.pairs().counts)
            })
            .collect();
        assert_eq!(
            found,
            [("A-B".to_owned(), [3, 1, 1], [0, 0, 1, 1, 0]), ("A-C".to_owned(), [2, 0, 0], [0, 0, 0, 0, 1])]
        );
        assert!(pairings[0].elo().is_some());
        assert!(pairings[1].elo().is_none(), "one pair has no variance");
    }

    #[test]
    fn games_that_are_no_pair_are_counted_one_by_one() {
        // Neighbours with other players, and two games with the same colours.
        let mut played = part(&["A", "B", "C"], &[(["A", "B"], "w"), (["A", "C"], "w"), (["A", "B"], "wl")]);
        for (index, game) in played.games.iter_mut().enumerate() {
            game.number = index + 1;
        }
        played.games[3].record.players.swap(0, 1);
        let Tournament { pairings, .. } = Tournament::from_match(&played);
        let Pairing { standing, sheet, .. } = &pairings[0];
        // The last game was lost by Black as `wl` says; with the colours of the game before it, A won it.
        assert_eq!((standing.wins, standing.losses, sheet.pairs().trials()), (3, 0, 0));
        assert!(pairings[0].elo().is_none(), "A won every game");
        played.games[3].record.outcome = GameOutcome::Black;
        let Tournament { pairings, .. } = Tournament::from_match(&played);
        assert_eq!((pairings[0].standing.wins, pairings[0].standing.losses), (2, 1));
        assert!(pairings[0].elo().is_some(), "by games");
    }

    #[test]
    fn ratings_of_two_engines_are_the_elo_of_their_match() {
        let played: Vec<_> = (0..40).map(|pair| (["A", "B"], ["wd", "dd", "wl", "ld"][pair % 4])).collect();
        let tournament =
            Tournament::from_match(&part(&["A", "B"], &[&played[..], &[(["A", "B"], "ww")]].concat()));
        let ratings = tournament.ratings.expect("both have won and lost");
        let difference = ratings[0].elo - ratings[1].elo;
        let direct = tournament.pairings[0].elo().expect("there are several results").value.0;
        assert_eq!(ratings[0].standing.name, "A");
        // The models of the draws differ.
        assert!((difference / direct - 1.0).abs() < 0.1, "{difference} {direct}");
    }

    #[test]
    fn engine_that_lost_every_game_does_not_prevent_ratings_of_the_others() {
        let pairs = [(["A", "B"], "wd"), (["A", "B"], "ld"), (["A", "C"], "ww"), (["B", "C"], "ww")];
        let tournament = Tournament::from_match(&part(&["A", "B", "C"], &pairs));
        let ratings = tournament.ratings.expect("A and B are connected");
        let status =
            |name: &str| ratings.iter().find(|it| it.standing.name == name).expect("it played").status;
        assert_eq!(
            ["A", "B", "C"].map(status),
            [RatingStatus::Rated, RatingStatus::Rated, RatingStatus::Winless]
        );
    }

    #[test]
    fn equal_pairs_say_nothing_about_the_error() {
        let elo = |results: [&str; 3]| {
            let pairs = [(["A", "B"], results[0]), (["A", "C"], results[1]), (["B", "C"], results[2])];
            let tournament = Tournament::from_match(&part(&["A", "B", "C"], &pairs));
            tournament.ratings.expect("connected")[0].elo()
        };
        assert_eq!(elo(["wl", "lw", "wl"]), "+0.0 (error unknown)");
        assert!(elo(["wl", "ld", "wl"]).contains('±'));
    }

    #[test]
    fn engine_without_games_has_no_rating() {
        let played = [(["A", "B"], "wd"), (["A", "B"], "ld")];
        let ratings =
            Tournament::from_match(&part(&["A", "B", "C"], &played)).ratings.expect("A and B are connected");
        let row = ratings.iter().find(|rated| rated.standing.name == "C").expect("it takes part").row();
        assert_eq!(row, ["C", "no games", "0", "0", "–", "0-0-0"]);
    }
}
