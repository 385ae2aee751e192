//! Lines of CSV files, for messages.

/// The line at which a record begins, from 1. `position` is where the reader began to read it: before empty lines, before
/// lines that begin with `comment`, and between the two characters of CR LF.
///
/// ```
/// use threefold_suites::csv_line::line_of_record;
///
/// let text = "id,why\r\na,\"two\r\nlines\"\r\n\r\nb,one\r\n";
/// let records = csv::Reader::from_reader(text.as_bytes()).into_records();
/// let positions = records.filter_map(|record| record.ok()?.position().cloned());
/// assert!(positions.map(|position| line_of_record(text, &position, None)).eq([2, 5]));
/// ```
pub fn line_of_record(text: &str, position: &csv::Position, comment: Option<char>) -> u64 {
    let remaining = text.get(position.byte() as usize..).unwrap_or_default();
    let is_skipped = |line: &&str| line.is_empty() || comment.is_some_and(|sign| line.starts_with(sign));
    position.line() + remaining.lines().take_while(is_skipped).count() as u64
}
