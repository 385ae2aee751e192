//! `info` lines of an engine.
//!
//! Engines add their own words, omit values and change the order. Unknown words are therefore ignored, and an
//! unreadable value leaves its field empty. Words are compared whole: `multipv 10` is not `multipv 1`.

use std::fmt;
use std::time::Duration;

use shakmaty::uci::UciMove;

use super::tokens::{Tokens, one_line};
use super::wdl::WdlClaim;
use crate::score::{Bound, Centipawns, MateDistance, Ply, Score};

/// One `info` line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Info {
    /// The depth of the iteration.
    pub depth: Option<Ply>,
    /// The selective depth.
    pub seldepth: Option<Ply>,
    /// The number of the principal variation, from 1; many engines omit it for a single one.
    pub multipv: Option<u32>,
    /// The score from the side to move's view, and whether it is exact or a bound.
    pub score: Option<(Score, Bound)>,
    /// The chances of a win, a draw and a loss, if they sum to 1000.
    pub wdl: Option<WdlClaim>,
    /// Nodes since `go`.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// The occupancy of the hash table, in thousandths.
    pub hashfull: Option<u16>,
    /// Tablebase hits.
    pub tbhits: Option<u64>,
    /// Time since `go`, in milliseconds in the text.
    pub time: Option<Duration>,
    /// The principal variation.
    pub pv: Vec<UciMove>,
    /// Free text (`string`).
    pub text: Option<String>,
}

impl Info {
    /// A line with free text.
    pub fn string(text: impl fmt::Display) -> Self {
        Self { text: Some(one_line(&text.to_string())), ..Self::default() }
    }

    /// Does it report on a search? Free text alone does not.
    pub fn is_about_a_search(&self) -> bool {
        let numbers = [self.nodes, self.depth.map(|Ply(depth)| depth.into())];
        self.score.is_some() || !self.pv.is_empty() || numbers.iter().any(Option::is_some)
    }

    /// The same report with its score and its chances from the opponent's view.
    #[must_use]
    pub fn reversed(self) -> Self {
        let score = self.score.map(|(score, bound)| (score.reversed(), bound.reversed()));
        Self { score, wdl: self.wdl.map(WdlClaim::reversed), ..self }
    }

    /// Parses the words after `info`.
    pub(super) fn parse(mut tokens: Tokens<'_>) -> Self {
        let mut info = Self::default();
        while let Some(word) = tokens.next() {
            match word {
                "depth" => info.depth = tokens.next_u16().map(Ply),
                "seldepth" => info.seldepth = tokens.next_u16().map(Ply),
                "multipv" => info.multipv = tokens.next_parsed(),
                "nodes" => info.nodes = tokens.next_parsed(),
                "nps" => info.nps = tokens.next_parsed(),
                "hashfull" => info.hashfull = tokens.next_u16(),
                "tbhits" => info.tbhits = tokens.next_parsed(),
                "time" => info.time = tokens.next_parsed().map(Duration::from_millis),
                "score" => info.score = score(&mut tokens).map(|score| (score, Bound::Exact)),
                "lowerbound" => info.score = info.score.map(|(score, _)| (score, Bound::Lower)),
                "upperbound" => info.score = info.score.map(|(score, _)| (score, Bound::Upper)),
                "wdl" => info.wdl = WdlClaim::read(&mut tokens),
                "pv" => info.pv = tokens.read_all(),
                "string" => info.text = Some(tokens.rest().to_owned()),
                _ => {}
            }
        }
        info
    }
}

/// `cp X` or `mate Y`.
fn score(tokens: &mut Tokens<'_>) -> Option<Score> {
    match tokens.next()? {
        "cp" => {
            let centipawns = tokens.next_parsed::<i64>()?.clamp(i64::from(i32::MIN), i64::from(i32::MAX));
            Some(Score::Cp(Centipawns(centipawns as i32)))
        }
        "mate" => {
            // The longest distances that have a value: a longer one is as impossible, and no missing score.
            let moves = tokens.next_parsed::<i64>()?.clamp(-32_767, 32_768);
            MateDistance::from_moves(moves as i32).map(Score::Mate)
        }
        _ => None,
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = match self.score {
            Some((_, Bound::Lower)) => " lowerbound",
            Some((_, Bound::Upper)) => " upperbound",
            Some((_, Bound::Exact)) | None => "",
        };
        f.write_str("info")?;
        field(f, "depth", self.depth.map(|depth| depth.0))?;
        field(f, "seldepth", self.seldepth.map(|depth| depth.0))?;
        field(f, "multipv", self.multipv)?;
        field(f, "score", self.score.map(|(score, _)| score))?;
        f.write_str(bound)?;
        if let Some(wdl) = self.wdl {
            write!(f, " wdl {} {} {}", wdl.win(), wdl.draw(), wdl.loss())?;
        }
        field(f, "nodes", self.nodes)?;
        field(f, "nps", self.nps)?;
        field(f, "hashfull", self.hashfull)?;
        field(f, "tbhits", self.tbhits)?;
        field(f, "time", self.time.map(|time| time.as_millis()))?;
        if !self.pv.is_empty() {
            f.write_str(" pv")?;
            self.pv.iter().try_for_each(|mv| write!(f, " {mv}"))?;
        }
        field(f, "string", self.text.as_deref())
    }
}

/// ` name value`, where there is a value.
fn field(f: &mut fmt::Formatter<'_>, name: &str, value: Option<impl fmt::Display>) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {name} {value}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::uci::command::tests::any_moves;

    fn read(text: &str) -> Info {
        Info::parse(Tokens::new(text))
    }

    #[test]
    fn info_lines_are_parsed_leniently() {
        let mate = |moves| Score::Mate(MateDistance::from_moves(moves).expect("small"));
        let cp = |n| Score::Cp(Centipawns(n));
        let table = [
            // words after `info`; number of the variation, score, depth
            ("multipv 10 score cp -900 depth 3", Some(10), Some((cp(-900), Bound::Exact)), Some(3)),
            ("depth 9 score cp 31 lowerbound wdl 1 2 997", None, Some((cp(31), Bound::Lower)), Some(9)),
            ("score mate -3 upperbound", None, Some((mate(-3), Bound::Upper)), None),
            ("score cp 99999999999", None, Some((cp(i32::MAX), Bound::Exact)), None),
            ("depth 735860 score cp 0", None, Some((cp(0), Bound::Exact)), Some(u16::MAX)),
            ("depth score cp 5", None, Some((cp(5), Bound::Exact)), None),
            ("score mate 99999999", None, Some((mate(32_768), Bound::Exact)), None),
            ("score mate -99999999999", None, Some((mate(-32_767), Bound::Exact)), None),
            ("score cp", None, None, None),
            ("depth -1 frobnicate 4 multipv 1\r", Some(1), None, None),
            ("string score cp 31", None, None, None),
            ("", None, None, None),
        ];
        for (text, multipv, score, depth) in table {
            let info = read(text);
            assert_eq!((info.multipv, info.score, info.depth), (multipv, score, depth.map(Ply)), "{text}");
        }
        assert_eq!(read("pv e2e4 e7e5 nodes 7").pv.len(), 2);
        assert_eq!(read("pv e2e4 oops e7e5 nodes 7").nodes, Some(7));
        assert_eq!(read("depth 3 hashfull 70000").hashfull, Some(u16::MAX));
    }

    prop_compose! {
        fn infos()(
            numbers in any::<(Option<u16>, Option<u16>, Option<u32>, Option<u64>, Option<u64>)>(),
            more in any::<(Option<u16>, Option<u64>, Option<u32>)>(),
            score in prop::option::of((any::<bool>(), -30000..30000_i32, 0..3_usize)),
            wdl in prop::option::of((0..=500_u16, 0..=500_u16)),
            pv in any_moves(),
            text in prop::option::of("[a-z]([a-z ]{0,8}[a-z])?"),
        ) -> Info {
            let score = score.map(|(mate, number, bound)| {
                let mate = MateDistance::from_moves(number).filter(|_| mate).map(Score::Mate);
                let bound = [Bound::Exact, Bound::Lower, Bound::Upper][bound];
                (mate.unwrap_or(Score::Cp(Centipawns(number))), bound)
            });
            let (depth, seldepth, multipv, nodes, nps) = numbers;
            let (hashfull, tbhits, time) = more;
            let wdl = wdl.and_then(|(win, loss)| WdlClaim::new(win, 1000 - win - loss, loss));
            Info {
                depth: depth.map(Ply), seldepth: seldepth.map(Ply), multipv, score, wdl, nodes, nps, hashfull, tbhits,
                time: time.map(|time| Duration::from_millis(time.into())), pv, text,
            }
        }
    }

    proptest! {
        #[test]
        fn printed_text_parses_back(info in infos()) {
            let text = info.to_string();
            prop_assert_eq!(read(text.strip_prefix("info").expect("it begins so")), info);
        }

        #[test]
        fn foreign_text_never_panics(text in "(score|cp|mate|pv|multipv|-?[0-9]{1,20}|[a-h1-8]{4}| |\\PC)*") {
            read(&text);
        }
    }
}
