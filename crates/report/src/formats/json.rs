//! `report.json`: the figures of a run for programs, and the lines that `threefold suite --json` prints.

use std::io;

use serde_json::{Map, Value, json};

use crate::ReportFormat;
use crate::model::counts::{self, Count};
use crate::model::families::OpeningFamilies;
use crate::model::homogeneity::Grouping;
use crate::model::json_intervals::{ends, estimate, logistic};
use crate::model::multiple_comparisons::MultipleComparisons;
use crate::model::p_adjust::{AdjustedComparison, adjust};
use crate::model::report::{
    Baseline, Difference, Duel, Knockout, MatchPart, MatchResult, PairedComparison, PlayedBuild, Rated,
    Report, Standing, SuitePart, Test, TestedEngine, ThresholdResult, TournamentRounds,
};
use crate::model::shadow::ShadowRow;
use crate::model::swiss_standings::RatedSwiss;
use crate::model::take_table;
use crate::model::tournament::Tournament;
use crate::model::warnings::WarningGroup;
use threefold_player::EngineFile;
use threefold_player::visible::visible_json;
use threefold_run::Labels;
use threefold_run::calibration::NodeCurve;
use threefold_stats::Estimate;
use threefold_stats::anytime::Wealth;
use threefold_stats::interval::Rate;
use threefold_stats::signed_rank::Ratios;
use threefold_stats::stopping::Parameter;
use threefold_suites::signature::TopicEvidence;
use threefold_suites::{Cause, SignatureReading};

/// The table's line.
pub(crate) const FORMAT: ReportFormat = ReportFormat {
    name: "json",
    file: "report.json",
    summary: "the figures of the run as JSON",
    stream: None,
    render: |report| {
        let text = serde_json::to_string_pretty(&figures(report)).map_err(io::Error::from)?;
        Ok((visible_json(&text) + "\n").into_bytes())
    },
};

/// What `threefold match --json` and `threefold sprt --json` print: `report.json` on one line.
pub(crate) const RESULT: ReportFormat = ReportFormat {
    name: "result",
    file: "result.json",
    summary: "the figures of the run as JSON on one line",
    stream: None,
    render: |report| Ok((visible_json(&figures(report).to_string()) + "\n").into_bytes()),
};

fn figures(report: &Report) -> Value {
    let baseline = match &report.baseline {
        Baseline::Absent(why) => json!({ "absent": why }),
        Baseline::Compared { suites, figures, other_budgets, .. } => json!({
            "other_budgets": other_budgets.iter()
                .map(|it| json!({ "part": it.part, "was": it.was, "now": it.now })).collect::<Vec<_>>(),
            "suites": comparisons(suites),
            "figures": figures.iter()
                .map(|figure| json!({ "name": figure.name.to_string(), "was": figure.was, "now": figure.now }))
                .collect::<Vec<_>>(),
        }),
    };
    let failure_reasons: Vec<Value> = report
        .failure_reasons
        .iter()
        .map(|reason| json!({ "kind": reason.kind.name(), "part": reason.part, "what": reason.what }))
        .collect();
    json!({
        "version": 1,
        "title": report.title,
        "seed": report.seed,
        "acceptance": report.acceptance().name(),
        "headline": report.headline(),
        // Documented in `file-formats.md`, so the key stays although the code has another name for it.
        "complaints": failure_reasons,
        "not_counted": report.not_counted.iter().map(|(name, loss)| json!({
            "suite": name.suite, "id": name.id, "asked_again": loss.to_string(),
        })).collect::<Vec<_>>(),
        "stopped": report.stopped.as_ref().map(|stop| json!({
            "part": stop.part, "allowed": stop.allowed, "jobs": stop.jobs, "unit": stop.unit,
        })),
        "faults": report.fault_groups().iter().map(|group| json!({
            "engine": group.engine, "part": group.part, "cause": group.cause.name(), "what": group.what,
            "count": group.count,
            "first": group.places,
        })).collect::<Vec<_>>(),
        "warnings": report.warnings().iter().map(WarningGroup::json).collect::<Vec<_>>(),
        "engines": report.engines.iter().map(engine).collect::<Vec<_>>(),
        "suites": report.suites.iter().map(suite).collect::<Vec<_>>(),
        "rivalries": comparisons(&report.rivalries()),
        "matches": report.matches.iter().map(games).collect::<Vec<_>>(),
        "knockout": report.tournament.as_ref().and_then(TournamentRounds::knockout).map(Knockout::json),
        "swiss": report.tournament.as_ref().and_then(TournamentRounds::swiss)
            .map(|swiss| RatedSwiss::new(swiss, &report.matches).json()),
        "takes": take_table::json(report),
        "discoveries": MultipleComparisons::from_report(report).map(|combined| combined.discoveries()),
        "baseline": baseline, "compared": report.basis().json(),
    })
}

fn engine(entrant: &TestedEngine) -> Value {
    let file = |file: &EngineFile| json!({ "path": file.path, "size": file.size, "sha256": file.sha256 });
    let build = |PlayedBuild { build, jobs }: &PlayedBuild| {
        json!({
            "name": build.engine_id.name,
            "author": build.engine_id.author,
            "commit": build.commit,
            "files": build.files.iter().map(file).collect::<Vec<_>>(),
            "jobs": jobs,
        })
    };
    json!({
        "name": entrant.name,
        "spec": entrant.spec,
        "builds": entrant.builds.iter().map(build).collect::<Vec<_>>(),
    })
}

fn suite(part: &SuitePart) -> Value {
    json!({
        "name": part.name,
        "labels": labels(&part.labels),
        "suite": part.suite,
        "engine": part.engine,
        "planned": part.planned,
        "passed": rate(part.rate()),
        "causes": part.causes().into_iter().map(|(cause, cases)| json!({
            "verdict": cause.kind().name(), "cause": cause.name(), "meaning": cause.summary(), "cases": cases,
        })).collect::<Vec<_>>(),
        "skipped": part.skip_causes().into_iter().map(|(cause, lacking, cases)| json!({
            "cause": cause.name(), "reason": Cause::Skipped(cause).with_detail(lacking), "cases": cases,
        })).collect::<Vec<_>>(),
        "signature": part.signature.as_ref().map(signature),
        "classes": part.classes().into_iter()
            .map(|(class, passed)| json!({ "class": class, "passed": rate(passed) })).collect::<Vec<_>>(),
        "counts": counts::suite_counts(part).iter().map(count).collect::<Vec<_>>(),
        "thresholds": part.thresholds.iter()
            .map(|threshold| threshold_result(part, threshold)).collect::<Vec<_>>(),
    })
}

/// Without a shortfall it is met if it was checked.
fn threshold_result(part: &SuitePart, threshold: &ThresholdResult) -> Value {
    let is_checked = !part.is_unchecked();
    json!({ "asked": threshold.threshold, "checked": is_checked, "shortfall": threshold.missed_by() })
}

fn labels(labels: &Labels) -> Value {
    labels.iter().map(|(key, value)| (key.to_owned(), Value::from(value))).collect::<Map<_, _>>().into()
}

fn count(count: &Count) -> Value {
    let (of, mean) = count.of.unzip();
    json!({ "name": count.name, "amount": count.amount, "cases": count.cases, "of": of, "mean": mean })
}

fn signature(reading: &SignatureReading) -> Value {
    let topic = |evidence: &TopicEvidence| {
        let interval = evidence.interval();
        json!({
            "topic": evidence.topic.name(), "draw": evidence.answer(), "draws": evidence.draws.successes,
            "of": evidence.draws.trials(), "mute": evidence.inconclusive, "low": interval.low, "high": interval.high,
        })
    };
    json!({
        "name": reading.signature.name(),
        "evidence": reading.evidence.iter().map(topic).collect::<Vec<_>>(),
    })
}

fn rate(rate: Rate) -> Value {
    let interval = rate.wilson(0.05);
    json!({ "cases": rate.trials(), "passed": rate.successes, "low": interval.low, "high": interval.high })
}

fn games(part: &MatchPart) -> Value {
    let standing = |standing: &Standing| {
        json!({
            "name": standing.name, "wins": standing.wins, "draws": standing.draws, "losses": standing.losses,
        })
    };
    let result = match &part.result {
        MatchResult::Table => Tournament::from_match(part).json(),
        MatchResult::Duel(played) => duel(played),
        MatchResult::Test(played) => test(played),
        MatchResult::Ratings(Ok(ratings)) => json!(ratings.iter().map(rating).collect::<Vec<_>>()),
        MatchResult::Ratings(Err(why)) => json!({ "absent": why }),
        MatchResult::Tuning(tuning) => tuning.json(),
    };
    json!({
        "name": part.name,
        "labels": labels(&part.labels),
        "terms": part.terms,
        "planned": part.planned,
        "games": part.games.len(),
        "distinct_games": part.repeats.distinct_games,
        "ending": part.ending,
        "standings": part.standings.iter().map(standing).collect::<Vec<_>>(),
        "result": result,
        "homogeneity": part.stretches.as_ref().map(Grouping::json),
        "shadow": ShadowRow::from_match(part).iter().map(ShadowRow::json).collect::<Vec<_>>(),
        "curve": part.curve.as_ref().map(curve),
        "coupled_pairs": coupled_pairs(part),
        "opening_families": part.families.as_ref().map(OpeningFamilies::json),
    })
}

fn coupled_pairs(part: &MatchPart) -> Option<Value> {
    let duel = part.duel()?;
    Some(part.coupling.as_ref()?.json([&duel.ours, &duel.theirs], part.variance_ratio()))
}

fn duel(duel: &Duel) -> Value {
    let fixed = duel.fixed.map(|it| {
        json!({
            "logistic_elo": logistic(it.logistic),
            "normalized_elo": estimate(it.normalized.low.0, it.normalized.value.0, it.normalized.high.0),
            "superiority": it.superiority,
        })
    });
    let level = duel.sheet.level_pairs();
    json!({
        "a": duel.ours,
        "b": duel.theirs,
        "pairs": duel.sheet.pairs().counts,
        "games": duel.sheet.games().counts,
        "fixed_n": fixed,
        "anytime_logistic_elo": ends(duel.anytime),
        "draw_ratio_of_games": duel.sheet.games().draw_ratio(),
        "balanced_pair_ratio": duel.sheet.pairs().level_pair_ratio(),
        "balanced_pairs": level.map(|level| json!({ "wl": level.traded, "dd": level.drawn })),
        "pairs_ratio": duel.sheet.pairs().pairs_ratio(),
        "pair_elo": threefold_stats::elo::pair_elo(duel.sheet.pairs()).map(|elo| elo.0),
        "opening_bias_elo": duel.openings().map(|(bias, _)| bias.0),
        "variance_ratio": duel.openings().map(|(_, ratio)| ratio),
        "without_faults": duel.without_faults.as_deref().map(Duel::json_without_faults),
    })
}

fn test(test: &Test) -> Value {
    let (statistic, bounds) = (test.statistic(), test.running.bounds());
    let stopped = test
        .stopped
        .map(|stopped| json!({ "logistic_elo": logistic(stopped.elo), "superiority": stopped.superiority }));
    let mut written = json!({
        "duel": duel(&test.duel),
        "lower": bounds.lower,
        "upper": bounds.upper,
        statistic.key: test.path.last(),
        format!("{}_without_faults", statistic.key): test.without_faults.as_deref().map(|without| without.path.last()),
        "standing": test.standing.name(),
        "corrected_for_the_stop": stopped,
        "bets": bets(test),
        "conclusion": test.conclusion(),
    });
    if let Value::Object(keys) = &mut written {
        let parameters = test.rule.parameters().into_iter();
        keys.extend(parameters.map(|(name, value)| (name.to_owned(), parameter(value))));
    }
    written
}

fn parameter(value: Parameter) -> Value {
    match value {
        Parameter::Count(count) => json!(count),
        Parameter::Number(number) => json!(number),
        Parameter::Word(word) => json!(word),
    }
}

/// E-values as natural logarithms, which JSON can hold whatever their size.
fn bets(test: &Test) -> Value {
    let [elo0, elo1] = test.bets.hypotheses().map_or([None; 2], |bounds| bounds.map(|elo| Some(elo.0)));
    let wealth = |wealth: Wealth| json!({ "log_e": wealth.now.log(), "max_log_e": wealth.highest.log(), "p": wealth.p_value() });
    let bets = test.bets.bets();
    json!({
        "pilot_pairs": test.bets.pilot(),
        "logistic_elo0": elo0,
        "logistic_elo1": elo1,
        "against_h0": bets.map(|bets| wealth(bets.against_h0())),
        "against_h1": bets.map(|bets| wealth(bets.against_h1())),
    })
}

fn rating(rated: &Rated) -> Value {
    json!({
        "name": rated.name, "elo": rated.elo, "error": rated.error, "games": rated.games, "points": rated.points,
    })
}

fn curve(curve: &NodeCurve) -> Value {
    let levels: Vec<Value> = curve
        .levels
        .iter()
        .map(|level| {
            json!({
                "nodes": level.nodes, "measured": level.measured, "fitted": level.fitted,
                "low": level.low, "high": level.high,
            })
        })
        .collect();
    let indistinguishable: Vec<Vec<u64>> = curve
        .indistinguishable
        .iter()
        .map(|stretch| curve.levels[stretch.clone()].iter().map(|level| level.nodes).collect())
        .collect();
    let Estimate { low, value, high } = curve.doubling;
    json!({
        "levels": levels, "indistinguishable": indistinguishable, "falls": curve.falls, "misfit_p": curve.misfit,
        "doubling": { "low": low, "value": value, "high": high },
    })
}

/// Comparisons with their p-values as they are and corrected for their number.
fn comparisons(comparisons: &[PairedComparison]) -> Vec<Value> {
    adjust(comparisons).iter().map(comparison).collect()
}

fn comparison(corrected: &AdjustedComparison<'_>) -> Value {
    let AdjustedComparison { comparison, holm, benjamini_hochberg } = corrected;
    let differing = comparison.discordant();
    let gained = differing.share_of_a();
    let cases = |cases: &[Difference]| {
        let case = |case: &Difference| json!({ "id": case.id, "class": case.class, "ours": case.ours, "theirs": case.theirs });
        cases.iter().map(case).collect::<Vec<_>>()
    };
    json!({
        "suite": comparison.suite,
        "ours": comparison.ours,
        "theirs": comparison.theirs,
        "both_pass": comparison.both_pass,
        "both_fail": comparison.both_fail,
        "newly_failing": cases(&comparison.lost),
        "newly_passing": cases(&comparison.gained),
        "new": comparison.only_ours,
        "gone": comparison.only_theirs,
        "newly_passing_share": (differing.cases() > 0).then(|| json!({ "low": gained.low, "high": gained.high })),
        "p": comparison.p,
        "p_holm": holm,
        "p_benjamini_hochberg": benjamini_hochberg,
        "solved_nodes": solved_nodes(&comparison.solved_nodes),
    })
}

/// The nodes to the solutions that both find, of this engine divided by those of the other.
fn solved_nodes(ratios: &Ratios) -> Option<Value> {
    let Estimate { low, value, high } = ratios.estimate()?;
    let ratio = json!({ "low": low, "value": value, "high": high });
    Some(json!({ "cases": ratios.pairs(), "ratio": ratio, "p": ratios.exact_one_sided() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fixture;

    #[test]
    fn figures_have_their_intervals() {
        let bytes = (FORMAT.render)(&fixture::report()).expect("renders");
        insta::assert_snapshot!(String::from_utf8(bytes).expect("UTF-8"));
    }
}
