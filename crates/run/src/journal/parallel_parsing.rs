//! Parses the results of a journal on all CPUs: most of the time to read one is that of its JSON.

use std::io;
use std::num::NonZeroUsize;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, Scope};

use super::rows;
use crate::job::{JobKey, JobResult};

/// A result, or what is wrong with its text.
type Parsed = Result<JobResult, String>;

/// The results of a portion.
type ParsedPortion = Vec<(JobKey, Parsed)>;

/// The bytes of the texts that a thread gets at a time: those of a few games, or of a hundred cases.
const PORTION: usize = 1 << 16;

/// The portions for each thread that are on their way: one that it parses, and the next one.
const AHEAD: usize = 2;

/// Passes the texts that `next` gives, parsed, to `each`, in the same order.
///
/// # Errors
/// The first error of `next` or `each`.
pub(super) fn parse_in_order<E>(
    threads: NonZeroUsize,
    mut next: impl FnMut() -> Result<Option<(JobKey, String)>, E>,
    mut each: impl FnMut(JobKey, Parsed) -> Result<(), E>,
) -> Result<(), E> {
    let mut pass_on =
        |results: ParsedPortion| results.into_iter().try_for_each(|(key, parsed)| each(key, parsed));
    thread::scope(|scope| {
        let mut parsers = Parsers::default();
        loop {
            let portion = Portion::collect(&mut next)?;
            let is_last = !portion.is_full;
            if !is_last && parsers.start(scope, threads) {
                parsers.send(portion);
                if parsers.on_their_way() >= AHEAD * threads.get() {
                    parsers.take().map_or(Ok(()), &mut pass_on)?;
                }
            } else {
                while let Some(results) = parsers.take() {
                    pass_on(results)?;
                }
                pass_on(portion.parse())?;
                if is_last {
                    return Ok(());
                }
            }
        }
    })
}

/// Texts that are parsed together.
struct Portion {
    texts: Vec<(JobKey, String)>,
    /// Only the last portion is not.
    is_full: bool,
}

impl Portion {
    fn collect<E>(next: &mut impl FnMut() -> Result<Option<(JobKey, String)>, E>) -> Result<Self, E> {
        let (mut texts, mut size) = (Vec::new(), 0);
        while size < PORTION {
            let Some((key, text)) = next()? else { return Ok(Self { texts, is_full: false }) };
            size += text.len();
            texts.push((key, text));
        }
        Ok(Self { texts, is_full: true })
    }

    fn parse(self) -> ParsedPortion {
        self.texts.into_iter().map(|(key, text)| (key, rows::read_result(&text))).collect()
    }
}

/// Threads that parse portions in turn, so their results are taken in turn, too. A journal of less than a
/// portion needs none.
#[derive(Default)]
struct Parsers {
    threads: Vec<Parser>,
    is_started: bool,
    /// The number of portions sent.
    sent: usize,
    /// The number of portions whose results were taken.
    taken: usize,
}

/// A thread that parses portions.
struct Parser {
    portions: Sender<Portion>,
    results: Receiver<ParsedPortion>,
}

impl Parsers {
    /// Starts the threads at the first call: fewer if the system refuses more. Is there one?
    fn start<'s>(&mut self, scope: &'s Scope<'s, '_>, threads: NonZeroUsize) -> bool {
        if !self.is_started {
            self.is_started = true;
            self.threads.extend((0..threads.get()).map_while(|_| Parser::start(scope).ok()));
        }
        !self.threads.is_empty()
    }

    fn send(&mut self, portion: Portion) {
        let thread = &self.threads[self.sent % self.threads.len()];
        thread.portions.send(portion).expect("a thread ends after its last portion");
        self.sent += 1;
    }

    const fn on_their_way(&self) -> usize {
        self.sent - self.taken
    }

    /// The next results; `None` if all were taken.
    fn take(&mut self) -> Option<ParsedPortion> {
        (self.on_their_way() > 0).then(|| {
            let thread = &self.threads[self.taken % self.threads.len()];
            self.taken += 1;
            thread.results.recv().expect("each portion has results")
        })
    }
}

impl Parser {
    /// Starts the thread. It ends when no more portions can come.
    fn start<'s>(scope: &'s Scope<'s, '_>) -> io::Result<Self> {
        let (portions, to_be_parsed) = mpsc::channel::<Portion>();
        let (parsed, results) = mpsc::channel();
        let parse = move || {
            // After an error the results are not taken any more.
            _ = to_be_parsed.iter().try_for_each(|portion| parsed.send(portion.parse()));
        };
        thread::Builder::new().spawn_scoped(scope, parse)?;
        Ok(Self { portions, results })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(threads: usize, texts: &[String]) -> Result<Vec<(usize, String)>, usize> {
        let threads = NonZeroUsize::new(threads).expect("not zero");
        let (mut texts, mut results) = (texts.iter().enumerate(), Vec::new());
        let next = || Ok(texts.next().map(|(job, text)| (JobKey { part: 0, job }, text.clone())));
        parse_in_order(threads, next, |key, parsed| {
            let error = parsed.expect_err("no result");
            let is_end = error.contains("`end`");
            results.push((key.job, error));
            if is_end { Err(key.job) } else { Ok(()) }
        })?;
        Ok(results)
    }

    #[test]
    fn results_are_in_the_order_of_their_texts_with_any_number_of_threads() {
        // Texts of different lengths, together many portions.
        let text = |number: usize| format!("{{\"{number}\":{}}}", "1".repeat(number * 5000 % 70_000));
        for number in [0, 1, 2, 3, 40] {
            let texts: Vec<String> = (0..number).map(text).collect();
            let alone = texts.iter().map(|text| rows::read_result(text).expect_err("no result"));
            let expected: Vec<(usize, String)> = alone.enumerate().collect();
            for threads in [1, 2, 5] {
                assert_eq!(parse(threads, &texts).as_ref(), Ok(&expected), "{threads}");
            }
        }
    }

    #[test]
    fn first_error_ends_the_parsing() {
        let mut texts = vec![format!("{{\"x\":\"{}\"}}", "y".repeat(PORTION)); 30];
        for end in [0, 17, 29] {
            texts[end] = format!("{{\"end\":\"{}\"}}", "y".repeat(PORTION));
            assert_eq!(parse(2, &texts), Err(end));
            texts[end] = texts[(end + 1) % 30].clone();
        }
    }
}
