//! Ratings that are known before a fit: fixed ones, and priors.

use std::str::FromStr;

/// A player with a fixed rating: `NAME=ELO`.
#[derive(Debug, Clone, PartialEq)]
pub struct FixedRating {
    /// The player.
    pub name: String,
    /// Its rating.
    pub rating: f64,
}

impl FromStr for FixedRating {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        // The last `=`, since a name may have one, and a number can't.
        let (name, rating) = given.rsplit_once('=').ok_or("write NAME=ELO, such as Echo=2000")?;
        Ok(Self { name: name.to_owned(), rating: finite(rating)? })
    }
}

/// A Gaussian prior of a player's rating: `NAME=ELO,SD`, or `NAME=ELO±SD`.
#[derive(Debug, Clone, PartialEq)]
pub struct Prior {
    /// The player.
    pub name: String,
    /// The mean, in Elo.
    pub mean: f64,
    /// The standard deviation, in Elo.
    pub sd: f64,
}

impl FromStr for Prior {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        let form = "write NAME=ELO,SD, such as Echo=2000,30";
        let (name, rating) = given.rsplit_once('=').ok_or(form)?;
        let (mean, sd) = rating.split_once([',', '±']).ok_or(form)?;
        let (mean, sd) = (finite(mean)?, finite(sd)?);
        if sd <= 0.0 {
            return Err("the standard deviation must be above 0; use --anchor to fix the rating".to_owned());
        }
        Ok(Self { name: name.to_owned(), mean, sd })
    }
}

/// Parses a finite number.
///
/// # Errors
/// If the text is no number, or not a finite one.
pub fn finite(given: &str) -> Result<f64, String> {
    let number = given.trim().parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| format!("`{given}` is not a number; give one such as 2500 or -12.5"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_ratings_and_priors_are_parsed() {
        let held = |text: &str| text.parse::<FixedRating>().map(|held| (held.name, held.rating)).ok();
        assert_eq!(held("a=b, c=-12.5"), Some(("a=b, c".to_owned(), -12.5)));
        assert_eq!((held("a"), held("a=x"), held("a=nan")), (None, None, None));
        let prior = |text: &str| text.parse::<Prior>().map(|prior| (prior.name, prior.mean, prior.sd)).ok();
        assert_eq!(prior("a=2000,30"), Some(("a".to_owned(), 2000.0, 30.0)));
        assert_eq!(prior("a=-5±2.5"), Some(("a".to_owned(), -5.0, 2.5)));
        assert_eq!((prior("a=2000"), prior("a=2000,0"), prior("2000,3")), (None, None, None));
    }
}
