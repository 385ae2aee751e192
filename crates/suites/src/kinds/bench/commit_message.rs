//! The node count of `bench` in a commit message.

/// The shortest signature, in digits. Stockfish's CI asks for six; small engines search less.
const FEWEST_DIGITS: usize = 4;

/// The node count that a commit message gives, in the forms that OpenBench reads: the word `bench` in small
/// or capital letters, blanks, `:` or `=`, and digits with or without commas. The last one counts; without
/// one, the last with the word `nodes`. It has at least four digits.
///
/// ```
/// use threefold_suites::bench_signature;
///
/// let message = "Simplify late move reductions\n\nBench: 2345678\n";
/// assert_eq!(bench_signature(message), Some(2_345_678));
/// assert_eq!(bench_signature("Tune SEE\n\nBENCH : 4,252,962"), Some(4_252_962));
/// ```
pub fn bench_signature(commit_message: &str) -> Option<u64> {
    let lower = commit_message.to_ascii_lowercase();
    ["bench", "nodes"].iter().find_map(|word| {
        let counts = lower.match_indices(word).filter_map(|(at, _)| {
            let is_whole_word =
                !lower[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_');
            if is_whole_word { count_at_start(&lower[at + word.len()..]) } else { None }
        });
        counts.last()
    })
}

/// The count that follows blanks, `:` or `=`.
fn count_at_start(text: &str) -> Option<u64> {
    let given = text.trim_start_matches([' ', ':', '=']);
    let end = given.find(|letter: char| !letter.is_ascii_digit() && letter != ',').unwrap_or(given.len());
    let digits = given[..end].replace(',', "");
    // A separator is required, and no letter may follow: `bench12345` and `nodes 12345ab` have no count.
    let is_count = given.len() < text.len()
        && digits.len() >= FEWEST_DIGITS
        && !given[end..].starts_with(char::is_alphanumeric);
    if is_count { digits.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_bench_count_of_a_commit_message_counts() {
        let table = [
            ("Tune\n\nBench: 2345678", Some(2_345_678)),
            ("Tune\n\nbench 2345678\nNo functional change", Some(2_345_678)),
            ("Bench: 1111\nBench: 2222\n", Some(2222)),
            ("  Bench : 4321  \r\n", Some(4321)),
            ("Bench: 2345678 (was 5)", Some(2_345_678)),
            ("New Bench: 2345678", Some(2_345_678)),
            ("Tune, bench 2345678.", Some(2_345_678)),
            ("Bench: 2,345,678", Some(2_345_678)),
            ("BENCH : 5,508,011", Some(5_508_011)),
            ("bench=2345678", Some(2_345_678)),
            ("Bench: 1111\nNodes: 2222\n", Some(1111)),
            ("Nodes: 2222\n", Some(2222)),
            ("Bench: 123", None),
            ("Bench2345678", None),
            ("Workbench: 2345678", None),
            ("bench 16mb", None),
            ("Bench: 1234abc", None),
            ("Bench: 99999999999999999999999", None),
            ("Benchmark 2345678 positions", None),
            ("Bänch — Bench: 2345678", Some(2_345_678)),
            ("", None),
        ];
        for (message, nodes) in table {
            assert_eq!(bench_signature(message), nodes, "{message:?}");
        }
    }
}
