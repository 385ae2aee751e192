//! The games of a player, and their figures as cutechess-cli prints them.

use std::collections::BTreeMap;

use super::number;
use super::score::logistic;
use threefold_player::EngineSpec;
use threefold_stats::Trinomial;
use threefold_stats::elo::normal_cdf;

/// The games of a player.
pub(super) struct Standing {
    pub(super) name: String,
    /// Its time control.
    pub(super) control: String,
    pub(super) white: Trinomial,
    pub(super) black: Trinomial,
    /// How often each outcome occurred, in words.
    pub(super) outcomes: BTreeMap<String, u64>,
    /// How often each outcome occurred, by the names of the fields in `config.json`.
    pub(super) ends: BTreeMap<&'static str, u64>,
}

impl Standing {
    /// An engine without games.
    pub(super) fn new(engine: &EngineSpec) -> Self {
        Self {
            name: engine.name.clone(),
            control: engine.control.to_string(),
            white: Trinomial::EMPTY,
            black: Trinomial::EMPTY,
            outcomes: BTreeMap::new(),
            ends: BTreeMap::new(),
        }
    }

    /// The number of games that ended in this way for the player.
    pub(super) fn ends(&self, field: &str) -> String {
        self.ends.get(field).copied().unwrap_or_default().to_string()
    }

    pub(super) fn all(&self) -> Trinomial {
        self.white + self.black
    }
}

/// A player with its place.
pub(super) struct Row<'s> {
    pub(super) rank: usize,
    pub(super) standing: &'s Standing,
}

impl Row<'_> {
    pub(super) fn all(&self) -> Results {
        Results(self.standing.all())
    }

    pub(super) const fn white(&self) -> Results {
        Results(self.standing.white)
    }

    pub(super) const fn black(&self) -> Results {
        Results(self.standing.black)
    }
}

/// Results of games with their figures as text. Elo is logistic, with half of its 95 % interval as the error.
pub(super) struct Results(pub(super) Trinomial);

impl Results {
    pub(super) const fn losses(&self) -> u64 {
        self.0.counts[0]
    }

    pub(super) const fn draws(&self) -> u64 {
        self.0.counts[1]
    }

    pub(super) const fn wins(&self) -> u64 {
        self.0.counts[2]
    }

    pub(super) fn games(&self) -> u64 {
        self.0.games()
    }

    pub(super) fn points(&self) -> String {
        fixed(self.0.points(), 1)
    }

    pub(super) fn score(&self) -> String {
        format!("{}%", fixed(100.0 * self.share(), 1))
    }

    pub(super) fn draw_share(&self) -> String {
        format!("{}%", fixed(self.draw_percentage(), 1))
    }

    pub(super) fn elo(&self) -> String {
        self.elo_with(0)
    }

    pub(super) fn error(&self) -> String {
        self.error_with(0)
    }

    pub(super) fn superiority(&self) -> String {
        format!("{}%", fixed(self.superiority_percentage(), 1))
    }

    pub(super) fn elo_with(&self, decimals: usize) -> String {
        fixed(logistic(&self.0.counts)[0], decimals)
    }

    pub(super) fn error_with(&self, decimals: usize) -> String {
        fixed(logistic(&self.0.counts)[1], decimals)
    }

    /// cutechess-cli's formula: from the decisive games alone.
    pub(super) fn superiority_percentage(&self) -> f64 {
        let [losses, _, wins] = self.0.counts.map(|count| count as f64);
        100.0 * normal_cdf((wins - losses) / (wins + losses).sqrt())
    }

    pub(super) fn draw_percentage(&self) -> f64 {
        100.0 * self.draws() as f64 / self.games() as f64
    }

    pub(super) fn share(&self) -> f64 {
        self.0.points() / self.games() as f64
    }

    /// `2 - 1 - 3  [0.583] 6`: wins, losses and draws, the share of the points, and the games.
    pub(super) fn tally(&self) -> String {
        format!(
            "{} - {} - {}  [{}] {}",
            self.wins(),
            self.losses(),
            self.draws(),
            fixed(self.share(), 3),
            self.games()
        )
    }
}

/// A number as Qt prints it: zero has no sign.
pub(super) fn fixed(number: f64, decimals: usize) -> String {
    // Adding 0.0 removes the sign of a zero: -0.0 + 0.0 is 0.0.
    if number.is_nan() { "nan".to_owned() } else { number::fixed(number + 0.0, decimals) }
}
