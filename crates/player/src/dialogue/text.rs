//! The text of a dialogue: one step a line.
//!
//! ```text
//! > go infinite          sends a line with the spaces at its end; \r and \t are letters. Lines below each other are one write
//! defaults               sends each option that the engine lists with its default value
//! until info 100ms       waits until the search has printed something, at most this long
//! silent 200ms           no search may end in this time; while depths come quickly, in up to four times this time
//! clock 1+0.5 lag 300ms  starts a clock, which `{clock}` stands for in `go {clock}`
//! < bestmove within 2s   waits for an answer; without a time, 3 s
//! check best e2e4 d2d4   checks the last search that was awaited
//! ```

use std::cmp::Ordering;
use std::num::ParseIntError;
use std::time::Duration;

use super::check::{Check, Consequence};
use super::step::{Expected, Step};
use threefold_chess::clock::Control;

/// The time for an answer if none is given. Busy machines delay engines by seconds.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(3);
/// More steps than this are an error.
const MOST_STEPS: usize = 20_000;

/// The forms of a step, for messages.
const FORMS: &str = "a step is `> LINE`, `defaults`, `< bestmove|readyok|uciok [within TIME]`, `until info TIME`, \
                     `pause|silent|drain TIME`, `clock TC [lag TIME]`, `close`, `exit [within TIME]`, `check …`, `assume …`, or \
                     `repeat N` … `end`";
/// What may stand in braces, for messages.
const PLACEHOLDERS: &str = "give `{variant}`, `{position}`, `{n}` in `repeat`, `{clock}` after `clock`, `{folder}` with \
                            `files`, or a limit that any search may have, such as `{depth 3}`";
/// The forms of a check, for messages.
const CHECKS: &str = "a check is `best MOVE …`, `takes at most|least TIME`, `take at most TIME in all`, \
                      `score mate N`, `mate at least N`, `no mate`, `wdl win|loss`, `[sel]depth at most|least N`, \
                      `hashfull at least N`, `nodes at most|least N`, `nodes at most N% [in one of N]`, \
                      `nodes at most N% in the last N`, \
                      `nodes at most N% more in the last N than in the first N`, `pv within TIME` or `lines within TIME`";

/// A line that is not a step.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("step {line}: {what}")]
pub struct DialogueError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

impl Step {
    /// Reads the steps of a dialogue.
    ///
    /// # Errors
    /// If a line is not a step.
    pub fn read_all(text: &str) -> Result<Vec<Self>, DialogueError> {
        let mut reader = Reader::default();
        for (index, line) in text.lines().enumerate() {
            let error = |what| DialogueError { line: index + 1, what };
            // Spaces at the end of a command are sent, too.
            let line = line.trim_start();
            let line = if line.starts_with('>') { line } else { line.trim_end() };
            reader.take_line(line).map_err(error)?;
        }
        match reader.repeated {
            Some(_) => {
                Err(DialogueError { line: text.lines().count(), what: "`repeat` without `end`".to_owned() })
            }
            None => Ok(reader.steps),
        }
    }
}

/// The steps so far.
#[derive(Default)]
struct Reader {
    steps: Vec<Step>,
    /// How often the lines since `repeat` are to be repeated, and these lines.
    repeated: Option<(u32, Vec<String>)>,
    /// Did the last line send something? Then the next one is sent in the same write.
    sends: bool,
}

impl Reader {
    fn take_line(&mut self, line: &str) -> Result<(), String> {
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        match (line.split_once(' '), &mut self.repeated) {
            _ if line == "end" => {
                let (times, lines) = self.repeated.take().ok_or("`end` without `repeat`")?;
                for number in 0..times {
                    // Each repetition begins a write of its own.
                    self.sends = false;
                    for line in &lines {
                        self.step(&line.replace("{n}", &number.to_string()))?;
                    }
                }
                self.sends = false;
                Ok(())
            }
            (Some(("repeat", times)), None) => {
                let times = times.trim().parse().map_err(|error: ParseIntError| error.to_string())?;
                self.repeated = Some((times, Vec::new()));
                Ok(())
            }
            (Some(("repeat", _)), Some(_)) => Err("`repeat` inside `repeat`".to_owned()),
            (_, Some((_, lines))) => {
                lines.push(line.to_owned());
                Ok(())
            }
            (_, None) => self.step(line),
        }
    }

    /// Does something stand for each text in braces?
    fn check_placeholders(&self, text: &str) -> Result<(), String> {
        let has_clock = self.steps.iter().any(|step| matches!(step, Step::Clock { .. }));
        placeholders(text).try_for_each(|name| match name {
            "clock" if !has_clock => Err("no step `clock TC` comes before `{clock}`".to_owned()),
            "clock" | "folder" => Ok(()),
            _ => Err(format!("nothing stands for `{{{name}}}`; {PLACEHOLDERS}")),
        })
    }

    fn step(&mut self, line: &str) -> Result<(), String> {
        if self.steps.len() == MOST_STEPS {
            return Err(format!("the dialogue has more than {MOST_STEPS} steps"));
        }
        if let Some(text) = line.strip_prefix('>') {
            let text = text.strip_prefix(' ').unwrap_or(text).replace("\\r", "\r").replace("\\t", "\t");
            self.check_placeholders(&text)?;
            match self.steps.last_mut() {
                Some(Step::Send(lines)) if self.sends => lines.push(text),
                _ => self.steps.push(Step::Send(vec![text])),
            }
            self.sends = true;
            return Ok(());
        }
        self.sends = false;
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        self.steps.push(match words.as_slice() {
            ["<", expected] => Step::Await(answer(expected)?, ANSWER_TIMEOUT),
            ["<", expected, "within", time] => Step::Await(answer(expected)?, duration(time)?),
            ["until", "info", time] => Step::UntilInfo(duration(time)?),
            ["pause", time] => Step::Pause(duration(time)?),
            ["silent", time] => Step::Silent(duration(time)?),
            ["drain", time] => Step::Drain(duration(time)?),
            ["defaults"] => Step::SendDefaults,
            ["clock", control] => Step::Clock { control: clock(control)?, lag: Duration::ZERO },
            ["clock", control, "lag", time] => Step::Clock { control: clock(control)?, lag: duration(time)? },
            ["close"] => Step::Close,
            ["exit"] => Step::Exit(ANSWER_TIMEOUT),
            ["exit", "within", time] => Step::Exit(duration(time)?),
            ["check", condition @ ..] => Step::Check(check(condition)?, Consequence::Fails),
            ["assume", condition @ ..] => Step::Check(check(condition)?, Consequence::DoesNotApply),
            _ => return Err(format!("`{line}` is not a step; {FORMS}")),
        });
        Ok(())
    }
}

/// What stands in braces.
fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).map(|rest| rest.split('}').next().unwrap_or_default())
}

fn answer(word: &str) -> Result<Expected, String> {
    word.parse().map_err(|_| format!("`{word}` cannot be awaited; {FORMS}"))
}

/// `20ms` or `3s`.
fn duration(text: &str) -> Result<Duration, String> {
    let number = |text: &str| text.parse::<u32>().ok().map(u64::from);
    let parsed = match text.strip_suffix("ms") {
        Some(text) => number(text).map(Duration::from_millis),
        None => text.strip_suffix('s').and_then(number).map(Duration::from_secs),
    };
    parsed.ok_or_else(|| format!("`{text}` is not a time such as 20ms or 3s"))
}

/// `1+0.5,timemargin=250`, in seconds.
fn clock(text: &str) -> Result<Control, String> {
    let control: Control = text.parse().map_err(|error| format!("time control `{text}`: {error}"))?;
    if control.time.is_none() {
        return Err(format!(
            "`{text}` sets no clock for a game; give one such as 1+0.5 (seconds + increment)"
        ));
    }
    Ok(control)
}

fn check(words: &[&str]) -> Result<Check, String> {
    let unknown = || format!("`{}` is not a check; {CHECKS}", words.join(" "));
    Ok(match words {
        ["best", moves @ ..] if !moves.is_empty() => {
            Check::Best(moves.iter().map(|&mv| mv.to_owned()).collect())
        }
        ["takes", "at", "most", time] => Check::TakesAtMost(duration(time)?),
        ["takes", "at", "least", time] => Check::TakesAtLeast(duration(time)?),
        ["take", "at", "most", time, "in", "all"] => Check::TakeInAll(duration(time)?),
        ["score", "mate", moves] => Check::Mate(moves.parse().map_err(|_| unknown())?),
        ["mate", "at", "least", moves] => Check::MateAtLeast(moves.parse().map_err(|_| unknown())?),
        ["no", "mate"] => Check::NoMate,
        ["wdl", "win"] => Check::Wdl(Ordering::Greater),
        ["wdl", "loss"] => Check::Wdl(Ordering::Less),
        ["depth", "at", "most", depth] => Check::DepthAtMost(depth.parse().map_err(|_| unknown())?),
        ["depth", "at", "least", depth] => Check::DepthAtLeast(depth.parse().map_err(|_| unknown())?),
        ["seldepth", "at", "most", depth] => Check::SeldepthAtMost(depth.parse().map_err(|_| unknown())?),
        ["seldepth", "at", "least", depth] => Check::SeldepthAtLeast(depth.parse().map_err(|_| unknown())?),
        ["hashfull", "at", "least", full] => Check::HashfullAtLeast(full.parse().map_err(|_| unknown())?),
        ["nodes", condition @ ..] => nodes_check(condition).ok_or_else(unknown)?,
        ["pv", "within", time] => Check::PvWithin(duration(time)?),
        ["lines", "within", time] => Check::LinesWithin(duration(time)?),
        _ => return Err(unknown()),
    })
}

/// Reads a check of nodes, without its first word; `None` if it is none.
fn nodes_check(words: &[&str]) -> Option<Check> {
    let number = |word: &str| word.parse::<usize>().ok().filter(|&number| number > 0);
    let percent = |word: &str| word.strip_suffix('%').and_then(|percent| percent.parse().ok());
    Some(match words {
        ["at", "least", nodes] => Check::NodesAtLeast(nodes.parse().ok()?),
        ["at", "most", nodes] if !nodes.ends_with('%') => Check::NodesAtMost(nodes.parse().ok()?),
        ["at", "most", share] => Check::NodesAtMostPercent { percent: percent(share)?, pairs: 1 },
        ["at", "most", share, "in", "one", "of", pairs] => {
            Check::NodesAtMostPercent { percent: percent(share)?, pairs: number(pairs)? }
        }
        ["at", "most", share, "in", "the", "last", pairs] => {
            Check::NodesAtMostPercentInAll { percent: percent(share)?, pairs: number(pairs)? }
        }
        ["at", "most", points, "more", "in", "the", "last", last, "than", "in", "the", "first", first] => {
            let (points, last, first) = (percent(points)?, number(last)?, number(first)?);
            Check::NodesAtMostPercentMore { points, last, first }
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_line_by_line() {
        let text = "# a comment\n> position startpos \n> go infinite\nuntil info 100ms \n\n> stop\\r\n\
                    defaults\nclock 3/1+0.5 lag 200ms\n< bestmove within 2s\n< readyok\ncheck best e2e4 d2d4\nassume nodes at most 60%\n\
                    check nodes at most 85% in one of 3\ncheck nodes at most 30% more in the last 8 than in the first 5\n\
                    check nodes at most 125% in the last 5\nexit\n";
        let time = Duration::from_millis;
        let expected = [
            Step::Send(vec!["position startpos ".to_owned(), "go infinite".to_owned()]),
            Step::UntilInfo(time(100)),
            Step::Send(vec!["stop\r".to_owned()]),
            Step::SendDefaults,
            Step::Clock { control: "3/1+0.5".parse().expect("a control"), lag: time(200) },
            Step::Await(Expected::BestMove, time(2000)),
            Step::Await(Expected::ReadyOk, ANSWER_TIMEOUT),
            Step::Check(Check::Best(vec!["e2e4".to_owned(), "d2d4".to_owned()]), Consequence::Fails),
            Step::Check(Check::NodesAtMostPercent { percent: 60, pairs: 1 }, Consequence::DoesNotApply),
            Step::Check(Check::NodesAtMostPercent { percent: 85, pairs: 3 }, Consequence::Fails),
            Step::Check(Check::NodesAtMostPercentMore { points: 30, last: 8, first: 5 }, Consequence::Fails),
            Step::Check(Check::NodesAtMostPercentInAll { percent: 125, pairs: 5 }, Consequence::Fails),
            Step::Exit(ANSWER_TIMEOUT),
        ];
        assert_eq!(Step::read_all(text).expect("sound"), expected);
    }

    #[test]
    fn repeated_steps_have_their_number() {
        let read = Step::read_all("repeat 2\n> go\npause {n}ms\n> stop\nend\n> quit").expect("sound");
        let send = |text: &str| Step::Send(vec![text.to_owned()]);
        let pause = |millis| Step::Pause(Duration::from_millis(millis));
        let expected = [send("go"), pause(0), send("stop"), send("go"), pause(1), send("stop"), send("quit")];
        assert_eq!(read, expected);
    }

    #[test]
    fn errors_name_the_line_and_the_forms() {
        let table = [
            ("> go {clock}", "step 1: no step `clock TC` comes before `{clock}`"),
            ("> go {dept 3}", "step 1: nothing stands for `{dept 3}`; give `{variant}`"),
            ("close\nwait", "step 2: `wait` is not a step; a step is"),
            ("< info", "step 1: `info` cannot be awaited; a step is"),
            ("pause 5", "step 1: `5` is not a time such as 20ms or 3s"),
            ("clock 5x", "step 1: time control `5x`: "),
            ("clock nodes=5 lag 3ms", "step 1: `nodes=5` sets no clock for a game; give one"),
            ("check depth", "step 1: `depth` is not a check; a check is"),
            (
                "check nodes at most 5 in one of 3",
                "step 1: `nodes at most 5 in one of 3` is not a check; a check is",
            ),
            ("repeat 3\nclose", "step 2: `repeat` without `end`"),
            ("end", "step 1: `end` without `repeat`"),
            ("repeat 300000\nclose\nend", "step 3: the dialogue has more than 20000 steps"),
        ];
        for (text, message) in table {
            let error = Step::read_all(text).expect_err(text).to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
