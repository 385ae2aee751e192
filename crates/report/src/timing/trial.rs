//! A match of the study: which manager plays Classic, and on which clock.

use std::fmt;
use std::str::FromStr;

use threefold_chess::clock::TimeControl;
use threefold_echo::timeman::TimeManager;

/// A manager against the one that all others are compared with. Its text is the name of the match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trial {
    /// Whose worth is asked.
    pub manager: TimeManager,
    /// What both clocks grant.
    pub control: TimeControl,
}

/// Why text names no match of the study.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` names no match of managers; write one as `Smooth at 8+0.08`")]
pub struct NoTrial(String);

impl Trial {
    /// Whom all others play.
    pub const BASE: TimeManager = TimeManager::Classic;

    /// Every match under these controls, one control after the other.
    pub fn all(controls: &[TimeControl]) -> Vec<Self> {
        let of_control = |&control| {
            let managers = TimeManager::ALL.iter().filter(|&&manager| manager != Self::BASE);
            managers.map(move |&manager| Self { manager, control })
        };
        controls.iter().flat_map(of_control).collect()
    }
}

impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.manager, self.control)
    }
}

impl FromStr for Trial {
    type Err = NoTrial;

    fn from_str(text: &str) -> Result<Self, NoTrial> {
        let read = || {
            let (manager, control) = text.split_once(" at ")?;
            let trial = Self { manager: manager.parse().ok()?, control: control.parse().ok()? };
            (trial.manager != Self::BASE).then_some(trial)
        };
        read().ok_or_else(|| NoTrial(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_match_says_what_it_is() {
        let controls: Vec<TimeControl> =
            ["8+0.08", "40/10"].map(|text| text.parse().expect("sound")).to_vec();
        let trials = Trial::all(&controls);
        assert_eq!(trials.len(), 2 * (TimeManager::ALL.len() - 1));
        assert_eq!(trials[0].control, controls[0]);
        for trial in trials {
            assert_eq!(trial.to_string().parse(), Ok(trial));
        }
        for other in ["", "Smooth", "Smooth at noon", "Sand at 8+0.08", "Classic at 8+0.08", "match"] {
            assert_eq!(other.parse::<Trial>(), Err(NoTrial(other.to_owned())));
        }
    }
}
