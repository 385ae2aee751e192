//! The journal's form of a move of a game.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::job_result::{ScoreV1, nanos};
use crate::arena::game::{MoveRecord, MoveTiming};
use threefold_chess::clock::Delays;
use threefold_chess::score::{Ply, Score};

/// The move, its score, depth, nodes, time used and time left (in nanoseconds), and more, if there is more.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct MoveV1(
    String,
    Option<ScoreV1>,
    u16,
    u64,
    Option<u64>,
    Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")] Option<MoreV1>,
);

/// The mover's time report, or that and what was measured.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum MoreV1 {
    Account(String),
    Details {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        account: Option<String>,
        timing: TimingV1,
    },
}

/// In nanoseconds: when `go` was written, since that of the first move; then, as far as they are known, the first output, the
/// delays of the engine and of the runner, and the engine's CPU time.
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
        let MoveRecord { mv, score, depth, nodes, used, left, account, timing } = played;
        let (score, account) = (score.map(ScoreV1::from), account.map(|account| account.to_string()));
        let more = match timing {
            Some(timing) => Some(MoreV1::Details { account, timing: timing.into() }),
            None => account.map(MoreV1::Account),
        };
        Self(mv.to_string(), score, depth.0, *nodes, used.map(nanos), left.map(nanos), more)
    }
}

impl MoveV1 {
    pub(super) fn restore(self) -> Result<MoveRecord, String> {
        let Self(mv, score, depth, nodes, used, left, more) = self;
        let (account, timing) = match more {
            Some(MoreV1::Account(account)) => (Some(account), None),
            Some(MoreV1::Details { account, timing }) => (account, Some(timing.into())),
            None => (None, None),
        };
        let account = account.map(|text| text.parse().map_err(|error| format!("`{text}`: {error}")));
        Ok(MoveRecord {
            mv: mv.parse().map_err(|_| format!("`{mv}` is no move"))?,
            score: score.map(Score::from),
            depth: Ply(depth),
            nodes,
            used: used.map(Duration::from_nanos),
            left: left.map(Duration::from_nanos),
            account: account.transpose()?,
            timing,
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
