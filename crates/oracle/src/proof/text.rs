//! The text form of a proof: four header lines, then the answers, twenty per line.

use std::fmt;
use std::str::FromStr;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, EnPassantMode};

use super::{MateClaim, Proof};
use threefold_chess::score::MateDistance;

/// The first line of every file.
const TITLE: &str = "threefold mate proof 1";

const ANSWERS_PER_LINE: usize = 20;

/// Why text is not a proof.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProofParseError {
    /// Another kind of file or another version.
    #[error("does not begin with `{TITLE}`: write it again with `threefold positions prove`")]
    Title,
    /// A header line is missing or wrong.
    #[error("line {line}: `{found}` is not a {what}")]
    Head {
        /// Its number, from 1.
        line: usize,
        /// What was expected.
        what: &'static str,
        /// The text found.
        found: String,
    },
    /// An answer is not a move.
    #[error("line {line}: `{found}` is not a UCI move, such as `e2e4`")]
    Answer {
        /// Its number, from 1.
        line: usize,
        /// The text found.
        found: String,
    },
}

impl fmt::Display for MateClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mate(distance) if distance.is_win() => write!(f, "mate in {}", self.moves()),
            Self::Mate(_) => write!(f, "mated in {}", self.moves()),
            Self::NoMate { within } => write!(f, "no mate within {within}"),
        }
    }
}

fn parse_claim(text: &str) -> Option<MateClaim> {
    let (what, moves) = text.rsplit_once(' ')?;
    let moves: u16 = moves.parse().ok()?;
    match what {
        "mate in" if moves > 0 => MateDistance::from_moves(i32::from(moves)).map(MateClaim::Mate),
        "mated in" => MateDistance::from_moves(-i32::from(moves)).map(MateClaim::Mate),
        "no mate within" => Some(MateClaim::NoMate { within: moves }),
        _ => None,
    }
}

/// The contents of a proof file.
impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = Fen::from_position(&self.position, EnPassantMode::Legal);
        writeln!(f, "{TITLE}\nposition {fen}\nclaim {}\nanswers", self.claim)?;
        self.answers.chunks(ANSWERS_PER_LINE).try_for_each(|answers| {
            let answers: Vec<String> = answers.iter().map(ToString::to_string).collect();
            writeln!(f, "{}", answers.join(" "))
        })
    }
}

impl FromStr for Proof {
    type Err = ProofParseError;

    fn from_str(text: &str) -> Result<Self, ProofParseError> {
        let mut lines = text.lines().zip(1..);
        if lines.next().map(|(title, _)| title) != Some(TITLE) {
            return Err(ProofParseError::Title);
        }
        let wrong = |line, what, found: &str| ProofParseError::Head { line, what, found: found.to_owned() };
        // The text after the first word of the next header line.
        let mut head = |line, word: &str, what| {
            let found = lines.next().map(|(text, _)| text).unwrap_or_default();
            let operand = found.strip_prefix(word).map(|operand| operand.trim().to_owned());
            operand.ok_or_else(|| wrong(line, what, found))
        };
        let fen = head(2, "position", "position")?;
        let position = fen.parse::<Fen>().ok();
        let position = position.and_then(|fen| fen.into_position(CastlingMode::Standard).ok());
        let position = position.ok_or_else(|| wrong(2, "legal position", &fen))?;
        let claim = head(3, "claim", "claim")?;
        let claim = parse_claim(&claim).ok_or_else(|| {
            wrong(3, "claim such as `mate in 3`, `mated in 3` or `no mate within 3`", &claim)
        })?;
        head(4, "answers", "line `answers`")?;
        let words = lines.flat_map(|(text, line)| text.split_whitespace().map(move |word| (line, word)));
        let answers = words.map(|(line, word)| {
            word.parse::<UciMove>().map_err(|_| ProofParseError::Answer { line, found: word.to_owned() })
        });
        Ok(Self { position, claim, answers: answers.collect::<Result<_, _>>()? })
    }
}
