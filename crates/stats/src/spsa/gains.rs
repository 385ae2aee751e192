//! How far apart the two sides of an iteration are, and how far a game moves a value.

/// The gains of a parameter in an iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gains {
    /// The distance of both sides from the value.
    pub c: f64,
    /// A game that is won moves the value by r · c.
    pub r: f64,
}

/// The constants from which the gains of a parameter follow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StartGains {
    /// a₀.
    pub a: f64,
    /// c₀.
    pub c: f64,
}
