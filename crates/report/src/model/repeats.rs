//! Repeated games: how many games of a match are distinct.
//!
//! Statistics count each distinct pair once, so a reader has to know how many there are.

use crate::format;
use crate::model::report::{MatchPart, Report};
use threefold_run::PairCounting;

/// Parts that the headline names.
const NAMED: usize = 3;

impl MatchPart {
    /// `2 of them distinct`; `None` if all are.
    pub(crate) fn distinct_games(&self) -> Option<String> {
        let count = self.repeats;
        count.has_repeats().then(|| format!("{} of them distinct", format::grouped(count.distinct_games)))
    }
}

impl Report {
    /// How many games are distinct, where some are played again; `None` if all games of all matches are
    /// distinct.
    pub(crate) fn repeat_note(&self) -> Option<String> {
        let parts: Vec<&MatchPart> = self.matches.iter().filter(|part| part.repeats.has_repeats()).collect();
        let is_alone = self.matches.len() == 1;
        let named = parts.iter().take(NAMED).map(|part| {
            let name = if is_alone { String::new() } else { format!(" of {}", part.name) };
            let games = format::count(part.repeats.games as usize, "game");
            let is = if part.repeats.distinct_games == 1 { "is" } else { "are" };
            format!("{} of {games}{name} {is} distinct", format::grouped(part.repeats.distinct_games))
        });
        let named: Vec<String> = named.collect();
        let counts = match parts.first()?.repeats.counting {
            PairCounting::Distinct => " Each distinct pair counts once.",
            PairCounting::All => "",
        };
        let more = parts.len().saturating_sub(NAMED);
        let more = if more > 0 {
            format!(", and so in {}", format::count(more, "more match"))
        } else {
            String::new()
        };
        Some(format!("Repeated games: only {}{more}.{counts}", named.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use crate::model::fixture;
    use crate::model::report::MatchPart;
    use threefold_run::distinct_pairs::RepeatCount;

    #[test]
    fn repeated_games_are_in_the_headline_and_in_all_formats() {
        let mut report = fixture::report();
        assert_eq!(report.repeat_note(), None);
        let repeats = |games, distinct_games| RepeatCount { games, distinct_games, ..RepeatCount::default() };
        report.matches[0].repeats = repeats(200, 2);
        let note =
            "Repeated games: only 2 of 200 games of policies are distinct. Each distinct pair counts once.";
        assert_eq!(report.repeat_note().as_deref(), Some(note));
        for format in crate::FORMATS
            .iter()
            .filter(|format| ["terminal", "markdown", "html", "json"].contains(&format.name))
        {
            let bytes = (format.render)(&report).expect("renders");
            let text = String::from_utf8(bytes).expect("text");
            assert!(text.contains("only 2 of 200 games of policies are distinct"), "{}", format.name);
        }
        let alone: Vec<MatchPart> = report.matches.drain(..1).collect();
        report.matches = alone;
        report.matches[0].repeats = repeats(4, 1);
        let note = report.repeat_note().expect("repeats");
        assert!(note.starts_with("Repeated games: only 1 of 4 games is distinct. "), "{note}");
        assert_eq!(report.matches[0].distinct_games().as_deref(), Some("1 of them distinct"));
    }
}
