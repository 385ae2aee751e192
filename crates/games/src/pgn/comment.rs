//! The comment on a move.
//!
//! Form and order of the data are those of fastchess: `+0.34/12 0.015s, tl=9.985s, latency=0.001s, n=1234,
//! sd=18, nps=82000, hashfull=3, tbhits=0, pv="e2e4 e7e5", line="info string …"`.

use std::fmt::{self, Write as _};
use std::time::Duration;

use super::text::quotable;
use crate::game::MoveRecord;
use crate::move_details::{DetailSelection, MoveDetails, MoveField};
use threefold_chess::score::{Ply, Score};

/// Adds the comment on a move to an empty text; nothing if nothing is known.
///
/// Numbers of the engine that are asked for are 0 if it does not report them, as in fastchess: programs that
/// read the comments expect every field at every move with a score. Data that this program would have to
/// measure is left out where it is not measured.
pub(super) fn write_comment(text: &mut String, played: &MoveRecord, selection: &DetailSelection) {
    if played.details.as_ref().is_some_and(|details| details.is_from_book) {
        text.push_str("book");
        return;
    }
    let MoveRecord { score, depth, used, account, .. } = played;
    if let Some(score) = score {
        append(text, "", format_args!("{}/{}", score_text(*score), depth.0));
    }
    if let Some(used) = used {
        append(text, " ", format_args!("{}", seconds(*used)));
    }
    match &selection.fields {
        None if played.nodes > 0 => append(text, ", ", format_args!("n={}", played.nodes)),
        None => {}
        // In the order of the table, which is fastchess's.
        Some(_) => {
            let asked = MoveField::ALL.iter().filter(|&&field| selection.has(field));
            for field in asked.filter_map(|&field| field_text(field, played)) {
                append(text, ", ", format_args!("{field}"));
            }
        }
    }
    for line in played.details.iter().flat_map(|details| &details.lines) {
        append(text, ", ", format_args!("line=\"{}\"", quotable(line)));
    }
    if let Some(account) = account {
        append(text, ", ", format_args!("{account}"));
    }
}

/// Adds a part, with the separator before it unless it is the first.
fn append(text: &mut String, separator: &str, part: fmt::Arguments<'_>) {
    if !text.is_empty() {
        text.push_str(separator);
    }
    // Writing to a `String` cannot fail.
    _ = text.write_fmt(part);
}

/// A field as it is written; `None` if it is not known.
fn field_text(field: MoveField, played: &MoveRecord) -> Option<String> {
    let none = MoveDetails::default();
    let details = played.details.as_deref().unwrap_or(&none);
    let reported = |name: &str, number: Option<u64>| {
        (number.is_some() || played.score.is_some()).then(|| format!("{name}={}", number.unwrap_or(0)))
    };
    match field {
        MoveField::TimeLeft => played.left.map(|left| format!("tl={}", seconds(left))),
        MoveField::Latency => {
            // An engine reports whole milliseconds, so the measured time is cut to them, too.
            let latency =
                played.used?.as_millis().cast_signed() - details.reported_time?.as_millis().cast_signed();
            let sign = if latency < 0 { "-" } else { "" };
            let size = Duration::from_millis(u64::try_from(latency.unsigned_abs()).ok()?);
            Some(format!("latency={sign}{}", seconds(size)))
        }
        MoveField::Nodes => reported("n", (played.nodes > 0).then_some(played.nodes)),
        MoveField::SelDepth => reported("sd", details.seldepth.map(|Ply(depth)| depth.into())),
        MoveField::Nps => reported("nps", details.nps),
        MoveField::HashFull => reported("hashfull", details.hashfull.map(u64::from)),
        MoveField::TbHits => reported("tbhits", details.tbhits),
        MoveField::Pv => {
            let moves: Vec<String> = details.pv.iter().map(ToString::to_string).collect();
            (!moves.is_empty() || played.score.is_some()).then(|| format!("pv=\"{}\"", moves.join(" ")))
        }
        // Chances of zero would be a claim, so an engine that claims nothing has no field.
        MoveField::Wdl => details.wdl.map(|wdl| format!("wdl={wdl}")),
    }
}

/// `0.015s`
fn seconds(time: Duration) -> String {
    format!("{:.3}s", time.as_secs_f64())
}

/// `+0.34`, `-1.20`, `0.00`, `+M5`, `-M4`.
fn score_text(score: Score) -> String {
    match score {
        Score::Cp(cp) => {
            let sign = match cp.0 {
                0 => "",
                ..0 => "-",
                1.. => "+",
            };
            let size = cp.0.unsigned_abs();
            format!("{sign}{}.{:02}", size / 100, size % 100)
        }
        Score::Mate(mate) => {
            let Ply(plies) = mate.plies();
            format!("{}M{plies}", if mate.is_win() { '+' } else { '-' })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_chess::score::{Centipawns, MateDistance};

    fn comment_text(played: &MoveRecord, selection: &DetailSelection) -> String {
        let mut text = String::new();
        write_comment(&mut text, played, selection);
        text
    }

    fn played(score: Option<Score>, nodes: u64, used: Option<Duration>) -> MoveRecord {
        MoveRecord { score, depth: Ply(9), nodes, used, ..MoveRecord::new("e2e4".parse().expect("a move")) }
    }

    const fn cp(size: i32) -> Score {
        Score::Cp(Centipawns(size))
    }

    #[test]
    fn pgn_comments_have_the_known_data() {
        let table = [
            // score, nodes, ms used, comment
            (Some(cp(34)), 1234, Some(12), "+0.34/9 0.012s, n=1234"),
            (Some(cp(-1205)), 1234, None, "-12.05/9, n=1234"),
            (Some(cp(0)), 0, Some(1000), "0.00/9 1.000s"),
            (Some(cp(-5)), 0, None, "-0.05/9"),
            (MateDistance::from_moves(3).map(Score::Mate), 7, None, "+M5/9, n=7"),
            (None, 0, Some(3), "0.003s"),
            (None, 0, None, ""),
        ];
        for (score, nodes, used, comment) in table {
            let played = played(score, nodes, used.map(Duration::from_millis));
            assert_eq!(comment_text(&played, &DetailSelection::default()), comment);
        }
        let report = "time budget 466.1 most 1600 used 310.02 tree 123456 reused 0 end settled";
        let account = Some(report.parse().expect(report));
        let played = MoveRecord { account, ..played(Some(cp(34)), 7, Some(Duration::from_millis(310))) };
        assert_eq!(
            comment_text(&played, &DetailSelection::default()),
            format!("+0.34/9 0.310s, n=7, {report}")
        );
    }

    /// A move of which everything is known.
    fn full() -> MoveRecord {
        let details = MoveDetails {
            seldepth: Some(Ply(18)),
            nps: Some(82_000),
            hashfull: Some(3),
            tbhits: Some(5),
            pv: ["e2e4", "e7e5"].map(|mv| mv.parse().expect(mv)).to_vec(),
            wdl: "312/641/47".parse().ok(),
            reported_time: Some(Duration::from_millis(14)),
            lines: vec!["info string a {\"quoted\"} note".to_owned()],
            is_from_book: false,
        };
        MoveRecord {
            left: Some(Duration::from_millis(9985)),
            details: Some(Box::new(details)),
            ..played(Some(cp(34)), 1234, Some(Duration::from_micros(15_900)))
        }
    }

    #[test]
    fn each_field_is_written_if_it_is_asked_for() {
        let known = full();
        let unknown = MoveRecord { left: None, details: None, nodes: 0, ..known.clone() };
        for &field in MoveField::ALL {
            let (expected, without) = match field {
                MoveField::TimeLeft => (", tl=9.985s", ""),
                // Whole milliseconds, as both programs would print them.
                MoveField::Latency => (", latency=0.001s", ""),
                MoveField::Nodes => (", n=1234", ", n=0"),
                MoveField::SelDepth => (", sd=18", ", sd=0"),
                MoveField::Nps => (", nps=82000", ", nps=0"),
                MoveField::HashFull => (", hashfull=3", ", hashfull=0"),
                MoveField::TbHits => (", tbhits=5", ", tbhits=0"),
                MoveField::Wdl => (", wdl=312/641/47", ""),
                MoveField::Pv => (", pv=\"e2e4 e7e5\"", ", pv=\"\""),
            };
            let selection = DetailSelection { fields: Some(vec![field]), match_lines: Vec::new() };
            let line = ", line=\"info string a ('quoted') note\"";
            assert_eq!(
                comment_text(&known, &selection),
                format!("+0.34/9 0.016s{expected}{line}"),
                "{field}"
            );
            assert_eq!(comment_text(&unknown, &selection), format!("+0.34/9 0.016s{without}"), "{field}");
            let silent = MoveRecord { score: None, used: None, ..unknown.clone() };
            assert_eq!(comment_text(&silent, &selection), "", "{field}");
        }
        let nothing = DetailSelection { fields: Some(Vec::new()), match_lines: Vec::new() };
        let plain = MoveRecord { details: None, ..known };
        assert_eq!(comment_text(&plain, &nothing), "+0.34/9 0.016s");
    }

    #[test]
    fn latency_is_negative_if_the_engine_reports_more_time_than_was_measured() {
        let mut played = full();
        if let Some(details) = &mut played.details {
            details.reported_time = Some(Duration::from_millis(17));
            details.lines.clear();
        }
        let selection = DetailSelection { fields: Some(vec![MoveField::Latency]), match_lines: Vec::new() };
        assert_eq!(comment_text(&played, &selection), "+0.34/9 0.016s, latency=-0.002s");
    }
}
