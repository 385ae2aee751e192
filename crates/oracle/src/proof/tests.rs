//! Proofs are verified, and changes to them are detected.

use proptest::prelude::*;
use shakmaty::Position;
use shakmaty::fen::Fen;

use super::*;

/// Positions with true claims.
const TRUTHS: [(&str, &str); 8] = [
    ("k7/8/1K6/8/8/8/8/1R6 w - - 0 1", "mate in 2"),
    ("k7/8/1K6/8/8/8/8/7R b - - 0 1", "mated in 1"),
    ("5r1k/6pp/7N/8/2Q5/8/8/K7 w - - 0 1", "mate in 2"),
    ("k7/8/1K6/8/8/8/8/R7 b - - 0 1", "no mate within 1"),
    ("6k1/6Q1/6K1/8/8/8/8/8 b - - 0 1", "mated in 0"),
    ("8/1p1q2k1/3p1bp1/1B4PQ/4P3/1P2P3/8/5RK1 w - - 0 46", "no mate within 2"),
    ("2kr4/pp1qp3/2p3p1/P7/1p2P3/5b2/2P1BPPQ/R3K3 b Q - 3 25", "no mate within 2"),
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "mate in 1"),
];

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position")
}

/// A proof without answers.
fn bare(fen: &str, claim: &str) -> Proof {
    format!("threefold mate proof 1\nposition {fen}\nclaim {claim}\nanswers\n").parse().expect("sound")
}

fn written(fen: &str, claim: &str) -> Result<Proof, ProvingError> {
    Proof::write(&mut MateProver::new(1_000_000), &position(fen), bare(fen, claim).claim)
}

#[test]
fn true_claims_are_proven_and_verified() {
    for (fen, claim) in TRUTHS {
        let proof = written(fen, claim).unwrap_or_else(|error| panic!("{fen} {claim}: {error}"));
        let weighed = proof.verify().expect("verified");
        assert_eq!(weighed.answers, proof.answers.len() as u64, "{fen}");
        assert_eq!(proof.to_string().parse::<Proof>().as_ref(), Ok(&proof), "{fen}");
    }
}

#[test]
fn false_claims_are_neither_proven_nor_verified() {
    let table = [
        // position, a false claim
        ("k7/8/1K6/8/8/8/8/1R6 w - - 0 1", "mate in 1"),
        ("k7/8/1K6/8/8/8/8/1R6 w - - 0 1", "mate in 3"),
        ("k7/8/1K6/8/8/8/8/1R6 w - - 0 1", "mated in 2"),
        ("k7/8/1K6/8/8/8/8/1R6 w - - 0 1", "no mate within 2"),
        ("k7/8/1K6/8/8/8/8/7R b - - 0 1", "mated in 0"),
        ("k7/8/1K6/8/8/8/8/7R b - - 0 1", "mated in 2"),
        ("k7/8/1K6/8/8/8/8/7R b - - 0 1", "no mate within 1"),
        ("6k1/6Q1/6K1/8/8/8/8/8 b - - 0 1", "no mate within 0"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "mated in 0"),
    ];
    for (fen, claim) in table {
        written(fen, claim).map(|proof| proof.claim).expect_err(claim);
    }
}

#[test]
fn proof_errors_are_named() {
    let rook = "k7/8/1K6/8/8/8/8/1R6 w - - 0 1";
    let table = [
        // claim, answers, what is said
        ("mate in 2", "", "no answer after ``: the proof is incomplete, or its claim is wrong"),
        ("mate in 2", "b1a1", "no answer after `b1a1 a8b8`"),
        ("mate in 2", "b1b9", "line 5: `b1b9` is not a UCI move"),
        ("mate in 2", "b1c2", "the answer `b1c2` after `` is illegal"),
        ("mate in 2", "b6b7", "the answer `b6b7` after `` is illegal"),
        ("mate in 1", "b1h1", "no mate after `b1h1`, and no move left to give it"),
        ("mate in 2", "b1h1 h8h1", "the answer `h8h1` after `b1h1 a8b8` is illegal"),
        ("mate in 2", "b1h1 h1h8 h1h8", "1 surplus answers"),
        ("mate in 101", "", "a mate in 101 is longer than the longest that is checked, 100"),
    ];
    for (claim, answers, said) in table {
        let text = format!("{}{answers}\n", bare(rook, claim));
        let found = match text.parse::<Proof>() {
            Ok(proof) => proof.verify().expect_err(claim).to_string(),
            Err(error) => error.to_string(),
        };
        assert!(found.contains(said), "{claim}: {answers}: {found}");
    }
}

#[test]
fn proof_text_errors_name_the_line() {
    let head = "threefold mate proof 1\nposition k7/8/1K6/8/8/8/8/1R6 w - - 0 1\n";
    let table = [
        (String::new(), "does not begin with"),
        ("threefold mate proof 2\n".to_owned(), "does not begin with"),
        ("threefold mate proof 1\nposition 8/8 w\n".to_owned(), "line 2: `8/8 w` is not a legal position"),
        (head.to_owned(), "line 3: `` is not a claim"),
        (format!("{head}claim mate in 0\nanswers\n"), "line 3: `mate in 0` is not a claim such as"),
        (format!("{head}claim mate in 70000\nanswers\n"), "line 3: `mate in 70000` is not a claim"),
        (format!("{head}claim mate in 2\n"), "line 4: `` is not a line `answers`"),
        (format!("{head}claim mate in 2\nanswers\nb1h1\nh1 h8\n"), "line 6: `h1` is not a UCI move"),
    ];
    for (text, said) in table {
        let error = text.parse::<Proof>().expect_err(said).to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn mates_in_six_are_proven_for_both_sides() {
    let table = [
        ("1k6/1pp5/p4pK1/r6p/7r/6p1/8/8 b - - 1 59", "mate in 6"),
        ("8/5p2/1k2q3/1P1B4/8/1KP5/R2r4/8 b - - 12 51", "mate in 6"),
    ];
    for (fen, claim) in table {
        let proof = Proof::write(&mut MateProver::new(20_000_000), &position(fen), bare(fen, claim).claim);
        proof.expect(claim).verify().expect("verified");
    }
}

/// A proof by number, and a change to it.
fn spoiled() -> impl Strategy<Value = (usize, usize, Spoil, usize)> {
    let how = prop_oneof![
        Just(Spoil::Drop),
        Just(Spoil::Replace),
        Just(Spoil::Add),
        Just(Spoil::Cut),
        Just(Spoil::Longer),
        Just(Spoil::Shorter),
        Just(Spoil::Turn)
    ];
    (0..TRUTHS.len(), any::<usize>(), how, any::<usize>())
}

#[derive(Debug, Clone, Copy)]
enum Spoil {
    /// One answer is missing.
    Drop,
    /// One answer is another move that is nowhere legal there.
    Replace,
    /// One answer too many.
    Add,
    /// The answers are truncated.
    Cut,
    /// The claim is one move longer.
    Longer,
    /// The claim is one move shorter.
    Shorter,
    /// The position's colours are swapped.
    Turn,
}

proptest! {
    /// A changed proof is refused, or proves its changed claim.
    #[test]
    fn changed_proof_is_refused((number, at, how, by) in spoiled()) {
        let (fen, said) = TRUTHS[number];
        let mut proof = written(fen, said).expect("true");
        let moves = proof.claim.moves();
        let at = at % proof.answers.len().max(1);
        let answers = proof.answers.len();
        let another = |moves| match proof.claim {
            MateClaim::Mate(distance) => {
                let moves = i32::from(moves);
                let signed = if distance.is_win() { moves } else { -moves };
                MateDistance::from_moves(signed).map(MateClaim::Mate)
            }
            MateClaim::NoMate { .. } => None,
        };
        match how {
            Spoil::Drop if answers > 0 => { proof.answers.remove(at); }
            Spoil::Replace if answers > 0 => {
                // A move that is always illegal.
                proof.answers[at] = if by % 2 == 0 { "a1h7" } else { "h8b1" }.parse().expect("a move");
            }
            Spoil::Add => proof.answers.insert(at, "a1h7".parse().expect("a move")),
            Spoil::Cut if answers > 0 => proof.answers.truncate(at),
            Spoil::Longer => match another(moves + 1) { Some(claim) => proof.claim = claim, None => return Ok(()) },
            Spoil::Shorter if moves > 0 => match another(moves - 1) {
                Some(claim) if !matches!(claim, MateClaim::Mate(mate) if mate.moves() == 0) || moves == 1 => {
                    proof.claim = claim;
                }
                _ => return Ok(()),
            },
            Spoil::Turn => match proof.position.clone().swap_turn() {
                Ok(turned) => proof.position = turned,
                Err(_) => return Ok(()),
            },
            _ => return Ok(()),
        }
        prop_assert!(proof.verify().is_err(), "{proof}");
    }

    /// Whatever legal move replaces an answer, a verified claim is true.
    #[test]
    fn replaced_answers_never_prove_a_false_claim(number in 0..TRUTHS.len(), at: usize, by: usize) {
        let (fen, said) = TRUTHS[number];
        let mut proof = written(fen, said).expect("true");
        prop_assume!(!proof.answers.is_empty());
        let at = at % proof.answers.len();
        let moves = position(fen).legal_moves();
        proof.answers[at] = moves[by % moves.len()].to_uci(CastlingMode::Standard);
        proof.claim = match proof.claim {
            MateClaim::Mate(mate) => MateClaim::NoMate { within: mate.moves().unsigned_abs() as u16 },
            MateClaim::NoMate { within } => MateClaim::Mate(MateDistance::from_moves(i32::from(within)).expect("short")),
        };
        prop_assert!(proof.verify().is_err(), "{proof}");
    }

    /// Arbitrary text does not panic.
    #[test]
    fn proof_text_never_panics(text in "(threefold mate proof 1\nposition k7/8/1K6/8/8/8/8/1R6 w - -\n)?[ -~\n]{0,80}") {
        let _ = text.parse::<Proof>().map(|proof| proof.verify());
    }
}
