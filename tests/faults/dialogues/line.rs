//! What faults change in a move or a report.

use std::io::{self, Write};
use std::process::exit;

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Position};

use super::fault::Fault;

/// A move with castling as the king takes the rook, and a knight for a queen.
pub(super) fn wrong_letters(best: &str) -> String {
    let castling = [("e1c1", "e1a1"), ("e1g1", "e1h1"), ("e8c8", "e8a8"), ("e8g8", "e8h8")];
    let wrong = castling.iter().find(|(right, _)| *right == best).map(|(_, wrong)| (*wrong).to_owned());
    wrong.unwrap_or_else(|| match best.strip_suffix('q') {
        Some(start) => format!("{start}n"),
        None => best.to_owned(),
    })
}

/// A position with steps of the king in place of castling, and the other way round.
pub(super) fn with_steps_as_castling(line: &str) -> String {
    let others = [("f1g1", "f1h1"), ("f1h1", "f1g1"), ("d1c1", "d1a1"), ("d1a1", "d1c1")];
    let other = |word: &str| {
        let found = others.iter().find(|(one, _)| *one == word);
        found.map_or(word, |(_, other)| other).to_owned()
    };
    line.split(' ').map(other).collect::<Vec<_>>().join(" ")
}

/// The position after a move; `None` if it is not legal.
pub(super) fn after(position: &Chess, word: &str) -> Option<Chess> {
    let mv = word.parse::<UciMove>().ok()?.to_move(position).ok()?;
    position.clone().play(mv).ok()
}

/// Legal moves that go on where a line from this position ends.
pub(super) fn more_moves(mut position: Option<Chess>, moves: &str) -> String {
    for word in moves.split_whitespace() {
        position = position.and_then(|position| after(&position, word));
    }
    let mut more = String::new();
    for _ in 0..20 {
        let Some(here) = position.take() else { break };
        let legal = here.legal_moves();
        let Some(quiet) = legal.iter().find(|mv| !mv.is_zeroing()).or(legal.first()) else { break };
        let text = quiet.to_uci(here.castles().mode()).to_string();
        position = after(&here, &text);
        more.push(' ');
        more.push_str(&text);
    }
    more
}

/// The words of a report with another number after this name.
pub(super) fn with(head: &str, name: &str, change: impl Fn(i64) -> i64) -> String {
    let mut words: Vec<String> = head.split(' ').map(str::to_owned).collect();
    if let Some(at) = words.iter().position(|word| word == name)
        && let Some(number) = words.get(at + 1).and_then(|word| word.parse().ok())
    {
        words[at + 1] = change(number).to_string();
    }
    words.join(" ")
}

/// Are chances shown (`UCI_ShowWDL`)?
#[derive(Debug, Clone, Copy)]
pub(super) enum Chances {
    Hidden,
    Shown,
}

impl Chances {
    pub(super) fn set_by(line: &str) -> Self {
        if line.ends_with("true") { Self::Shown } else { Self::Hidden }
    }

    /// A report with the chances that go with its score, for the side to move.
    pub(super) fn shown_in(self, line: &str, fault: Fault, is_black: bool) -> String {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |name| {
            let at = words.iter().position(|word| *word == name)?;
            words.get(at + 1)?.parse::<i64>().ok()
        };
        let lead =
            number("mate").map_or_else(|| number("cp").unwrap_or_default(), |mate| 1000 * mate.signum());
        let mut chances = [lead.clamp(0, 1000), 1000 - lead.abs().min(1000), (-lead).clamp(0, 1000)];
        match (self, fault) {
            (Self::Hidden, _) | (_, Fault::NoChances) => return line.to_owned(),
            (_, Fault::ChancesSum) => chances[1] += 1,
            (_, Fault::ChancesOfWhite) if is_black => chances.reverse(),
            _ => {}
        }
        let [win, draw, loss] = chances;
        line.replacen(" nodes ", &format!(" wdl {win} {draw} {loss} nodes "), 1)
    }
}

/// Writes a line; exits if the harness is gone.
pub(super) fn print(line: &str) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}
