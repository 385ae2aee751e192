//! Resign adjudication of this program, of fastchess and of cutechess-cli.

use shakmaty::{Chess, Color};

use super::{ObservedMove, RuleKind};
use crate::playout::GameOutcome;
use threefold_chess::score::{Centipawns, MateDistance, Score};

/// The move after which a rule ends a game, and White's result, for scores of the movers: `500`, `#-3`, or
/// `-` for none.
fn end(rule: &str, scores: &str) -> Option<(usize, GameOutcome)> {
    let kind = RuleKind::named("resign").expect("a rule");
    let rule = (kind.read)("resign", rule).unwrap_or_else(|error| panic!("{error}"));
    let (mut state, position) = (rule.start(), Chess::default());
    scores.split(' ').enumerate().find_map(|(ply, score)| {
        let score = match (score, score.strip_prefix('#')) {
            ("-", _) => None,
            (_, Some(moves)) => MateDistance::from_moves(moves.parse().expect(moves)).map(Score::Mate),
            (number, None) => Some(Score::Cp(Centipawns(number.parse().expect(number)))),
        };
        let mover = if ply % 2 == 0 { Color::White } else { Color::Black };
        let (irreversible, completed, is_trusted) = (false, 1, false);
        let shown = ObservedMove { mover, score, irreversible, completed, position: &position, is_trusted };
        state.observe(shown).map(|outcome| (ply + 1, outcome))
    })
}

#[test]
fn resignation_is_that_of_each_program() {
    let (white, black) = (Some(GameOutcome::White), Some(GameOutcome::Black));
    let table = [
        // two-sided, scores; the end here, in fastchess and in cutechess-cli
        (false, "-500 0 -500 0", [(3, black), (3, black), (3, black)]),
        (false, "0 #-4 0 #-3 0", [(4, white), (4, white), (4, white)]),
        // `mate 0` is no score of a position with a move.
        (false, "#0 0 #0 0 -500 0 -500 0", [(7, black), (7, black), (7, black)]),
        (false, "-500 0 #0 0 -500 0 -500", [(7, black), (7, black), (7, black)]),
        (false, "-500 0 - 0 -500 0 -500", [(7, black), (7, black), (7, black)]),
        // The winner's move completes the condition natively, but loses no game in the others.
        (true, "-500 0 -500 500 -500 500 -500 500", [(6, black), (7, black), (7, black)]),
        (true, "500 -500 500 -500", [(4, white), (4, white), (4, white)]),
        // Black claims to win, too: in fastchess one changed sign is enough.
        (true, "500 500 500 500 500 -500", [(0, None), (6, white), (0, None)]),
        (true, "#0 500 #0 500 -500 500", [(0, None), (5, black), (0, None)]),
    ];
    for (two_sided, scores, ends) in table {
        for (like, (ply, outcome)) in ["threefold", "fastchess", "cutechess"].into_iter().zip(ends) {
            let rule = format!("movecount=2,score=500,twosided={two_sided},like={like}");
            assert_eq!(end(&rule, scores), outcome.map(|outcome| (ply, outcome)), "{rule}: {scores}");
        }
    }
}

#[test]
fn program_of_a_resign_rule_is_read_back() {
    let read = RuleKind::named("resign").expect("a rule").read;
    let text = "movecount=3,score=400,twosided=true,like=fastchess";
    assert_eq!(read("resign", text).expect("sound").settings_text(), text);
    let error = read("--resign", "movecount=3,score=400,like=me").expect_err("unknown").to_string();
    assert_eq!(error, "--resign like=me: say threefold, fastchess, cutechess");
}
