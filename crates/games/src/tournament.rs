//! What a tournament is made of: who meets, the games of an encounter, the colours, and a game of the
//! schedule.

threefold_named_enum::named_enum! {
    /// Which players meet.
    pub enum TournamentFormat {
        /// Everyone meets everyone.
        RoundRobin = "round-robin",
        /// The first player, or each of the first ones, meets all others.
        Gauntlet = "gauntlet",
        /// Every player meets all players before it, one player after another.
        Pyramid = "pyramid",
        /// The loser of an encounter is out. Who meets depends on results, so a schedule has one encounter:
        /// that of the first two players.
        Knockout = "knockout",
        /// Players with similar points meet, in a given number of rounds. Who meets depends on results, so a
        /// schedule has one encounter: that of the first two players.
        Swiss = "swiss",
    }
}

threefold_named_enum::named_enum! {
    /// The games of an encounter: a meeting of two players in a round.
    pub enum EncounterLength {
        /// Two games from one opening.
        Pair = "pair",
        /// One game. Colours alternate from game to game.
        Single = "single",
    }
}

threefold_named_enum::named_enum! {
    /// Who has White.
    pub enum Colours {
        /// The first player in even games (counted from 0), the second in odd ones.
        Alternate = "alternate",
        /// The second player in even games, the first in odd ones.
        AlternateReversed = "alternate-reversed",
        /// The first player in every game.
        Fixed = "fixed",
        /// The second player in every game.
        FixedReversed = "fixed-reversed",
    }
}

impl Colours {
    /// The colours without a change from game to game.
    #[must_use]
    pub const fn fixed(self) -> Self {
        match self {
            Self::Alternate | Self::Fixed => Self::Fixed,
            Self::AlternateReversed | Self::FixedReversed => Self::FixedReversed,
        }
    }

    /// The colours with the second player in the place of the first.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Alternate | Self::AlternateReversed => Self::AlternateReversed,
            Self::Fixed | Self::FixedReversed => Self::FixedReversed,
        }
    }
}

impl EncounterLength {
    /// The number of its games.
    pub const fn games(self) -> usize {
        match self {
            Self::Pair => 2,
            Self::Single => 1,
        }
    }
}

/// One game of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScheduledGame {
    /// The game's index in the schedule, from 0.
    pub index: usize,
    /// The round, from 1.
    pub round: usize,
    /// The encounter, from 0; the games of a pair are 2 · `encounter` and 2 · `encounter` + 1.
    pub encounter: usize,
    /// The player with White.
    pub white: usize,
    /// The player with Black.
    pub black: usize,
    /// The index of the opening in the book, from 0.
    pub opening: usize,
}

/// The k-th pairing of a pyramid: the second player meets the first, the third meets both, and so on. The
/// later player is the first of its pairings.
pub(super) const fn pyramid(mut meeting: usize) -> (usize, usize) {
    let mut player = 1;
    while meeting >= player {
        meeting -= player;
        player += 1;
    }
    (player, meeting)
}
