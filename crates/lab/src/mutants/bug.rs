//! Every bug of the mutation tests.

use threefold_echo::mutants::Mutant;
use threefold_echo::options;
use threefold_player::spec::HarnessKey;
use threefold_player::{BorderFault, EngineSpec, SpecError, SpecKey};

/// The option of Echo that seeds a bug of the search.
const OPTION: &str = "Mutant";

/// A bug, by its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bug {
    /// In Echo's search.
    Seeded(Mutant),
    /// Between the harness and any engine.
    Border(BorderFault),
}

impl Bug {
    /// The value of the option `Mutant`, or of the SPEC key `fault` for a fault of the border, that turns the bug on.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seeded(mutant) => mutant.name(),
            Self::Border(fault) => fault.name(),
        }
    }

    /// The engine with this bug, under the same name.
    pub fn put_into(self, engine: &EngineSpec) -> Result<EngineSpec, SpecError> {
        let key = match self {
            Self::Seeded(_) => SpecKey::Option(OPTION.to_owned()),
            Self::Border(_) => HarnessKey::Fault.into(),
        };
        engine.with(&[(key, self.name()), (HarnessKey::Name.into(), &engine.name)])
    }
}

/// Can bugs be seeded in the search of this build's Echo?
pub fn has_seeded_bugs() -> bool {
    options::table().iter().any(|row| row.name == OPTION)
}
