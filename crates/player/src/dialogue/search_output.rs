//! The output of one search, and what it breaks.

use std::collections::BTreeSet;
use std::time::Duration;

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Position as _};

use super::counters::{bad_counter, wrong_speed};
use super::info_line::{InfoLine, has_wide_gap, quoted};
use super::rule::OutputRule;
use super::search_options::SearchOptions;
use super::searched_depth::repeated;
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Bound, Centipawns, Ply, Score};
use threefold_chess::uci::{Go, WdlClaim, means_no_move, wdl_fault};
use threefold_oracle::Referee;
use threefold_oracle::referee::RuleEnd;

/// From here on a score in centipawns can only be a mate whose distance was not computed. Engines without endgame tables
/// evaluate nothing as high: nine queens are worth some 9,000.
const LEAST_MATE: u32 = 15_000;

/// What a search is asked.
#[derive(Debug, Clone)]
pub(crate) struct SearchRequest {
    /// The position; `None` if what was sent is none.
    pub(crate) position: Option<GamePosition>,
    /// The arguments of `go`.
    pub(crate) go: Go,
    /// The options that it is done with.
    pub(crate) options: SearchOptions,
}

/// A search with its output.
#[derive(Debug, Clone)]
pub(crate) struct SearchOutput {
    request: SearchRequest,
    /// The position by the rules; `None` if it is not legal.
    referee: Option<Referee>,
    infos: Vec<InfoLine>,
    /// The line with `bestmove`.
    end: Option<String>,
    elapsed: Duration,
    /// How long it waited for a CPU.
    delay: Duration,
    /// Was it ended by `stop`, or turned into a timed one by `ponderhit`?
    is_changed: bool,
    /// Lines between `go` and `bestmove` that UCI does not define.
    unknown: Vec<String>,
    /// Lines about a search between `bestmove` and the next `go`.
    late: Vec<String>,
}

impl SearchOutput {
    pub(crate) fn new(request: SearchRequest) -> Self {
        let referee = request.position.as_ref().and_then(|position| Referee::new(position).ok());
        Self {
            request,
            referee,
            infos: Vec::new(),
            end: None,
            elapsed: Duration::ZERO,
            delay: Duration::ZERO,
            is_changed: false,
            unknown: Vec::new(),
            late: Vec::new(),
        }
    }

    /// Takes a line that came while it ran.
    pub(crate) fn take_line(&mut self, line: &str, elapsed: Duration) {
        match line.split_ascii_whitespace().next() {
            // A dialogue may send `isready` and `uci` during a search.
            None | Some("readyok" | "id" | "option" | "uciok") => {}
            Some("info") => self.infos.extend(InfoLine::read(line, elapsed)),
            Some("bestmove") => {
                self.end = Some(line.trim().to_owned());
                self.elapsed = elapsed;
            }
            Some(_) => self.unknown.push(quoted(line)),
        }
    }

    /// Takes a line that came after its end, before another search.
    pub(crate) fn take_late_line(&mut self, line: &str) {
        let is_end = line.split_ascii_whitespace().next() == Some("bestmove");
        if is_end || InfoLine::read(line, Duration::ZERO).is_some() {
            self.late.push(quoted(line));
        }
    }

    /// `stop` or `ponderhit` was sent.
    pub(crate) const fn set_changed(&mut self) {
        self.is_changed = true;
    }

    pub(crate) const fn has_info(&self) -> bool {
        !self.infos.is_empty()
    }

    /// How long it waited for a CPU on a busy machine.
    pub(crate) const fn set_delay(&mut self, delay: Duration) {
        self.delay = delay;
    }

    /// Its time without the waits for a CPU.
    pub(crate) const fn own_time(&self) -> Duration {
        self.elapsed.saturating_sub(self.delay)
    }

    /// Its whole time.
    pub(crate) const fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// The line with `bestmove`.
    pub(crate) fn end(&self) -> Option<&str> {
        self.end.as_deref()
    }

    /// The word after `bestmove`.
    pub(crate) fn best_word(&self) -> Option<&str> {
        self.end.as_deref()?.split_ascii_whitespace().nth(1)
    }

    /// When the first principal variation came.
    pub(crate) fn first_pv(&self) -> Option<Duration> {
        self.infos.iter().find(|line| !line.pv.is_empty()).map(|line| line.elapsed)
    }

    /// The line that comes the longest time after the `time` that it shows, and that time.
    pub(crate) fn latest_line(&self) -> Option<(String, Duration)> {
        let held_back = |line: &InfoLine| Some(line.elapsed.saturating_sub(line.info.time?));
        let latest = self.infos.iter().max_by_key(|line| held_back(line))?;
        Some((quoted(&latest.text), held_back(latest)?))
    }

    /// The last exact score of the first line.
    pub(crate) fn last_score(&self) -> Option<Score> {
        let mut lines = self.infos.iter().rev().filter(|line| line.rank() == 1 && line.is_exact());
        lines.find_map(|line| line.info.score).map(|(score, _)| score)
    }

    /// The last claimed chances of the first line.
    pub(crate) fn last_wdl(&self) -> Option<WdlClaim> {
        self.infos.iter().rev().filter(|line| line.rank() == 1).find_map(|line| line.info.wdl)
    }

    pub(crate) fn deepest(&self) -> Option<u16> {
        self.infos.iter().filter_map(|line| line.info.depth).map(|Ply(depth)| depth).max()
    }

    pub(crate) fn selective_depth(&self) -> Option<u16> {
        self.infos.iter().filter_map(|line| line.info.seldepth).map(|Ply(depth)| depth).max()
    }

    /// The largest share of the hash table that is reported as full, in thousandths.
    pub(crate) fn fullest(&self) -> Option<u16> {
        self.infos.iter().filter_map(|line| line.info.hashfull).max()
    }

    pub(crate) fn nodes(&self) -> Option<u64> {
        self.infos.iter().rev().find_map(|line| line.info.nodes)
    }

    /// How it breaks a rule; `None` if it does not. Searches of positions that are not legal break none.
    /// `earlier` are the searches of the dialogue before it.
    pub(crate) fn violation(&self, rule: OutputRule, earlier: &[Self]) -> Option<String> {
        match rule {
            OutputRule::BestMove => self.bad_best_move(),
            OutputRule::PonderMove => self.bad_ponder_move(),
            OutputRule::LateOutput => {
                self.late.first().map(|line| format!("it sends `{line}` after `bestmove`"))
            }
            OutputRule::LegalPv | OutputRule::PvEnd | OutputRule::MateScore => {
                self.infos.iter().find_map(|line| self.bad_line(line, rule))
            }
            OutputRule::MoveNotation => {
                let best = self.best_word().into_iter().map(|word| vec![word.to_owned()]);
                let lines = best.chain(self.infos.iter().map(|line| line.pv.clone()));
                lines.into_iter().find_map(|words| self.bad_notation(&words))
            }
            OutputRule::PvStart => self.bad_start(),
            OutputRule::Mated => self.wrongly_mated(),
            OutputRule::SearchedDepth => self.repeated_depth(earlier),
            OutputRule::Counters => {
                bad_counter(&self.infos, &self.request.go, self.request.options, self.is_changed)
            }
            OutputRule::Nps => self.infos.iter().find_map(wrong_speed),
            OutputRule::Lines => self.bad_lines(),
            OutputRule::Wdl => self.infos.iter().find_map(|line| {
                let wrong = wdl_fault(&line.text, line.info.score)?;
                Some(format!("{wrong}: `{}`", quoted(&line.text)))
            }),
            OutputRule::Words => {
                self.unknown.first().map(|line| format!("it sends `{line}`, which UCI does not define"))
            }
            OutputRule::Spaces => {
                let mut lines = self.infos.iter().map(|line| &line.text).chain(&self.end);
                let line = quoted(lines.find(|line| has_wide_gap(line))?);
                Some(format!("`{line}` has more than a space between two words"))
            }
        }
    }

    fn bad_best_move(&self) -> Option<String> {
        let (referee, end) = (self.referee.as_ref()?, quoted(self.end.as_deref()?));
        let word = self.best_word().unwrap_or_default();
        if referee.position().legal_moves().is_empty() {
            // Some engines write a move of no distance for none.
            let is_stay = word.len() == 4 && word.is_ascii() && word[..2] == word[2..];
            let is_move = word.parse::<UciMove>().is_ok() && !means_no_move(word) && !is_stay;
            return is_move.then(|| format!("it sends `{end}` where no move is legal"));
        }
        let is_legal = read_move(word).is_some_and(|mv| referee.legal(mv).is_ok());
        if !is_legal {
            return Some(format!("it sends `{end}`, which is not a legal move"));
        }
        let only = &self.request.go.only;
        let is_allowed = only.is_empty() || read_move(word).is_some_and(|mv| only.contains(&mv));
        (!is_allowed).then(|| format!("it sends `{end}`, which is not among its `searchmoves`"))
    }

    fn bad_ponder_move(&self) -> Option<String> {
        let mut referee = self.referee.clone()?;
        let mut words = self.end.as_deref()?.split_ascii_whitespace().skip(1);
        // An illegal best move is the matter of another rule.
        referee.play(read_move(words.next()?)?).ok()?;
        if words.next() != Some("ponder") {
            return None;
        }
        let word = words.next().unwrap_or_default();
        let is_legal = read_move(word).is_some_and(|mv| referee.legal(mv).is_ok());
        (!is_legal && !means_no_move(word)).then(|| {
            format!(
                "it sends `{}`, whose ponder move is not legal",
                quoted(self.end.as_deref().unwrap_or_default())
            )
        })
    }

    /// A principal variation that breaks one of the rules about moves.
    fn bad_line(&self, line: &InfoLine, rule: OutputRule) -> Option<String> {
        let mut referee = self.referee.clone()?;
        let text = quoted(&line.text);
        for (index, word) in line.pv.iter().enumerate() {
            // The game may be drawn before the search, and the engine is asked nevertheless.
            let ending = if index > 0 { referee.ending() } else { None };
            if let (OutputRule::PvEnd, Some(end @ (RuleEnd::Threefold | RuleEnd::FiftyMoves))) =
                (rule, ending)
            {
                return Some(format!("after move {index} of `{text}` the game is drawn ({end})"));
            }
            // Its spelling is the matter of another rule.
            if read_move(&word.to_ascii_lowercase()).is_none_or(|mv| referee.play(mv).is_err()) {
                let number = index + 1;
                return (rule == OutputRule::LegalPv)
                    .then(|| format!("move {number} of `{text}`, `{word}`, is not legal"));
            }
        }
        if rule != OutputRule::MateScore {
            return None;
        }
        let mate = match line.info.score {
            Some((Score::Mate(mate), Bound::Exact)) => mate,
            // With tables a won ending has such a score.
            Some((Score::Cp(Centipawns(score)), _))
                if score.unsigned_abs() >= LEAST_MATE && !self.request.options.has_tables =>
            {
                return Some(format!("`{text}` has the score of a mate in centipawns"));
            }
            _ => return None,
        };
        let plies = Ply(u16::try_from(line.pv.len()).ok()?);
        // A principal variation that was cut short shows no mate, and so no length of it.
        (!line.pv.is_empty() && referee.position().is_checkmate() && plies != mate.plies())
            .then(|| format!("`{text}` shows a mate in {} plies, not in {}", plies.0, mate.plies().0))
    }

    /// The first word of a line of moves that names a legal move in another spelling.
    fn bad_notation(&self, words: &[String]) -> Option<String> {
        let mut referee = self.referee.clone()?;
        for word in words {
            let Some(legal) = read_move(&word.to_ascii_lowercase()).and_then(|mv| referee.legal(mv).ok())
            else {
                return has_odd_promotion(word)
                    .then(|| format!("it writes `{word}`, which ends in no letter of a promotion"));
            };
            let written = legal.to_uci(self.request.options.castling);
            if written.to_string() != *word {
                return Some(format!("it writes `{word}` instead of `{written}`"));
            }
            referee.play(legal.to_uci(CastlingMode::Chess960)).ok()?;
        }
        None
    }

    fn bad_start(&self) -> Option<String> {
        let best = self.best_word().filter(|word| !means_no_move(word))?;
        let lines = || self.infos.iter().rev().filter(|line| line.rank() == 1 && !line.pv.is_empty());
        let last = lines().next()?;
        // An engine need not play the move of a bound that follows its last exact line.
        let mut accepted = [Some(last), lines().find(|line| line.is_exact())].into_iter().flatten();
        if accepted.any(|line| line.pv[0] == best) {
            return None;
        }
        Some(format!(
            "it sends `{}` after `{}`",
            quoted(self.end.as_deref().unwrap_or_default()),
            quoted(&last.text)
        ))
    }

    /// A line that claims a mate in 0 moves of a side that is not mated. Every score is at least that, so a lower bound is none.
    fn wrongly_mated(&self) -> Option<String> {
        if self.referee.as_ref()?.position().is_checkmate() {
            return None;
        }
        let claims_mate = |line: &&InfoLine| matches!(line.info.score, Some((Score::Mate(mate), bound)) if mate.is_none() && bound != Bound::Lower);
        let line = self.infos.iter().find(claims_mate)?;
        Some(format!("`{}` says that the side to move is mated already", quoted(&line.text)))
    }

    /// The line of an unfinished depth, by a longer search of the same position.
    fn repeated_depth(&self, earlier: &[Self]) -> Option<String> {
        let mut same = earlier.iter().filter(|other| other.request.position == self.request.position);
        let longer = same.find(|other| self.nodes() < other.nodes())?;
        let (line, reached) = repeated(&self.exact_lines(), &longer.exact_lines())?;
        let text = quoted(&line.text);
        Some(format!("`{text}` repeats the line of the depth before; its own takes {reached} nodes"))
    }

    /// The exact lines of the best move.
    fn exact_lines(&self) -> Vec<&InfoLine> {
        let is_such = |line: &&InfoLine| line.rank() == 1 && line.is_exact() && !line.pv.is_empty();
        self.infos.iter().filter(is_such).collect()
    }

    /// The lines of `MultiPV`.
    fn bad_lines(&self) -> Option<String> {
        let legal = self.referee.as_ref()?.position().legal_moves().len();
        let moves = if self.request.go.only.is_empty() { legal } else { self.request.go.only.len() };
        let expected = self.request.options.multipv.min(u32::try_from(moves).ok()?);
        if let Some(line) = self.infos.iter().find(|line| line.rank() > expected || line.rank() == 0) {
            return Some(format!("it sends `{}` where {expected} lines are possible", quoted(&line.text)));
        }
        let last = |rank| self.infos.iter().rev().find(|line| line.rank() == rank && !line.pv.is_empty());
        let lines: Vec<Option<&InfoLine>> = (1..=expected).map(last).collect();
        // A single line may be left out: UCI does not ask for it. A search that is stopped may have shown a part of them.
        let has_several = self.request.options.multipv > 1;
        let ends_itself = has_several && self.request.go.limits.depth.is_some() && !self.is_changed;
        if let Some(missing) = lines.iter().position(Option::is_none).filter(|_| ends_itself) {
            return Some(format!("it sends no line `multipv {}` where {expected} are possible", missing + 1));
        }
        let lines = self.deepest_lines(expected).filter(|_| has_several)?;
        let first: BTreeSet<&str> = lines.iter().map(|line| line.pv[0].as_str()).collect();
        if first.len() < lines.len() {
            return Some(format!("two lines begin with one move, as `{}`", quoted(&lines.last()?.text)));
        }
        let score = |line: &InfoLine| line.info.score.map(|(score, _)| score);
        let unsorted = lines.windows(2).find(|pair| ends_itself && score(pair[0]) < score(pair[1]))?;
        Some(format!("`{}` is worse than the line after it", quoted(&unsorted[0].text)))
    }

    /// The last exact lines of the greatest depth of which there are this many.
    fn deepest_lines(&self, count: u32) -> Option<Vec<&InfoLine>> {
        let depths: BTreeSet<Ply> = self.infos.iter().filter_map(|line| line.info.depth).collect();
        depths.into_iter().rev().find_map(|depth| {
            // An iteration that is not completed may end with the other lines of the one before, moved down by a new best one.
            let is_deeper = |line: &InfoLine| line.info.depth > Some(depth);
            let end = self.infos.iter().position(is_deeper).unwrap_or(self.infos.len());
            let of_rank = |rank| {
                let is_such = |line: &&InfoLine| line.rank() == rank && line.info.depth == Some(depth);
                self.infos[..end].iter().rfind(|line| is_such(line) && !line.pv.is_empty() && line.is_exact())
            };
            (1..=count).map(of_rank).collect()
        })
    }
}

/// Reads a move in the form that UCI requires.
fn read_move(word: &str) -> Option<UciMove> {
    // shakmaty also reads the null move `0000` and drops such as `P@e4`.
    word.parse().ok().filter(|mv| matches!(mv, UciMove::Normal { .. }))
}

/// Is it two squares and a last letter that names no piece?
fn has_odd_promotion(word: &str) -> bool {
    word.len() == 5 && word.is_ascii() && read_move(&word[..4]).is_some() && read_move(word).is_none()
}
