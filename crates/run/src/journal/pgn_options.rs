//! The journal's form of the PGN options of a match: version 1.

use serde::{Deserialize, Serialize};

use super::fields::parse_field;
use threefold_games::move_details::DetailSelection;
use threefold_games::pgn::{PgnExtent, PgnNotation, PgnOptions};

/// What differs from the defaults.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PgnOptionsV1 {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fields: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    match_lines: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    notation: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    extent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    event: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    site: Option<String>,
}

impl PgnOptionsV1 {
    /// `None` for the defaults, which are not written.
    pub(super) fn from_options(options: &PgnOptions) -> Option<Self> {
        let PgnOptions { details: DetailSelection { fields, match_lines }, notation, extent, event, site } =
            options;
        (*options != PgnOptions::default()).then(|| Self {
            fields: fields.as_ref().map(|fields| fields.iter().map(ToString::to_string).collect()),
            match_lines: match_lines.iter().map(ToString::to_string).collect(),
            notation: (*notation != PgnNotation::default()).then(|| notation.to_string()),
            extent: (*extent != PgnExtent::default()).then(|| extent.to_string()),
            event: event.clone(),
            site: site.clone(),
        })
    }

    pub(super) fn restore(self) -> Result<PgnOptions, String> {
        let Self { fields, match_lines, notation, extent, event, site } = self;
        let fields =
            fields.map(|fields| fields.iter().map(|field| parse_field(field)).collect::<Result<_, _>>());
        let match_lines = match_lines.iter().map(|pattern| parse_field(pattern)).collect::<Result<_, _>>()?;
        Ok(PgnOptions {
            details: DetailSelection { fields: fields.transpose()?, match_lines },
            notation: notation.map_or(Ok(PgnNotation::default()), |name| parse_field(&name))?,
            extent: extent.map_or(Ok(PgnExtent::default()), |name| parse_field(&name))?,
            event,
            site,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_games::move_details::MoveField;

    #[test]
    fn pgn_options_are_restored_and_defaults_are_not_written() {
        assert!(PgnOptionsV1::from_options(&PgnOptions::default()).is_none());
        let details = DetailSelection {
            fields: Some(vec![MoveField::Nps, MoveField::Pv]),
            match_lines: vec!["^info string".parse().expect("valid")],
        };
        let all = [
            PgnOptions { details, ..PgnOptions::default() },
            PgnOptions {
                details: DetailSelection { fields: Some(Vec::new()), match_lines: Vec::new() },
                ..PgnOptions::default()
            },
            PgnOptions { notation: PgnNotation::Lan, ..PgnOptions::default() },
            PgnOptions { extent: PgnExtent::Minimal, ..PgnOptions::default() },
            PgnOptions { event: Some("E".to_owned()), ..PgnOptions::default() },
            PgnOptions { site: Some("S".to_owned()), ..PgnOptions::default() },
        ];
        for options in all {
            let text = serde_json::to_string(&PgnOptionsV1::from_options(&options)).expect("JSON");
            let again: PgnOptionsV1 = serde_json::from_str(&text).expect(&text);
            assert_eq!(again.restore(), Ok(options), "{text}");
        }
        let restored = |text: &str| serde_json::from_str::<PgnOptionsV1>(text).expect(text).restore();
        assert!(restored(r#"{"fields":["speed"]}"#).expect_err("unknown").contains("`speed` is not known"));
        assert!(restored(r#"{"match_lines":["("]}"#).expect_err("invalid").contains("no regular expression"));
    }
}
