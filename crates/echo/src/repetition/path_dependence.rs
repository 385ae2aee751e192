//! On which ancestor of a node its value hangs.

/// The highest ancestor that a value hangs on, by its ply; none for a value that means the same wherever the
/// position stands.
///
/// A repetition is a draw because of where the position stood before. Below that ancestor the draw is a fact of
/// the line of play, not of the position, and so is every value that it goes into (Muller's rep ply).
///
/// Two bytes, one of them a truth value: that leaves room for a verdict with its anchor, or for none, to fit in
/// one register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathDependence {
    ply: u8,
    depends: bool,
}

impl PathDependence {
    /// Hangs on nothing.
    pub const NONE: Self = Self { ply: u8::MAX, depends: false };

    /// Hangs on the node at this ply.
    pub const fn at(ply: usize) -> Self {
        assert!(ply < u8::MAX as usize, "no line of play is so long");
        Self { ply: ply as u8, depends: true }
    }

    /// Does it lie above this ply? A value of a node there is then one of the line of play.
    pub const fn is_above(self, ply: usize) -> bool {
        self.depends && (self.ply as usize) < ply
    }

    /// Whichever lies higher.
    #[must_use]
    pub const fn or_higher(self, other: Self) -> Self {
        if self.ply < other.ply { self } else { other }
    }
}
