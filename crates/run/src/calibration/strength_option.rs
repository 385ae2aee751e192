//! An option that sets an engine's strength, and the players that it makes of the engine.

use std::collections::HashMap;
use std::str::FromStr;

use threefold_echo::options::STRENGTH_SEED;

use crate::PartResult;
use threefold_player::spec::{EngineSource, HarnessKey};
use threefold_player::{EngineSpec, SpecError, SpecKey};

/// UCI's option for a requested strength; it needs `UCI_LimitStrength`.
const UCI_ELO: &str = "UCI_Elo";
const LIMITED: &str = "UCI_LimitStrength";
/// The clock of a player that cannot count time in nodes.
const WALL: &str = "wall";

/// An engine with an option that sets its strength.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StrengthOption {
    engine: EngineSpec,
    option: String,
}

impl StrengthOption {
    /// The option `option` of this engine.
    pub const fn new(engine: EngineSpec, option: String) -> Self {
        Self { engine, option }
    }

    /// The engine that is calibrated.
    pub const fn engine(&self) -> &EngineSpec {
        &self.engine
    }

    /// The name of the strength option, such as `UCI_Elo`.
    pub fn option(&self) -> &str {
        &self.option
    }

    /// Does the option take Elo?
    pub fn asks_for_elo(&self) -> bool {
        self.option.eq_ignore_ascii_case(UCI_ELO)
    }

    /// The engine's name at a level.
    pub fn name(&self, level: u32) -> String {
        format!("{} {level}", self.engine.name)
    }

    /// The level of a player, if it is this engine at a level.
    pub fn level(&self, player: &EngineSpec) -> Option<u32> {
        let level = player.setting(&self.option.as_str().into())?.parse().ok()?;
        (player.source == self.engine.source && player.name == self.name(level)).then_some(level)
    }

    /// The levels of this engine in these parts, by the players' names.
    pub fn levels(&self, parts: &[PartResult<'_>]) -> HashMap<String, u32> {
        let engines = parts.iter().filter_map(PartResult::match_task).flat_map(|task| &task.engines);
        engines.filter_map(|engine| Some((engine.name.clone(), self.level(engine)?))).collect()
    }

    /// The level at which this engine would have this name, which another engine cannot use then.
    pub fn level_with_name(&self, name: &str) -> Option<u32> {
        name.strip_prefix(self.engine.name.as_str())?.strip_prefix(' ')?.parse().ok()
    }

    /// The engine at a level. Echo's random errors use the seed.
    pub fn engine_at(&self, level: u32, seed: u32) -> Result<EngineSpec, SpecError> {
        let (name, level, seed) = (self.name(level), level.to_string(), seed.to_string());
        let mut settings = vec![
            (SpecKey::from(HarnessKey::Name), name.as_str()),
            (self.option.as_str().into(), level.as_str()),
        ];
        if self.asks_for_elo() {
            settings.push((LIMITED.into(), "true"));
        }
        if self.engine.source == EngineSource::Echo {
            settings.push((STRENGTH_SEED.into(), seed.as_str()));
        }
        self.engine.with(&settings)
    }
}

/// An engine with a known rating.
#[derive(Debug, Clone, PartialEq)]
pub struct AnchorEngine {
    /// The anchor's spec.
    pub engine: EngineSpec,
    /// The rating in the list, and what it is fixed to.
    pub rated: AnchorRating,
}

/// The rating of an anchor, in Elo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AnchorRating {
    /// The published rating.
    pub listed: f64,
    /// The rating measured before at this calibration's time control, if known.
    pub measured: Option<f64>,
}

impl AnchorRating {
    /// The rating used for the scale.
    pub fn on_scale(self) -> f64 {
        self.measured.unwrap_or(self.listed)
    }
}

/// Why a text is not an anchor.
#[derive(Debug, thiserror::Error)]
pub enum AnchorError {
    /// No number after the last `=`.
    #[error(
        "`{0}` has no rating; write SPEC=ELO, such as `./stash-21,name=Stash 21=2713`, or SPEC=ELO@ELO with what it was \
         measured to be worth at this time control"
    )]
    NoRating(String),
    /// The text before it is not an engine.
    #[error(transparent)]
    Spec(#[from] SpecError),
}

impl AnchorEngine {
    /// The anchor as a player: a process with wall time, unless its spec names another clock.
    pub fn player(&self) -> Result<EngineSpec, SpecError> {
        match self.engine.source {
            EngineSource::Echo => Ok(self.engine.clone()),
            EngineSource::Command { .. } => self.engine.with_defaults(&[(HarnessKey::Clock, WALL)]),
        }
    }
}

impl FromStr for AnchorEngine {
    type Err = AnchorError;

    fn from_str(text: &str) -> Result<Self, AnchorError> {
        let no_rating = || AnchorError::NoRating(text.to_owned());
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        let (spec, rating) = text.rsplit_once('=').ok_or_else(no_rating)?;
        let rated = match rating.split_once('@') {
            None => number(rating).map(|elsewhere| AnchorRating { listed: elsewhere, measured: None }),
            Some((elsewhere, here)) => number(elsewhere)
                .zip(number(here))
                .map(|(elsewhere, here)| AnchorRating { listed: elsewhere, measured: Some(here) }),
        };
        let engine = spec.parse().map_err(|error| match error {
            // The last `=` belonged to a setting.
            SpecError::NoValue(_) => no_rating(),
            error => AnchorError::Spec(error),
        })?;
        Ok(Self { rated: rated.ok_or_else(no_rating)?, engine })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_is_a_separate_player() {
        let option =
            StrengthOption::new("echo,name=Echo,Hash=4".parse().expect("sound"), "UCI_Elo".to_owned());
        let player = option.engine_at(1200, 7).expect("sound");
        assert_eq!(
            player.text,
            "echo,Hash=4,name=Echo 1200,UCI_Elo=1200,UCI_LimitStrength=true,StrengthSeed=7"
        );
        let table = [
            // a player, its level
            (player.text.as_str(), Some(1200)),
            ("echo,name=Echo 1200,uci_elo=1200", Some(1200)),
            ("echo,name=Echo", None),
            ("echo,name=Echo 1200", None),
            ("echo,name=Full,UCI_Elo=1200", None),
            ("echo,name=Echo 1200,UCI_Elo=1300", None),
            ("./echo,name=Echo 1200,UCI_Elo=1200", None),
        ];
        for (player, level) in table {
            assert_eq!(option.level(&player.parse().expect("sound")), level, "{player}");
        }
        assert_eq!(
            [&player.text, "echo,name=Echo", "echo,name=Echo 1200", "echo,name=Anchor,UCI_Elo=1200"]
                .map(|text| option.level(&text.parse().expect("sound"))),
            [Some(1200), None, None, None]
        );
        let other = StrengthOption::new("./fish,name=Fish".parse().expect("sound"), "Skill Level".to_owned());
        assert_eq!(other.engine_at(3, 7).expect("sound").text, "./fish,name=Fish 3,Skill Level=3");
    }

    #[test]
    fn anchor_is_an_engine_with_its_rating() {
        let anchor: AnchorEngine = "./stash-21,name=Stash 21=2713".parse().expect("sound");
        assert_eq!((anchor.engine.name.as_str(), anchor.rated.on_scale()), ("Stash 21", 2713.0));
        let measured: AnchorEngine = "./stash-21,name=Stash 21=2713@2501.5".parse().expect("sound");
        assert_eq!(measured.rated, AnchorRating { listed: 2713.0, measured: Some(2501.5) });
        assert_eq!((measured.engine, measured.rated.on_scale()), (anchor.engine, 2501.5));
        let player = |text: &str| text.parse::<AnchorEngine>().expect(text).player().expect("sound").text;
        assert_eq!(player("./stash-21,name=Stash 21=2713"), "./stash-21,name=Stash 21,clock=wall");
        assert_eq!(player("./fish,name=F,clock=virtual:1000=2713"), "./fish,name=F,clock=virtual:1000");
        assert_eq!(player("echo,name=Full=3351"), "echo,name=Full");
        for (text, part) in [
            ("./stash-21", "has no rating"),
            ("./stash-21,name=Stash 21", "has no rating"),
            ("./stash-21,name=Stash 21,Hash=16", "Hash=16` has no rating"),
            ("./stash-21=nan", "has no rating"),
            ("./stash-21=2713@", "has no rating"),
            ("./stash-21=@2501", "has no rating"),
            (",x=5=2700", "names no engine"),
        ] {
            let error = text.parse::<AnchorEngine>().expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
