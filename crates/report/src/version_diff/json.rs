//! The differences as JSON.

use serde_json::{Value, json};

use super::{Agreement, AskedPosition, SearchAnswer, VersionDiff};
use crate::model::position_fen::fen;

impl VersionDiff {
    /// One object: the counts, and every position with both answers.
    pub fn to_json(&self) -> String {
        let count = |agreement| self.share(agreement).successes;
        let [new, old] = &self.names;
        let value = json!({
            "new": new, "old": old, "nodes": self.nodes, "source": self.source,
            "positions": self.asked.len(),
            "same": count(Agreement::Same), "same_move": count(Agreement::SameMove),
            "other_move": count(Agreement::OtherMove), "mean_depth_difference": self.mean_depth_difference(),
            "asked": self.asked.iter().map(position).collect::<Vec<_>>(),
        });
        format!("{value:#}\n")
    }
}

fn position(asked: &AskedPosition) -> Value {
    let [new, old] = asked.answers.each_ref().map(answer);
    json!({
        "fen": fen(&asked.position), "start": asked.position.start.to_string(),
        "moves": asked.position.moves.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "new": new, "old": old,
    })
}

fn answer(answer: &SearchAnswer) -> Value {
    json!({
        "move": answer.best.map(|mv| mv.to_string()), "score": answer.score.map(|score| score.to_string()),
        "depth": answer.depth.0, "nodes": answer.nodes,
        "pv": answer.pv.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
    })
}

#[cfg(test)]
mod tests {
    use super::super::fixture;

    #[test]
    fn object_has_counts_and_both_answers() {
        let value: serde_json::Value = serde_json::from_str(&fixture::diff().to_json()).expect("JSON");
        assert_eq!(
            (&value["same"], &value["same_move"], &value["other_move"]),
            (&1.into(), &1.into(), &2.into())
        );
        let last = &value["asked"][3];
        assert_eq!((&last["new"]["score"], &last["old"]["move"]), (&"mate 9".into(), &"d7d5".into()));
        assert_eq!(last["moves"], serde_json::json!(["f2f3"]));
    }
}
