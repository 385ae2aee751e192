//! The queue for a terminal.

use super::{Merge, Queue, QueuedTest};
use crate::format;
use threefold_player::visible::{visible, visible_lines};
use threefold_stats::anytime::{EValue, OnlineEbh};

/// The columns of the table.
const COLUMNS: [&str; 8] = ["no.", "prio.", "name", "state", "games", "Elo", "e-value", "merge"];

/// The column of the names.
const NAME: usize = 2;

/// The cell of a number that there is not.
const NONE: &str = "–";

impl Queue {
    /// The text, with lines of this width in columns; `None`: not wrapped. `table` draws a table without wrapping.
    pub fn to_text(
        &self,
        width: Option<u16>,
        table: impl FnOnce(&[&str], Vec<Vec<String>>) -> String,
    ) -> String {
        if self.tests.is_empty() {
            return "no tests; `threefold queue add -- sprt …` adds one\n".to_owned();
        }
        let merges = self.merges();
        let row = |test: &QueuedTest| {
            let index = self.tests.iter().position(|other| other.number == test.number);
            row(test, index.map_or(Merge::Unknown, |index| merges[index]))
        };
        let mut rows: Vec<Vec<String>> = self.in_order().into_iter().map(row).collect();
        if let Some(width) = width {
            divide_names(&mut rows, usize::from(width));
        }
        let mut parts = vec![table(&COLUMNS, rows)];
        let problems = self.in_order().into_iter().filter_map(|test| {
            Some(format!("{}: {}", visible(&test.name), test.problem.as_deref()?.trim_end()))
        });
        let problems: Vec<String> = problems.map(|line| format::wrapped(&line, "  ", width)).collect();
        if !problems.is_empty() {
            parts.push(problems.join("\n"));
        }
        let said: Vec<String> =
            self.sentences().iter().map(|sentence| format::wrapped(sentence, "", width)).collect();
        parts.push(said.join("\n"));
        format!("{}\n", visible_lines(&parts.join("\n\n")))
    }

    /// Which tests can be merged, what that guarantees, and what the tests alone do.
    pub(super) fn sentences(&self) -> Vec<String> {
        let level = format::percent(self.online.level());
        let merged: Vec<String> = self.merged().into_iter().map(visible).collect();
        let merged = if merged.is_empty() { "none".to_owned() } else { format::listed(&merged) };
        let mut said = vec![
            format!("Can be merged, by the e-values of all tests (online e-BH, {level}): {merged}."),
            format!(
                "Expected false merges per 100 of these: at most {}. A merge is false if H0 of its test is true.",
                format::points((1000.0 * self.online.level()).round() / 10.0)
            ),
        ];
        let alone = self.alone();
        if let Some(share) = alone.false_per_hundred() {
            said.push(format!(
                "Without this correction, by the alpha of each test: {} of {} accepted. If H0 were true of all, up to {:.2} \
                 would be accepted by chance on average. That is up to {:.0} false merges per 100.",
                alone.accepted,
                format::count(alone.finished, "finished test"),
                alone.by_chance,
                share
            ));
        }
        said
    }
}

/// Divides long names into lines, so that the table fits a width in columns if it can.
fn divide_names(rows: &mut [Vec<String>], width: usize) {
    /// What a table adds to each column.
    const BETWEEN: usize = 3;
    const SHORTEST: usize = 6;
    let length = |text: &str| text.chars().count();
    let widest = |column: usize| {
        let cells = rows.iter().map(|row| length(&row[column]));
        cells.chain([length(COLUMNS[column])]).max().unwrap_or_default() + BETWEEN
    };
    let others: usize = (0..COLUMNS.len()).filter(|&column| column != NAME).map(widest).sum();
    let room = width.saturating_sub(others + BETWEEN).max(SHORTEST);
    for name in rows.iter_mut().map(|row| &mut row[NAME]) {
        let letters: Vec<char> = name.chars().collect();
        let lines: Vec<String> = letters.chunks(room).map(|line| line.iter().collect()).collect();
        *name = lines.join("\n");
    }
}

fn row(test: &QueuedTest, merge: Merge) -> Vec<String> {
    let [games, elo, e_value] = figures(test);
    vec![
        test.number.to_string(),
        test.priority.to_string(),
        visible(&test.name),
        test.state.to_string(),
        games,
        elo,
        e_value,
        merge.to_string(),
    ]
}

/// The games, the Elo and the e-value of a test.
pub(super) fn figures(test: &QueuedTest) -> [String; 3] {
    let Some(result) = &test.result else { return [NONE, NONE, NONE].map(str::to_owned) };
    let unknown = || "unknown".to_owned();
    [
        format::grouped(result.games),
        result.elo.map_or_else(unknown, format::plus_minus),
        result.e_value.map_or_else(unknown, |value| value.to_string()),
    ]
}

impl std::fmt::Display for Merge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Yes => f.write_str("yes"),
            Self::No => f.write_str("no"),
            // Rounded up, since an e-value below the exact one is not enough. Without the slack, 220 becomes 221.
            Self::Needs(value) => {
                let least = EValue::from_log(value.log() - OnlineEbh::SLACK);
                write!(f, "e ≥ {:.0}", least.value().ceil())
            }
            Self::Unknown => f.write_str(NONE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Merge, Queue, fixture};
    use threefold_stats::anytime::EValue;

    fn plain(header: &[&str], rows: Vec<Vec<String>>) -> String {
        let rows = rows.into_iter().map(|row| row.join(" | "));
        std::iter::once(header.join(" | ")).chain(rows).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn text_has_the_tests_in_order_and_what_can_be_merged() {
        insta::assert_snapshot!(fixture::queue().to_text(None, plain));
    }

    #[test]
    fn needed_e_value_is_rounded_up_to_a_whole_number() {
        for (needed, expected) in [(40.0, "e ≥ 40"), (220.0, "e ≥ 220"), (220.001, "e ≥ 221")] {
            assert_eq!(Merge::Needs(EValue::new(needed)).to_string(), expected);
        }
    }

    #[test]
    fn long_names_are_divided_where_the_terminal_is_narrow() {
        let mut queue = fixture::queue();
        queue.tests[0].name = "a-name-of-twenty-six-signs".to_owned();
        for (width, expected) in [
            (None, "| a-name-of-twenty-six-signs |"),
            (Some(80), "| a-name-of-\ntwenty-six\n-signs |"),
            (Some(9), "| a-name\n-of-tw\nenty-s\nix-sig\nns |"),
        ] {
            let text = queue.to_text(width, plain);
            assert!(text.contains(expected), "{width:?}: {text}");
        }
    }

    #[test]
    fn an_empty_queue_says_how_a_test_is_added() {
        let queue = Queue { tests: Vec::new(), ..fixture::queue() };
        assert!(queue.to_text(None, plain).contains("threefold queue add -- sprt"));
    }
}
