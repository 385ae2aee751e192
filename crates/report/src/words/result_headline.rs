//! The result of a tournament or of a calibration in a sentence.

use crate::format;
use crate::model::report::{MatchPart, MatchResult, Rated, Standing};
use crate::model::tournament::{Tournament, TournamentRating};
use threefold_stats::rating::RatingStatus;

impl MatchPart {
    /// Who leads a tournament, or the highest and the lowest rating of a calibration; `None` for a match of
    /// two engines.
    pub(crate) fn result_headline(&self) -> Option<String> {
        let games = format::count(self.games.len(), "game");
        match &self.result {
            MatchResult::Table => self.leader(&games),
            MatchResult::Ratings(Ok(ratings)) => extremes(ratings, &games),
            MatchResult::Ratings(Err(why)) => Some(format!("No ratings after {games}: {why}.")),
            MatchResult::Duel(_) | MatchResult::Test(_) | MatchResult::Tuning(_) => None,
        }
    }

    /// `A leads with Elo +256.3 ± 152.0, before B with +10.2 ± 80.1, after 60 games.` Without ratings, by
    /// points.
    fn leader(&self, games: &str) -> Option<String> {
        let ratings = Tournament::from_match(self).ratings.unwrap_or_default();
        // A perfect scorer is placed without an interval, and groups that never met have no common scale.
        let is_rated = |it: &TournamentRating| it.status == RatingStatus::Rated && it.error.is_some();
        if let [first, second, ..] = &ratings[..]
            && is_rated(first)
            && is_rated(second)
            && ratings.iter().all(|it| it.group == first.group)
        {
            let [one, other] = [first, second].map(|it| (&it.standing.name, it.elo()));
            return Some(format!(
                "{} leads with Elo {}, before {} with {}, after {games}.",
                one.0, one.1, other.0, other.1
            ));
        }
        let most = self.standings.iter().map(Standing::points).fold(0.0, f64::max);
        let best: Vec<&Standing> =
            self.standings.iter().filter(|it| it.points() >= most && it.games() > 0).collect();
        let first = best.first()?;
        let names: Vec<String> = best.iter().map(|it| it.name.clone()).collect();
        let leads = if best.len() == 1 { "leads" } else { "lead" };
        Some(format!(
            "{} {leads} with {} of {} points after {games}.",
            format::listed(&names),
            format::points(first.points()),
            format::grouped(first.games())
        ))
    }
}

/// `3 players rated after 36 games: echo at 16 000 nodes highest (1411 ± 88), echo at 1 000 nodes lowest
/// (1000 (anchor)).`
fn extremes(ratings: &[Rated], games: &str) -> Option<String> {
    let highest = ratings.iter().max_by(|one, other| one.elo.total_cmp(&other.elo))?;
    let lowest = ratings.iter().min_by(|one, other| one.elo.total_cmp(&other.elo))?;
    let [high, low] = [highest, lowest].map(|it| format!("{} {}", it.name, format::rating(it.elo, it.error)));
    Some(format!(
        "{} rated after {games}: highest {high}, lowest {low}.",
        format::count(ratings.len(), "player")
    ))
}

#[cfg(test)]
mod tests {
    use crate::model::fixture;
    use crate::model::report::{Baseline, Report};
    use crate::model::tournament::tests::part;
    use threefold_run::job::ComparisonUse;

    fn headline(part: super::MatchPart) -> String {
        let mut report = fixture::report();
        report.suites.clear();
        report.failure_reasons.clear();
        report.matches = vec![part];
        let baseline = Baseline::Absent("there is no baseline".to_owned());
        Report { baseline, comparison: ComparisonUse::Optional, ..report }.headline()
    }

    #[test]
    fn headline_of_a_tournament_is_its_leader() {
        let table = [
            (
                &[
                    (["A", "B"], "wd"),
                    (["A", "B"], "ld"),
                    (["A", "B"], "wd"),
                    (["B", "C"], "wd"),
                    (["C", "A"], "ld"),
                    (["C", "B"], "wl"),
                ][..],
                "A leads with Elo +",
            ),
            (
                &[(["A", "B"], "ww"), (["A", "C"], "ww"), (["B", "C"], "dd")][..],
                "A leads with 4 of 4 points after 6 games.",
            ),
            (&[(["A", "B"], "dd")][..], "A and B lead with 1 of 2 points after 2 games."),
        ];
        for (pairs, expected) in table {
            let mut played = part(&["A", "B", "C"], pairs);
            played.ending = Some("complete".to_owned());
            let said = headline(played);
            assert!(said.starts_with(expected) && !said.contains("Finished"), "{said}");
        }
    }

    #[test]
    fn headline_of_a_calibration_is_its_range() {
        let part = fixture::report().matches.remove(2);
        let said = headline(part);
        assert!(said.starts_with("3 players rated after 0 games: highest echo at 16"), "{said}");
        assert!(
            said.contains(" nodes 1411 ± 88, lowest echo at 1") && said.ends_with(" nodes 1000 (anchor)."),
            "{said}"
        );
    }
}
