//! The queue as JSON.

use serde_json::{Value, json};

use super::{Merge, Queue, QueuedTest};
use threefold_stats::{Estimate, Logistic};

impl Queue {
    /// One object: the tests in the order in which they are run, which can be merged, and what that guarantees.
    pub fn to_json(&self) -> String {
        let merges = self.merges();
        let test = |test: &QueuedTest| {
            let index = self.tests.iter().position(|other| other.number == test.number);
            object(test, index.map_or(Merge::Unknown, |index| merges[index]))
        };
        let alone = self.alone();
        let value = json!({
            "version": 1,
            "level": self.online.level(),
            "expected_tests": self.online.horizon(),
            "tests": self.in_order().into_iter().map(test).collect::<Vec<_>>(),
            "merge": self.merged(),
            "false_merges_per_100_at_most": 100.0 * self.online.level(),
            "by_themselves": {
                "finished": alone.finished,
                "accepted": alone.accepted,
                "accepted_by_chance": alone.by_chance,
                "false_merges_per_100": alone.false_per_hundred(),
            },
        });
        format!("{value:#}\n")
    }
}

fn object(test: &QueuedTest, merge: Merge) -> Value {
    let result = test.result.as_ref();
    // E-values as natural logarithms, which JSON can hold whatever their size.
    let needed = match merge {
        Merge::Needs(value) => Some(value.log()),
        Merge::Yes | Merge::No | Merge::Unknown => None,
    };
    let merge = match merge {
        Merge::Yes => Some(true),
        Merge::No | Merge::Needs(_) => Some(false),
        Merge::Unknown => None,
    };
    json!({
        "number": test.number,
        "name": test.name,
        "priority": test.priority,
        "state": test.state.name(),
        "place": test.place,
        "games": result.map(|result| result.games),
        "elo": result.and_then(|result| result.elo).map(estimate),
        "log_e": result.and_then(|result| result.e_value).map(threefold_stats::anytime::EValue::log),
        "alpha": result.map(|result| result.alpha),
        "merge": merge,
        "log_e_needed": needed,
        "conclusion": result.map(|result| &result.conclusion),
        "problem": test.problem,
        "command": test.command,
        "journal": test.journal,
        "page": test.page,
    })
}

fn estimate(elo: Estimate<Logistic>) -> Value {
    json!({ "value": elo.value.0, "low": elo.low.0, "high": elo.high.0 })
}

#[cfg(test)]
mod tests {
    use super::super::fixture;

    #[test]
    fn object_has_every_test_and_the_guarantee() {
        let value: serde_json::Value = serde_json::from_str(&fixture::queue().to_json()).expect("JSON");
        assert_eq!(value["merge"], serde_json::json!(["patch-1", "patch-2"]));
        assert_eq!(value["false_merges_per_100_at_most"], 5.0);
        let tests = value["tests"].as_array().expect("a list");
        assert_eq!(
            (tests.len(), &tests[0]["name"], &tests[0]["state"]),
            (7, &"patch-6".into(), &"waiting".into())
        );
        assert!(
            tests[0]["merge"].is_null() && tests[0]["log_e"].is_null() && tests[4]["problem"].is_string()
        );
        let needed = tests[5]["log_e_needed"].as_f64().expect("a number");
        assert!((needed - 200_f64.ln()).abs() < 1e-12, "{needed}");
    }
}
