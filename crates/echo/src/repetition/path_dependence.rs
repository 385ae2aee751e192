//! The ancestor of a node that its value depends on.

/// The highest ancestor that a value depends on, by its ply; none for a value that is independent of the
/// path.
///
/// A repetition is a draw because of an earlier occurrence. Below that ancestor the draw is a property of the
/// path, not of the position, and so is every value computed from it (Muller's rep ply).
///
/// Two bytes, one of them a `bool`, leave a niche, so that an optional result with its path dependence fits
/// in one register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathDependence {
    ply: u8,
    depends: bool,
}

impl PathDependence {
    /// Independent of the path.
    pub const NONE: Self = Self { ply: u8::MAX, depends: false };

    /// Depends on the node at this ply.
    pub const fn on_ply(ply: usize) -> Self {
        assert!(ply < u8::MAX as usize, "no line of play is so long");
        Self { ply: ply as u8, depends: true }
    }

    /// Whether it is above this ply. A value of a node at this ply is then path-dependent.
    pub const fn is_above(self, ply: usize) -> bool {
        self.depends && (self.ply as usize) < ply
    }

    /// The distance of that node above one at this ply, in plies; 0 if it is not above.
    pub const fn distance_from(self, ply: usize) -> u8 {
        if self.is_above(ply) { (ply - self.ply as usize) as u8 } else { 0 }
    }

    /// The higher one of both.
    #[must_use]
    pub const fn or_higher(self, other: Self) -> Self {
        // A value without dependence has the largest ply, so it needs no case of its own.
        if self.ply < other.ply { self } else { other }
    }
}
