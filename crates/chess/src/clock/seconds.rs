//! Decimal seconds, parsed and printed without floating point.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A duration as decimal seconds without trailing zeros.
pub(super) struct Seconds(pub(super) Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.as_secs())?;
        let fraction = format!("{:09}", self.0.subsec_nanos());
        match fraction.trim_end_matches('0') {
            "" => Ok(()),
            digits => write!(f, ".{digits}"),
        }
    }
}

/// Parses digits only: no sign, no space.
pub(super) fn whole<N: FromStr>(text: &str) -> Option<N> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// Parses decimal seconds such as `60`, `0.5`, `.5` or `8s`, with at most nanosecond precision.
pub(super) fn seconds(text: &str) -> Option<Duration> {
    let text = text.strip_suffix('s').unwrap_or(text);
    let (secs, fraction) = text.split_once('.').unwrap_or((text, "0"));
    if text.is_empty() || fraction.is_empty() || fraction.len() > 9 {
        return None;
    }
    let secs: u32 = if secs.is_empty() { 0 } else { whole(secs)? };
    // The digits after the point, filled up with zeros to nanoseconds.
    let nanos: u32 = whole(&format!("{fraction:0<9}"))?;
    Some(Duration::new(u64::from(secs), nanos))
}
