//! The limits of a dialogue's searches.
//!
//! Many dialogues need a search that ends, whatever ends it: `go {depth 3}`. If the suite is limited by a clock, since the
//! engine keeps nothing else, the search gets a clock instead. Dialogues about other limits are skipped then.

use threefold_player::dialogue::Step;

/// The clock in place of another limit: engines use a tenth to a hundredth of it.
const CLOCK: &str = "wtime 300 btime 300";
/// The words of limits that are no clocks.
const OTHER_LIMITS: [&str; 4] = ["depth", "nodes", "movetime", "mate"];

/// What limits the searches of a suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LimitUse {
    /// The limits that the dialogues have.
    AsWritten,
    /// Clocks alone.
    Clock,
}

impl LimitUse {
    /// The steps with a limit for each one in braces.
    pub(super) fn fill_in(self, text: &str) -> String {
        let mut filled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            filled.push_str(before);
            let limit = after.split_once('}').filter(|(limit, _)| is_other_limit(limit));
            rest = match (limit, self) {
                (Some((limit, behind)), Self::AsWritten) => {
                    filled.push_str(limit);
                    behind
                }
                (Some((_, behind)), Self::Clock) => {
                    filled.push_str(CLOCK);
                    behind
                }
                // Other braces stay: `{position}` and `{folder}` are filled in later.
                (None, _) => {
                    filled.push('{');
                    after
                }
            };
        }
        filled + rest
    }
}

/// Does it begin with the name of a limit that is no clock?
fn is_other_limit(text: &str) -> bool {
    text.split_once(' ').is_some_and(|(name, _)| OTHER_LIMITS.contains(&name))
}

/// Does a search need another limit than a clock?
pub(super) fn has_other_limit(steps: &[Step]) -> bool {
    let needs_other = |line: &String| {
        let mut words = line.split_ascii_whitespace();
        words.next() == Some("go") && words.any(|word| OTHER_LIMITS.contains(&word))
    };
    steps.iter().any(|step| match step {
        Step::Send(lines) => lines.iter().any(needs_other),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_in_braces_give_way_to_a_clock() {
        let text =
            "> go {depth 3}\n> go ponder {movetime 20} searchmoves a2a3\n> go {clock}\npause {n}ms\n> go {x";
        assert_eq!(
            LimitUse::AsWritten.fill_in(text),
            text.replace("{depth 3}", "depth 3").replace("{movetime 20}", "movetime 20")
        );
        let clock = LimitUse::Clock.fill_in(text);
        assert_eq!(clock.matches(CLOCK).count(), 2);
        assert!(clock.ends_with("searchmoves a2a3\n> go {clock}\npause {n}ms\n> go {x"), "{clock}");
    }

    #[test]
    fn searches_with_other_limits_are_seen() {
        let has_other = |line: &str| {
            has_other_limit(
                &Step::read_all(&format!("> position startpos\n> {line}\n> stop")).expect("sound"),
            )
        };
        for line in
            ["go infinite", "go", "go ponder wtime 9 btime 9 movestogo 3", "setoption name depth value 3"]
        {
            assert!(!has_other(line), "{line}");
        }
        for line in ["go depth 3", "  go ponder nodes 5", "go movetime 0", "go wtime 9 btime 9 mate -2"] {
            assert!(has_other(line), "{line}");
        }
    }
}
