//! A match of the study: a manager against Classic under one time control.

use std::fmt;

use threefold_chess::clock::TimeControl;
use threefold_echo::timeman::TimeManager;
use threefold_run::{Labels, Part, Task};

/// A manager against the reference manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trial {
    /// The manager or variant to measure.
    pub manager: TimeManager,
    /// The time control of both.
    pub control: TimeControl,
}

/// The labels of a match.
const MANAGER: &str = "manager";
const CONTROL: &str = "control";

impl Trial {
    /// The reference manager.
    pub const BASE: TimeManager = TimeManager::Classic;
    /// The option of Echo that chooses the manager.
    pub const OPTION: &str = "TimeManager";

    /// Every match under these controls, one control after the other.
    pub fn all(controls: &[TimeControl]) -> Vec<Self> {
        let of_control = |&control| {
            let managers = TimeManager::ALL.iter().filter(|&&manager| manager != Self::BASE);
            managers.map(move |&manager| Self { manager, control })
        };
        controls.iter().flat_map(of_control).collect()
    }

    /// The labels of the match.
    pub fn labels(self) -> Labels {
        Labels::NONE.with(MANAGER, self.manager).with(CONTROL, self.control)
    }

    /// The match of these labels; `None` if it is not part of the study.
    pub(super) fn from_labels(labels: &Labels) -> Option<Self> {
        let trial = Self { manager: labels.parsed(MANAGER)?, control: labels.parsed(CONTROL)? };
        (trial.manager != Self::BASE).then_some(trial)
    }
}

/// The name of the match, for people.
impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.manager, self.control)
    }
}

/// The labels of a match that has none, from the first engine's option and the clocks.
pub(super) fn derived(part: &Part) -> Labels {
    let trial = || {
        let Task::Match(task) = &part.task else { return None };
        let options = &task.engines.first()?.options;
        let (_, manager) = options.iter().find(|(name, _)| name == Trial::OPTION)?;
        Some(Trial { manager: manager.parse().ok()?, control: task.control.time? })
    };
    trial().map_or(Labels::NONE, Trial::labels)
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture::games;
    use super::*;
    use threefold_chess::clock::Control;
    use threefold_run::MatchTask;

    fn trials() -> Vec<Trial> {
        let controls: Vec<TimeControl> =
            ["8+0.08", "40/10"].map(|text| text.parse().expect("sound")).to_vec();
        let trials = Trial::all(&controls);
        assert_eq!(trials.len(), 2 * (TimeManager::ALL.len() - 1));
        assert_eq!(trials[0].control, controls[0]);
        trials
    }

    #[test]
    fn labels_identify_the_match() {
        for trial in trials() {
            assert_eq!(Trial::from_labels(&trial.labels()), Some(trial));
        }
        let labels = || trials()[0].labels();
        for (key, value) in [(MANAGER, "Sand"), (MANAGER, "Classic"), (CONTROL, "noon")] {
            assert_eq!(Trial::from_labels(&labels().with(key, value)), None, "{key} {value}");
        }
        assert_eq!(Trial::from_labels(&Labels::NONE), None);
    }

    #[test]
    fn labels_are_derived_from_option_and_clocks() {
        let part = |engine: String, time| {
            let engines = [engine, "echo,name=x,TimeManager=Classic".to_owned()];
            let engines = engines.map(|spec| spec.parse().expect("sound")).to_vec();
            let control = Control { time, ..Control::default() };
            Part::without_labels("a match".to_owned(), Task::Match(MatchTask { engines, control, ..games() }))
        };
        for trial in trials() {
            let engine = format!("echo,name=x,TimeManager={}", trial.manager);
            assert_eq!(derived(&part(engine.clone(), Some(trial.control))), trial.labels());
            assert_eq!(derived(&part(engine, None)), Labels::NONE);
        }
        assert_eq!(derived(&part("echo,name=x".to_owned(), Some(trials()[0].control))), Labels::NONE);
    }
}
