//! The chances that an engine claims: `wdl WIN DRAW LOSS` in an `info` line, with the option `UCI_ShowWDL`.

use std::fmt;
use std::str::FromStr;

use super::tokens::Tokens;
use crate::score::{Bound, Score};

/// Chances sum to this.
const ALL: u16 = 1000;

/// The chances of a win, a draw and a loss in thousandths, from the view of the side to move. They sum to 1000.
///
/// ```
/// use threefold_chess::uci::WdlClaim;
///
/// let claim: WdlClaim = "312/641/47".parse().expect("it sums to 1000");
/// assert_eq!((claim.win(), claim.draw(), claim.loss()), (312, 641, 47));
/// assert!("312/641/48".parse::<WdlClaim>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WdlClaim {
    win: u16,
    loss: u16,
}

impl WdlClaim {
    /// `None` unless the three numbers sum to 1000.
    pub fn new(win: u16, draw: u16, loss: u16) -> Option<Self> {
        let sum = u32::from(win) + u32::from(draw) + u32::from(loss);
        (sum == u32::from(ALL)).then_some(Self { win, loss })
    }

    /// Of a win.
    pub const fn win(self) -> u16 {
        self.win
    }

    /// Of a draw.
    pub const fn draw(self) -> u16 {
        ALL - self.win - self.loss
    }

    /// Of a loss.
    pub const fn loss(self) -> u16 {
        self.loss
    }

    /// The same chances from the opponent's view.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { win: self.loss, loss: self.win }
    }

    /// The expected score, from 0 to 1.
    pub fn expected_score(self) -> f64 {
        (f64::from(self.win) + f64::from(self.draw()) / 2.0) / f64::from(ALL)
    }

    /// Does it favour one side, and the score the other? One thousandth may be rounding.
    pub fn contradicts(self, score: Score) -> bool {
        let side = match score {
            Score::Cp(value) => value.0.signum(),
            Score::Mate(mate) => mate.moves().signum(),
        };
        let lead = i32::from(self.win) - i32::from(self.loss);
        side * lead < -1
    }

    /// Reads the words after `wdl`; they are not consumed if they are no claim.
    pub(super) fn read(tokens: &mut Tokens<'_>) -> Option<Self> {
        let mut ahead = tokens.clone();
        let claim = Self::new(ahead.next_parsed()?, ahead.next_parsed()?, ahead.next_parsed()?)?;
        *tokens = ahead;
        Some(claim)
    }
}

/// `312/641/47`
impl fmt::Display for WdlClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.win, self.draw(), self.loss)
    }
}

/// A text that is no claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a claim is three numbers that sum to 1000, such as 312/641/47")]
pub struct NoWdlClaim;

impl FromStr for WdlClaim {
    type Err = NoWdlClaim;

    fn from_str(text: &str) -> Result<Self, NoWdlClaim> {
        let mut numbers = text.split('/').map(|number| number.parse().map_err(|_| NoWdlClaim));
        let mut next = || numbers.next().ok_or(NoWdlClaim)?;
        let claim = Self::new(next()?, next()?, next()?).ok_or(NoWdlClaim)?;
        if numbers.next().is_some() { Err(NoWdlClaim) } else { Ok(claim) }
    }
}

/// What is wrong with `wdl` in the text of an `info` line: not three numbers from 0, another sum than 1000, or a lead of the
/// side that an exact score does not favour. `None` if nothing is, or the line has no `wdl`.
pub fn wdl_fault(line: &str, score: Option<(Score, Bound)>) -> Option<String> {
    if !line.contains("wdl") {
        return None;
    }
    // Free text after `string` may contain the word.
    let mut words = line.split_ascii_whitespace().take_while(|word| *word != "string");
    words.find(|word| *word == "wdl")?;
    let words: Vec<&str> = words.take(3).collect();
    let written = words.join(" ");
    let numbers: Vec<u16> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let [win, draw, loss] = numbers[..] else {
        return Some(format!("`wdl {written}` is not three numbers from 0 to 1000"));
    };
    let Some(claim) = WdlClaim::new(win, draw, loss) else {
        let sum = u32::from(win) + u32::from(draw) + u32::from(loss);
        return Some(format!("`wdl {written}` sums to {sum}, not to 1000"));
    };
    match score {
        Some((score, Bound::Exact)) if claim.contradicts(score) => {
            Some(format!("`wdl {written}` favours the other side than `score {score}`"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{Centipawns, MateDistance};

    #[test]
    fn wrong_claims_are_found() {
        let cp = |value| Some((Score::Cp(Centipawns(value)), Bound::Exact));
        let mate = |moves| MateDistance::from_moves(moves).map(|mate| (Score::Mate(mate), Bound::Exact));
        let bound = |value| Some((Score::Cp(Centipawns(value)), Bound::Lower));
        let table = [
            // words, score, what is wrong
            ("wdl 312 641 47 nodes 5", cp(80), None),
            ("wdl 0 1000 0", cp(0), None),
            ("wdl 47 641 312", cp(-80), None),
            ("wdl 1000 0 0", mate(3), None),
            ("depth 5", cp(80), None),
            ("string wdl 1 2", cp(80), None),
            ("wdl 300 399 301", cp(1), None),
            ("wdl 47 641 312", bound(80), None),
            ("wdl 47 641 312", cp(0), None),
            ("wdl 47 641 312", None, None),
            ("wdl 312 641 48", cp(80), Some("`wdl 312 641 48` sums to 1001, not to 1000")),
            ("wdl 312 -641 47", cp(80), Some("`wdl 312 -641 47` is not three numbers from 0 to 1000")),
            ("wdl 0.3 0.6 0.1", cp(80), Some("`wdl 0.3 0.6 0.1` is not three numbers from 0 to 1000")),
            ("wdl 312 641", cp(80), Some("`wdl 312 641` is not three numbers from 0 to 1000")),
            ("wdl 47 641 312", cp(80), Some("`wdl 47 641 312` favours the other side than `score cp 80`")),
            ("wdl 1000 0 0", mate(-2), Some("`wdl 1000 0 0` favours the other side than `score mate -2`")),
        ];
        for (words, score, wrong) in table {
            assert_eq!(wdl_fault(&format!("info {words}"), score).as_deref(), wrong, "{words}");
        }
    }

    #[test]
    fn claim_is_printed_as_it_is_read() {
        for text in ["0/1000/0", "1000/0/0", "312/641/47"] {
            assert_eq!(text.parse::<WdlClaim>().map(|claim| claim.to_string()), Ok(text.to_owned()));
        }
        for bad in ["", "1000", "500/500", "1/2/997/0", "a/b/c", "-1/1001/0", "65535/1/1"] {
            assert_eq!(bad.parse::<WdlClaim>(), Err(NoWdlClaim), "{bad}");
        }
        let claim = WdlClaim::new(300, 500, 200).expect("a claim");
        assert!((claim.expected_score() - 0.55).abs() < 1e-12);
    }
}
