//! The journal's form of how several takes share the games of a run: version 1.

use serde::{Deserialize, Serialize};

use super::fields::parse_field;
use crate::takes_rule::TakesRule;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TakesV1 {
    /// `first` or `all`.
    stop: String,
    /// `family` or `each`.
    guarantee: String,
    /// Pairs or single games.
    batch: u32,
    /// Batches.
    ahead: u32,
}

impl From<TakesRule> for TakesV1 {
    fn from(TakesRule { end, guarantee, batch, ahead }: TakesRule) -> Self {
        Self { stop: end.to_string(), guarantee: guarantee.to_string(), batch, ahead }
    }
}

impl TakesV1 {
    pub(super) fn restore(self) -> Result<TakesRule, String> {
        let Self { stop, guarantee, batch, ahead } = self;
        if batch == 0 || ahead == 0 {
            return Err("the batches of takes have no games".to_owned());
        }
        Ok(TakesRule { end: parse_field(&stop)?, guarantee: parse_field(&guarantee)?, batch, ahead })
    }
}
