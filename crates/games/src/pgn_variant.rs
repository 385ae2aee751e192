//! The tag `Variant` of PGN: is a game one of chess?
//!
//! Games of atomic chess or of crazyhouse have moves that look like those of chess. Read as chess, they would
//! be other games.

/// Is this value of the tag `Variant` chess or Chess960? Programs write many names; case, blanks and signs
/// don't matter.
pub(crate) fn is_chess(value: &[u8]) -> bool {
    let letters = value.iter().filter(|byte| byte.is_ascii_alphanumeric());
    let name: Vec<u8> = letters.map(u8::to_ascii_lowercase).collect();
    NAMES.iter().any(|known| known.as_bytes() == name)
}

/// Names of chess and Chess960, in lower case, without blanks; no name is chess.
const NAMES: [&str; 15] = [
    "",
    "standard",
    "chess",
    "normal",
    "orthodox",
    "regular",
    "fromposition",
    "chess960",
    "fischerandom",
    "fischerrandom",
    "fischerandomchess",
    "fischerrandomchess",
    "freestyle",
    "freestylechess",
    "frc",
];

#[cfg(test)]
mod tests {
    use super::is_chess;

    #[test]
    fn variants_are_chess_or_not() {
        for name in
            ["Standard", "From Position", "chess 960", "Chess960", "fischerandom", "Fischer-Random", "?", ""]
        {
            assert!(is_chess(name.as_bytes()), "{name}");
        }
        for name in
            ["Atomic", "Crazyhouse", "King of the Hill", "Three-check", "Antichess", "Chess with holes"]
        {
            assert!(!is_chess(name.as_bytes()), "{name}");
        }
    }
}
