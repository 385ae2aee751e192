//! The model as JSON.

use serde_json::{Value, json};

use super::{Place, ScoreUnit, UnitModel, WdlReport};

impl WdlReport {
    /// One object: the constants, the errors, what was read, and a and b at every m of the data.
    pub fn to_json(&self) -> String {
        let (fit, settings) = (&self.fit, &self.settings);
        let model = fit.model;
        let at = f64::from(settings.target);
        let [lost, drawn, won] = fit.counts;
        let value = json!({
            "by": settings.by.name(), "target": settings.target, "range": fit.range,
            "as": model.a, "bs": model.b,
            "normalize_to_pawn_value": model.pawn_value(), "spread": model.b(at),
            "normalized_spread": model.b(at) / model.a(at), "draws_at_zero": model.rates(0.0, at).draw,
            "mean_log_likelihood": fit.log_likelihood,
            "a_half_interval": self.main_place().a_half, "b_half_interval": self.main_place().b_half, "caution": self.caution(),
            "games": { "read": self.input.census.read, "with_positions": fit.games, "distinct": fit.distinct_games, "forfeits": self.forfeits },
            "positions": { "won": won, "drawn": drawn, "lost": lost },
            "left_out": { "other_engines": self.left_out.other_engines, "out_of_range": self.left_out.out_of_range, "high": self.left_out.high },
            "files": self.input.files, "engines": self.engines,
            "settings": {
                "moves": settings.moves, "material": settings.material, "max_score": settings.most, "bin": settings.bin,
                "unit": unit(settings.unit),
            },
            "claims": self.claims_json(),
            "values": self.places().into_iter().map(place).collect::<Vec<_>>(),
        });
        format!("{value:#}\n")
    }
}

fn unit(unit: ScoreUnit) -> Value {
    match unit {
        ScoreUnit::Fixed(units) => json!(units),
        ScoreUnit::Model(UnitModel { by, a, target, range }) => {
            json!({ "by": by.name(), "target": target, "range": range, "as": a })
        }
    }
}

fn place(Place { m, a, a_half, b, b_half, draws }: Place) -> Value {
    json!({ "m": m, "a": a, "a_half_interval": a_half, "b": b, "b_half_interval": b_half, "draws_at_zero": draws })
}

#[cfg(test)]
mod tests {
    use super::super::fixture;

    #[test]
    fn object_has_the_constants_and_every_value() {
        let report = fixture::report();
        let value: serde_json::Value = serde_json::from_str(&report.to_json()).expect("JSON");
        assert_eq!(value["as"], serde_json::json!(report.fit.model.a));
        assert_eq!((&value["by"], &value["range"]), (&"material".into(), &serde_json::json!([17, 78])));
        assert_eq!(value["values"].as_array().map(Vec::len), Some(62));
    }
}
