//! The journal's form of what adjudication in shadow mode would have done: version 1.

use serde::{Deserialize, Serialize};

use super::fields::OutcomeV1;
use threefold_games::playout::{RuleKind, ShadowEnd};

/// The name of the rule's end, the result, and the number of moves before it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ShadowV1(String, OutcomeV1, usize);

impl From<&ShadowEnd> for ShadowV1 {
    fn from(end: &ShadowEnd) -> Self {
        Self(end.rule.end.to_owned(), end.outcome.into(), end.ply)
    }
}

impl ShadowV1 {
    pub(super) fn restore(self) -> Result<ShadowEnd, String> {
        let Self(end, outcome, ply) = self;
        let rule = RuleKind::of_end(&end).ok_or_else(|| format!("no rule ends a game by `{end}`"))?;
        Ok(ShadowEnd { rule, outcome: outcome.into(), ply })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_games::playout::GameOutcome;

    #[test]
    fn shadow_ends_are_read_back() {
        let rule = RuleKind::named("resign").expect("a rule");
        let end = ShadowEnd { rule, outcome: GameOutcome::Black, ply: 31 };
        let json = serde_json::to_string(&ShadowV1::from(&end)).expect("JSON");
        assert_eq!(json, r#"["resigned","black",31]"#);
        assert_eq!(serde_json::from_str::<ShadowV1>(&json).expect("sound").restore(), Ok(end));
        let unknown: ShadowV1 = serde_json::from_str(r#"["by magic","black",31]"#).expect("a list");
        assert!(unknown.restore().is_err());
    }
}
