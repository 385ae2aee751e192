//! What a game keeps of a search in addition to score, depth, nodes and time, if it is asked for.

use std::time::Duration;

use shakmaty::uci::UciMove;

use threefold_chess::score::Ply;
use threefold_chess::uci::WdlClaim;
use threefold_player::{Answer, LinePattern};

threefold_named_enum::named_enum! {
    /// Data of a move that a PGN comment can have in addition to score, depth and time.
    pub enum MoveField {
        /// Time left after the move, increment added (`tl=9.950s`); only on a clock.
        TimeLeft = "timeleft",
        /// Measured time minus the time that the engine reported (`latency=0.002s`); only on the system's
        /// clock.
        Latency = "latency",
        /// Nodes searched (`n=1234`).
        Nodes = "nodes",
        /// Selective depth (`sd=20`).
        SelDepth = "seldepth",
        /// Nodes per second, as the engine reports them (`nps=1000000`).
        Nps = "nps",
        /// Use of the hash table, in thousandths (`hashfull=12`).
        HashFull = "hashfull",
        /// Tablebase hits (`tbhits=0`).
        TbHits = "tbhits",
        /// Principal variation in UCI notation (`pv="e2e4 e7e5"`).
        Pv = "pv",
        /// Claimed chances of a win, a draw and a loss in thousandths (`wdl=312/641/47`), if the engine shows
        /// them.
        Wdl = "wdl",
    }
}

/// Which data of each move a game keeps and its PGN shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DetailSelection {
    /// The fields. `None` for the default: nodes, where the engine reports them.
    pub fields: Option<Vec<MoveField>>,
    /// The last line of the engine that matches each of these patterns is kept.
    pub match_lines: Vec<LinePattern>,
}

/// What the engine reported during the search of a move. Data that was not asked for is absent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MoveDetails {
    /// Selective depth.
    pub seldepth: Option<Ply>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Use of the hash table, in thousandths.
    pub hashfull: Option<u16>,
    /// Tablebase hits.
    pub tbhits: Option<u64>,
    /// The principal variation.
    pub pv: Vec<UciMove>,
    /// The chances that it claims.
    pub wdl: Option<WdlClaim>,
    /// The engine's own time for the search.
    pub reported_time: Option<Duration>,
    /// The lines that match the patterns, in the order of the patterns.
    pub lines: Vec<String>,
    /// Is the move from the engine's book, so that there was no search?
    pub is_from_book: bool,
}

impl DetailSelection {
    /// Is a field asked for?
    pub fn has(&self, field: MoveField) -> bool {
        self.fields.as_ref().map_or(field == MoveField::Nodes, |fields| fields.contains(&field))
    }

    /// The selected details of an answer; `None` if it has none of them.
    pub(super) fn details(&self, answer: &Answer) -> Option<Box<MoveDetails>> {
        if self.fields.is_none() && self.match_lines.is_empty() {
            return None;
        }
        let reported = answer.reported;
        let details = MoveDetails {
            seldepth: reported.seldepth.filter(|_| self.has(MoveField::SelDepth)),
            nps: reported.nps.filter(|_| self.has(MoveField::Nps)),
            hashfull: reported.hashfull.filter(|_| self.has(MoveField::HashFull)),
            tbhits: reported.tbhits.filter(|_| self.has(MoveField::TbHits)),
            pv: answer
                .final_info()
                .filter(|_| self.has(MoveField::Pv))
                .map_or_else(Vec::new, |info| info.pv.clone()),
            wdl: reported.wdl.filter(|_| self.has(MoveField::Wdl)),
            // Without a clock of the system there is no measured time to compare it with.
            reported_time: reported.time.filter(|_| self.has(MoveField::Latency) && answer.asked.is_some()),
            lines: answer.quotes.clone(),
            is_from_book: false,
        };
        (details != MoveDetails::default()).then(|| Box::new(details))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use threefold_chess::score::{Centipawns, Score};
    use threefold_player::{Bound, ScoredInfo, SearchReports};

    /// An answer with everything that can be reported.
    #[expect(
        clippy::disallowed_methods,
        reason = "a wall clock limits the search, whose value does not matter"
    )]
    fn answer() -> Answer {
        Answer {
            infos: vec![ScoredInfo {
                score: Score::Cp(Centipawns(1)),
                bound: Bound::Exact,
                multipv: 1,
                depth: Ply(7),
                nodes: Some(99),
                pv: vec!["e2e4".parse().expect("a move")],
                line: None,
            }],
            asked: Some(Instant::now()),
            reported: SearchReports {
                seldepth: Some(Ply(12)),
                nps: Some(1000),
                hashfull: Some(3),
                tbhits: Some(0),
                wdl: WdlClaim::new(312, 641, 47),
                time: Some(Duration::from_millis(9)),
            },
            quotes: vec!["info string x".to_owned()],
            ..Answer::silent()
        }
    }

    fn selected(fields: Option<&[MoveField]>) -> DetailSelection {
        DetailSelection { fields: fields.map(<[_]>::to_vec), match_lines: Vec::new() }
    }

    #[test]
    fn details_are_kept_only_if_asked_for() {
        let unquoted = Answer { quotes: Vec::new(), ..answer() };
        assert_eq!(selected(None).details(&unquoted), None);
        let others = [MoveField::Nodes, MoveField::TimeLeft];
        assert_eq!(selected(Some(&others)).details(&unquoted), None, "the move itself has them");
        for &field in MoveField::ALL {
            let details = selected(Some(&[field])).details(&unquoted).map(|details| *details);
            let empty = MoveDetails::default();
            let expected = match field {
                MoveField::TimeLeft | MoveField::Nodes => None,
                MoveField::Latency => {
                    Some(MoveDetails { reported_time: Some(Duration::from_millis(9)), ..empty })
                }
                MoveField::SelDepth => Some(MoveDetails { seldepth: Some(Ply(12)), ..empty }),
                MoveField::Nps => Some(MoveDetails { nps: Some(1000), ..empty }),
                MoveField::HashFull => Some(MoveDetails { hashfull: Some(3), ..empty }),
                MoveField::TbHits => Some(MoveDetails { tbhits: Some(0), ..empty }),
                MoveField::Wdl => Some(MoveDetails { wdl: WdlClaim::new(312, 641, 47), ..empty }),
                MoveField::Pv => Some(MoveDetails { pv: unquoted.infos[0].pv.clone(), ..empty }),
            };
            assert_eq!(details, expected, "{field}");
        }
        let quoting = DetailSelection { match_lines: vec!["x".parse().expect("valid")], ..selected(None) };
        let lines = quoting.details(&answer()).expect("a line matches").lines;
        assert_eq!(lines, ["info string x"]);
    }

    #[test]
    fn reported_time_is_not_kept_without_a_clock_of_the_system() {
        let untimed = Answer { asked: None, quotes: Vec::new(), ..answer() };
        assert_eq!(selected(Some(&[MoveField::Latency])).details(&untimed), None);
    }
}
