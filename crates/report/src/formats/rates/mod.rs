//! Pass rates side by side: the same suite under several engines and limits, class by class.
//!
//! A run of many engines has too many cases to read, so there is one table for each class. Below the table
//! the engines are sorted by rate and split into groups: all intervals of a group lie below all intervals of
//! the next group.

mod csv;
mod html;
mod markdown;
mod policies;

use crate::ReportFormat;
use crate::format;
use crate::model::report::{Report, SuitePart};
use threefold_stats::interval::Rate;
use threefold_suites::Signature;

/// The table's lines.
pub(crate) const FORMATS: [ReportFormat; 3] = [csv::FORMAT, markdown::FORMAT, html::FORMAT];

/// The chance that an interval misses.
const ALPHA: f64 = 0.05;

/// One suite with all engines that ran it.
struct SideBySide<'r> {
    /// Title of the suite.
    title: &'r str,
    /// Every engine, in order of appearance.
    engines: Vec<&'r str>,
    /// Every limit, in order of appearance.
    limits: Vec<&'r str>,
    /// Every class by name.
    classes: Vec<&'r str>,
    parts: Vec<&'r SuitePart>,
    /// The repetition policy of each engine under each limit.
    signatures: Vec<(&'r SuitePart, Signature)>,
}

/// Engines whose intervals overlap, from the lowest rate to the highest.
type Group<'r> = Vec<(&'r str, Rate)>;

impl Report {
    /// Every suite of the run in order, except policy probes, whose signatures are shown instead.
    fn side_by_side(&self) -> Vec<SideBySide<'_>> {
        let mut names: Vec<&str> = Vec::new();
        let rated = self.suites.iter().filter(|part| part.signature.is_none());
        each_once(&mut names, rated.map(|part| part.suite.as_str()));
        names.into_iter().map(|name| SideBySide::new(self, name)).collect()
    }
}

fn each_once<'r>(kept: &mut Vec<&'r str>, names: impl Iterator<Item = &'r str>) {
    for name in names {
        if !kept.contains(&name) {
            kept.push(name);
        }
    }
}

impl<'r> SideBySide<'r> {
    fn new(report: &'r Report, suite: &str) -> Self {
        let parts: Vec<&SuitePart> = report.suites.iter().filter(|part| part.suite == suite).collect();
        let (mut engines, mut limits, mut classes) = (Vec::new(), Vec::new(), Vec::new());
        each_once(&mut engines, parts.iter().map(|part| part.engine.as_str()));
        each_once(&mut limits, parts.iter().map(|part| part.limits.as_str()));
        each_once(&mut classes, parts.iter().flat_map(|part| part.classes()).map(|(class, _)| class));
        classes.sort_unstable();
        let title = parts.first().map_or("", |part| part.title.as_str());
        let signatures = report.signatures().map(|(part, reading)| (part, reading.signature)).collect();
        Self { title, engines, limits, classes, parts, signatures }
    }

    /// Pass rate of an engine under a limit; `None` if it did not run. No class means all.
    fn rate(&self, engine: &str, limits: &str, class: Option<&str>) -> Option<Rate> {
        let part = self.parts.iter().find(|part| part.engine == engine && part.limits == limits)?;
        match class {
            None => Some(part.rate()),
            Some(class) => part.classes().into_iter().find(|(name, _)| *name == class).map(|(_, rate)| rate),
        }
    }

    /// All cases, then every class.
    fn scopes(&self) -> impl Iterator<Item = Option<&'r str>> {
        std::iter::once(None).chain(self.classes.iter().copied().map(Some))
    }

    /// The table of a class: one row for each engine, one column for each limit.
    fn rows(&self, class: Option<&str>) -> Vec<Vec<String>> {
        let describe = |engine: &str, limits: &str| {
            self.rate(engine, limits, class).map_or_else(|| "not run".to_owned(), format::rate)
        };
        let row = |engine: &&str| {
            let rates = self.limits.iter().map(|limits| describe(engine, limits));
            std::iter::once((*engine).to_owned()).chain(rates).collect()
        };
        self.engines.iter().map(row).collect()
    }

    /// The engines in the order of their rates, split where no intervals overlap.
    fn groups(&self, limits: &str, class: Option<&str>) -> Vec<Group<'r>> {
        let asked =
            self.engines.iter().filter_map(|&engine| Some((engine, self.rate(engine, limits, class)?)));
        // Without a case that ran there is no share to sort by.
        let mut order: Group<'_> = asked.filter(|(_, rate)| rate.trials() > 0).collect();
        order.sort_by(|(_, a), (_, b)| a.share().partial_cmp(&b.share()).expect("shares are numbers"));
        let mut groups: Vec<Group<'_>> = Vec::new();
        let mut rest = order.as_slice();
        while let Some(cut) = first_cut(rest) {
            groups.push(rest[..cut].to_vec());
            rest = &rest[cut..];
        }
        groups.extend((!rest.is_empty()).then(|| rest.to_vec()));
        groups
    }

    /// The separated groups of engines, in a sentence for each limit.
    fn partings(&self, class: Option<&str>) -> Vec<String> {
        let sentence = |limits: &&str| {
            let groups = self.groups(limits, class);
            let names = |group: &Group<'_>| {
                group.iter().map(|(engine, _)| format::visible(engine)).collect::<Vec<_>>().join(", ")
            };
            let engines = match &groups[..] {
                [] => "no results".to_owned(),
                [_] => "not separated".to_owned(),
                _ => groups.iter().map(names).collect::<Vec<_>>().join(" < "),
            };
            let policies = self.policies(limits, class).map(|text| format!(" {text}")).unwrap_or_default();
            format!("{limits}: {engines}.{policies}")
        };
        self.limits.iter().map(sentence).collect()
    }
}

/// The first position where all intervals before lie below all intervals after.
fn first_cut(order: &[(&str, Rate)]) -> Option<usize> {
    // All intervals are compared, not only neighbours: a rate of few cases has a wide interval.
    (1..order.len()).find(|&cut| {
        let low = order[cut..].iter().map(|(_, rate)| rate.wilson(ALPHA).low).fold(1.0, f64::min);
        let high = order[..cut].iter().map(|(_, rate)| rate.wilson(ALPHA).high).fold(0.0, f64::max);
        high < low
    })
}

/// The heading of the table of a class.
fn scope(class: Option<&str>) -> &str {
    class.unwrap_or("all cases")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fixture;
    use threefold_suites::{CaseRecord, Cause, VerdictKind};

    /// Three engines under two limits, each class passed as often as said.
    pub(crate) fn report() -> Report {
        let mut report = fixture::report();
        let model = report.suites[0].clone();
        let table = [
            ("low", "2 000 nodes", 1),
            ("low", "20 000 nodes", 2),
            ("mid", "20 000 nodes", 3),
            ("high", "20 000 nodes", 29),
        ];
        report.suites = table
            .into_iter()
            .map(|(engine, limits, passed)| {
                let case = |index: usize| CaseRecord {
                    verdict: threefold_suites::Verdict {
                        cause: Cause::unclassified(if index < passed {
                            VerdictKind::Passed
                        } else {
                            VerdictKind::Failed
                        }),
                        ..model.cases[0].verdict.clone()
                    },
                    ..model.cases[0].clone()
                };
                let cases = (0..30).map(case).collect();
                SuitePart { engine: engine.to_owned(), limits: limits.to_owned(), cases, ..model.clone() }
            })
            .collect();
        report
    }

    #[test]
    fn engines_are_separated_where_intervals_do_not_overlap() {
        let report = report();
        let [suite] = &report.side_by_side()[..] else { panic!("one suite") };
        assert_eq!(suite.engines, ["low", "mid", "high"]);
        let partings = suite.partings(Some("seek"));
        assert_eq!(partings, ["2 000 nodes: not separated.", "20 000 nodes: low, mid < high."]);
        assert_eq!(suite.partings(None), partings, "one class is all there is");
    }

    #[test]
    fn policies_are_separated_with_all_their_engines() {
        let report = report();
        let mut suites = report.side_by_side();
        let suite = &mut suites[0];
        assert_eq!(suite.policies("20 000 nodes", None), None);
        for (part, signature) in suite.parts.clone().into_iter().zip([
            Signature::Undecided,
            Signature::Draw,
            Signature::Draw,
            Signature::Ignored,
        ]) {
            suite.signatures.push((part, signature));
        }
        let text = suite.policies("20 000 nodes", None).expect("two policies");
        assert_eq!(
            text,
            "Range of each policy over its engines: draw 1.8 to 25.6, ignored 83.3 to 99.4; separated: draw and ignored."
        );
        suite.signatures[2].1 = Signature::Ignored;
        let text = suite.policies("20 000 nodes", None).expect("two policies");
        assert_eq!(
            text,
            "Range of each policy over its engines: draw 1.8 to 21.3, ignored 3.5 to 99.4; overlapping: draw and ignored."
        );
    }

    #[test]
    fn names_are_escaped_in_markdown() {
        let mut report = report();
        for part in &mut report.suites {
            part.engine = format!("*{}*", part.engine);
            part.limits = format!("|{}|", part.limits);
        }
        let text = String::from_utf8((markdown::FORMAT.render)(&report).expect("renders")).expect("UTF-8");
        for expected in
            ["| \\|2 000 nodes\\| |", "- \\|20 000 nodes\\|: \\*low\\*, \\*mid\\* \\< \\*high\\*."]
        {
            assert!(text.contains(expected), "{expected} is missing in\n{text}");
        }
    }

    #[test]
    fn every_format_has_every_rate() {
        for format in FORMATS {
            let text = String::from_utf8((format.render)(&report()).expect("renders")).expect("UTF-8");
            for word in ["low", "mid", "high", "seek"] {
                assert!(text.contains(word), "{}: {word}", format.name);
            }
        }
    }
}
