//! The table `[thresholds]` of a suite file.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use crate::{CaseDefinition, Share, SourceFile, SuiteError, Thresholds};

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenThresholds {
    pass: Option<Spanned<f64>>,
    #[serde(default)]
    class: BTreeMap<Spanned<String>, Spanned<f64>>,
}

impl WrittenThresholds {
    /// The thresholds, if every class has a case.
    pub(super) fn check(
        &self,
        file: &SourceFile,
        definitions: &[CaseDefinition],
    ) -> Result<Thresholds, SuiteError> {
        let share = |written: &Spanned<f64>| {
            Share::new(*written.get_ref()).ok_or_else(|| {
                let what = format!("{} is not a share of cases", written.get_ref());
                file.error_at_span(written.span(), what, "give a number from 0 to 1 (0.95 for 95 %)")
            })
        };
        let pass = self.pass.as_ref().map(share).transpose()?;
        let mut class = BTreeMap::new();
        for (name, written) in &self.class {
            if !definitions.iter().any(|definition| definition.info.class == *name.get_ref()) {
                let mut known: Vec<&str> =
                    definitions.iter().map(|definition| definition.info.class.as_str()).collect();
                known.sort_unstable();
                known.dedup();
                let what = format!("no case is of class `{}`", name.get_ref());
                return Err(file.error_at_span(
                    name.span(),
                    what,
                    &format!("there are {}", known.join(", ")),
                ));
            }
            class.insert(name.get_ref().clone(), share(written)?);
        }
        Ok(Thresholds { pass, class })
    }
}
