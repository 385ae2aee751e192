//! The role of a player in a calibration.

use super::strength_option::AnchorRating;

/// The role of a rated player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlayerRole {
    /// The engine at a level of its strength option.
    Level(u32),
    /// An anchor with this rating.
    Anchor(AnchorRating),
}

impl PlayerRole {
    /// Is it an anchor?
    pub const fn is_anchor(self) -> bool {
        matches!(self, Self::Anchor(_))
    }
}
