//! What a fault changes in `go`.

use super::fault::Fault;

/// The limits that are no clocks.
const LIMITS: [&str; 4] = ["nodes", "depth", "movetime", "mate"];

/// The words of a `go` command.
#[derive(Debug, Clone, Copy)]
pub(super) struct Go<'w>(pub(super) &'w [&'w str]);

impl Go<'_> {
    /// The number after this word.
    pub(super) fn number(self, name: &str) -> Option<i64> {
        let at = self.0.iter().position(|word| *word == name)?;
        self.0.get(at + 1)?.parse().ok()
    }

    /// Is a limit zero, or below?
    pub(super) fn is_odd(self) -> bool {
        LIMITS.iter().chain(&["movestogo"]).any(|limit| self.number(limit).is_some_and(|number| number <= 0))
    }

    /// One of the clocks.
    pub(super) fn clock(self) -> Option<i64> {
        self.number("wtime").or(self.number("btime"))
    }

    /// The same with a hundredth of each limit that is larger.
    fn with_hundredth(self) -> String {
        let words = self.0.iter().map(|word| match word.parse::<u64>() {
            Ok(limit) if limit >= 100 => (limit / 100).to_string(),
            _ => (*word).to_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// What Echo reads instead; `own` is the clock of the side to move.
    pub(super) fn changed(self, fault: Fault, own: Option<i64>) -> String {
        let depth = self.number("depth").unwrap_or_default();
        let has = |name: &str| self.number(name).is_some();
        let without_end = "go infinite".to_owned();
        match (fault, own) {
            (Fault::InfiniteEnds, _) if self.0.contains(&"infinite") => "go depth 4".to_owned(),
            (Fault::PonderIsGo, _) => {
                self.0.iter().filter(|word| **word != "ponder").copied().collect::<Vec<_>>().join(" ")
            }
            (Fault::NodesIgnored, _) if has("nodes") => without_end,
            (Fault::DepthIgnored, _) if has("depth") => without_end,
            (Fault::MovetimeIgnored, _) if has("movetime") => without_end,
            (Fault::ClockIgnored, _) if self.clock().is_some() => without_end,
            (Fault::ClocksAlone, _) if LIMITS.iter().any(|limit| has(limit)) => without_end,
            (Fault::EndsEarly, _) if depth > 5 => "go depth 5".to_owned(),
            (Fault::EndsEarly, _) if has("nodes") || has("movetime") => self.with_hundredth(),
            (Fault::OnePlyDeeper, _) if depth > 0 => format!("go depth {}", depth + 1),
            (Fault::SearchMovesWithDepthOnly, _) if depth == 0 => {
                let kept = self.0.iter().take_while(|word| **word != "searchmoves");
                kept.copied().collect::<Vec<_>>().join(" ")
            }
            (Fault::OpponentsClock, _) => {
                let swapped = self.0.iter().map(|word| match *word {
                    "wtime" => "btime",
                    "btime" => "wtime",
                    "winc" => "binc",
                    "binc" => "winc",
                    word => word,
                });
                swapped.collect::<Vec<_>>().join(" ")
            }
            (Fault::OneClockIsNone, Some(_)) if !has("wtime") || !has("btime") => "go depth 1".to_owned(),
            (Fault::WholeSeconds, Some(own)) => format!("go movetime {}", (own.max(0) / 1_000 + 1) * 1_000),
            (Fault::ReserveIgnored, Some(own)) => format!("go movetime {}", (own - 20).max(1)),
            (Fault::MostOfTheTime, Some(own)) => format!("go movetime {}", own * 6 / 10),
            (Fault::Oversteps, Some(own)) => format!("go movetime {}", own.max(0) + 1_200),
            _ => self.0.join(" "),
        }
    }
}

/// A search that goes on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Search {
    pub(super) is_pondering: bool,
    /// Is it limited to one node, ply or millisecond?
    pub(super) is_smallest: bool,
    pub(super) is_on_clock: bool,
    /// The number of moves of `searchmoves`.
    pub(super) only: usize,
    /// The limit of `go nodes`.
    pub(super) nodes: Option<i64>,
}

impl Search {
    pub(super) fn new(go: Go<'_>, fault: Fault) -> Self {
        let (words, limits) = (go.0, ["nodes", "depth", "movetime", "wtime"]);
        Self {
            is_pondering: words.contains(&"ponder") && fault != Fault::PonderIsGo,
            is_smallest: limits.iter().any(|&name| go.number(name) == Some(1)),
            is_on_clock: go.clock().is_some(),
            only: words.iter().skip_while(|word| **word != "searchmoves").skip(1).count(),
            nodes: go.number("nodes"),
        }
    }
}
