//! The journal's form of a move of a game.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use shakmaty::uci::UciMove;

use super::fields::{ScoreV1, is_false, nanos};
use threefold_chess::clock::Delays;
use threefold_chess::score::{Ply, Score};
use threefold_games::game::{MoveRecord, MoveTiming};
use threefold_games::move_details::MoveDetails;

/// The moves of a game. Each is converted when it is read or written: a list of them in the form of the file
/// would double the time.
#[derive(Debug)]
pub(super) struct MovesV1<'m>(Cow<'m, [MoveRecord]>);

impl<'m> MovesV1<'m> {
    /// These moves, to be written.
    pub(super) const fn borrowed(moves: &'m [MoveRecord]) -> Self {
        Self(Cow::Borrowed(moves))
    }

    /// The moves that were read.
    pub(super) fn into_owned(self) -> Vec<MoveRecord> {
        self.0.into_owned()
    }
}

impl Serialize for MovesV1<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(MoveV1::from))
    }
}

impl<'de> Deserialize<'de> for MovesV1<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// JSON does not say the number of moves. Most games have no more, so their list is not copied.
        const USUAL_PLIES: usize = 160;

        struct MovesVisitor;

        impl<'de> Visitor<'de> for MovesVisitor {
            type Value = Vec<MoveRecord>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the moves of a game")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut moves: A) -> Result<Vec<MoveRecord>, A::Error> {
                let mut played = Vec::with_capacity(USUAL_PLIES);
                while let Some(mv) = moves.next_element::<MoveV1>()? {
                    played.push(mv.restore().map_err(de::Error::custom)?);
                }
                Ok(played)
            }
        }

        deserializer.deserialize_seq(MovesVisitor).map(|moves| Self(Cow::Owned(moves)))
    }
}

/// The move, its score, depth, nodes, time used and time left (in nanoseconds), and more, if there is more.
#[derive(Debug, Serialize, Deserialize)]
struct MoveV1(
    MoveTextV1,
    Option<ScoreV1>,
    u16,
    u64,
    Option<u64>,
    Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")] Option<MoreV1>,
);

/// A move as UCI writes it.
#[derive(Debug)]
struct MoveTextV1(UciMove);

impl Serialize for MoveTextV1 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for MoveTextV1 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;

        impl Visitor<'_> for TextVisitor {
            type Value = UciMove;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a move such as `e2e4`")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<UciMove, E> {
                text.parse().map_err(|_| E::custom(format_args!("`{text}` is no move")))
            }
        }

        deserializer.deserialize_str(TextVisitor).map(Self)
    }
}

/// The mover's time report, or that, what was measured, and what else the engine reported.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum MoreV1 {
    Account(String),
    Details(DetailsV1),
}

#[derive(Debug, Serialize, Deserialize)]
struct DetailsV1 {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    account: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    timing: Option<TimingV1>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reported: Option<Box<ReportedV1>>,
}

/// By hand: the derived code for untagged values copies each into a tree first, which doubles the time to
/// read a journal.
impl<'de> Deserialize<'de> for MoreV1 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MoreVisitor;

        impl<'de> Visitor<'de> for MoreVisitor {
            type Value = MoreV1;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a time report, or an object with details")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<MoreV1, E> {
                Ok(MoreV1::Account(text.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<MoreV1, A::Error> {
                DetailsV1::deserialize(MapAccessDeserializer::new(map)).map(MoreV1::Details)
            }
        }

        deserializer.deserialize_any(MoreVisitor)
    }
}

/// What was asked for of the engine's reports; the time in nanoseconds.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReportedV1 {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seldepth: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nps: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hashfull: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tbhits: Option<u64>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pv: String,
    /// `312/641/47`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wdl: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lines: Vec<String>,
    /// Is the move from the engine's book?
    #[serde(default, skip_serializing_if = "is_false")]
    book: bool,
}

/// In nanoseconds: when `go` was written, since that of the first move; then, as far as they are known, the
/// first output, the delays of the engine and of the runner, and the engine's CPU time.
#[derive(Debug, Serialize, Deserialize)]
struct TimingV1(
    u64,
    Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")] Option<MeasuredV1>,
);

#[derive(Debug, Serialize, Deserialize)]
struct MeasuredV1(Option<[u64; 2]>, Option<u64>);

impl From<&MoveRecord> for MoveV1 {
    fn from(played: &MoveRecord) -> Self {
        let MoveRecord { mv, score, depth, nodes, used, left, account, timing, details } = played;
        let (score, account) = (score.map(ScoreV1::from), account.map(|account| account.to_string()));
        let more = if timing.is_none() && details.is_none() {
            account.map(MoreV1::Account)
        } else {
            let (timing, reported) =
                (timing.as_ref().map(TimingV1::from), details.as_deref().map(ReportedV1::from));
            Some(MoreV1::Details(DetailsV1 { account, timing, reported: reported.map(Box::new) }))
        };
        Self(MoveTextV1(*mv), score, depth.0, *nodes, used.map(nanos), left.map(nanos), more)
    }
}

impl MoveV1 {
    fn restore(self) -> Result<MoveRecord, String> {
        let Self(MoveTextV1(mv), score, depth, nodes, used, left, more) = self;
        let (account, timing, reported) = match more {
            Some(MoreV1::Account(account)) => (Some(account), None, None),
            Some(MoreV1::Details(DetailsV1 { account, timing, reported })) => {
                (account, timing.map(MoveTiming::from), reported)
            }
            None => (None, None, None),
        };
        let account = account.map(|text| text.parse().map_err(|error| format!("`{text}`: {error}")));
        Ok(MoveRecord {
            score: score.map(Score::from),
            depth: Ply(depth),
            nodes,
            used: used.map(Duration::from_nanos),
            left: left.map(Duration::from_nanos),
            account: account.transpose()?,
            timing,
            details: reported.map(|reported| reported.restore()).transpose()?.map(Box::new),
            ..MoveRecord::new(mv)
        })
    }
}

impl From<&MoveDetails> for ReportedV1 {
    fn from(details: &MoveDetails) -> Self {
        let MoveDetails { seldepth, nps, hashfull, tbhits, pv, wdl, reported_time, lines, is_from_book } =
            details;
        let pv: Vec<String> = pv.iter().map(ToString::to_string).collect();
        Self {
            seldepth: seldepth.map(|depth| depth.0),
            nps: *nps,
            hashfull: *hashfull,
            tbhits: *tbhits,
            pv: pv.join(" "),
            wdl: wdl.map(|claim| claim.to_string()),
            time: reported_time.map(nanos),
            lines: lines.clone(),
            book: *is_from_book,
        }
    }
}

impl ReportedV1 {
    fn restore(self) -> Result<MoveDetails, String> {
        let Self { seldepth, nps, hashfull, tbhits, pv, wdl, time, lines, book } = self;
        let read = |mv: &str| mv.parse().map_err(|_| format!("`{mv}` is no move"));
        Ok(MoveDetails {
            seldepth: seldepth.map(Ply),
            nps,
            hashfull,
            tbhits,
            wdl: wdl.map(|text| text.parse().map_err(|error| format!("`{text}`: {error}"))).transpose()?,
            pv: pv.split_ascii_whitespace().map(read).collect::<Result<_, _>>()?,
            reported_time: time.map(Duration::from_nanos),
            lines,
            is_from_book: book,
        })
    }
}

impl From<&MoveTiming> for TimingV1 {
    fn from(timing: &MoveTiming) -> Self {
        let MoveTiming { sent, first_output, delays, cpu } = *timing;
        let delays = delays.map(|Delays { engine, runner }| [nanos(engine), nanos(runner)]);
        let measured = (delays.is_some() || cpu.is_some()).then(|| MeasuredV1(delays, cpu.map(nanos)));
        Self(nanos(sent), first_output.map(nanos), measured)
    }
}

impl From<TimingV1> for MoveTiming {
    fn from(TimingV1(sent, first_output, measured): TimingV1) -> Self {
        let MeasuredV1(delays, cpu) = measured.unwrap_or(MeasuredV1(None, None));
        let delays = delays.map(|delays| delays.map(Duration::from_nanos));
        Self {
            sent: Duration::from_nanos(sent),
            first_output: first_output.map(Duration::from_nanos),
            delays: delays.map(|[engine, runner]| Delays { engine, runner }),
            cpu: cpu.map(Duration::from_nanos),
        }
    }
}
