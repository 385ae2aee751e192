//! Who asked for a run and how it is carried out, as the journal writes it: version 1.

use std::num::NonZeroUsize;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::record::nanos;
use crate::work::job::{Conditions, Owner};

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OwnerV1 {
    machine: String,
    user: String,
}

/// What was asked for; times in nanoseconds.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConditionsV1 {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    concurrency: Option<NonZeroUsize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    startup: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    patience: Option<u64>,
}

impl From<&Owner> for OwnerV1 {
    fn from(Owner { machine, user }: &Owner) -> Self {
        Self { machine: machine.clone(), user: user.clone() }
    }
}

impl From<OwnerV1> for Owner {
    fn from(OwnerV1 { machine, user }: OwnerV1) -> Self {
        Self { machine, user }
    }
}

impl From<&Conditions> for ConditionsV1 {
    fn from(&Conditions { concurrency, startup, patience }: &Conditions) -> Self {
        Self { concurrency, startup: startup.map(nanos), patience: patience.map(nanos) }
    }
}

impl From<ConditionsV1> for Conditions {
    fn from(ConditionsV1 { concurrency, startup, patience }: ConditionsV1) -> Self {
        let [startup, patience] = [startup, patience].map(|time| time.map(Duration::from_nanos));
        Self { concurrency, startup, patience }
    }
}
