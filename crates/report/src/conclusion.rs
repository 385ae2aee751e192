//! What a sequential test allows one to say, in sentences.
//!
//! The tempting sentences are wrong: a test that isn't decided doesn't show that two engines are equal, and the
//! Elo of a test that stopped when it looked good looks better than it is. So the right ones stand here, once.

use super::model::{Test, TestStanding};
use super::phrase;
use threefold_stats::anytime::Wealth;
use threefold_stats::{LlrBasis, Logistic, Overshoot, Risks, Sprt, TrialUnit};

impl Test {
    /// What may be concluded now, in a sentence.
    pub fn conclusion(&self) -> String {
        let bets = self
            .bets
            .bets()
            .zip(self.bets.hypotheses())
            .map(|(bets, bounds)| Betted { bounds, against: [bets.against_h0(), bets.against_h1()] });
        let sprt = self.sprt();
        let grounds = Grounds {
            names: [&self.duel.ours, &self.duel.theirs],
            sprt: &sprt,
            standing: self.standing,
            pairs: self.duel.sheet.pairs().trials(),
            footing: self.llr_basis(),
            bets,
            anytime: self.duel.anytime,
            more: self.expected_pairs(),
        };
        match self.duel.fault_note() {
            Some(note) => format!("{} {note}", grounds.sentence()),
            None => grounds.sentence(),
        }
    }

    /// What else must be known to read the figures.
    pub fn caveat(&self) -> String {
        let mut said = vec![
            "A fixed-N interval is not shown: a test stops because of its results, so it would be too narrow and its \
             middle would lean to the winner. The corrected estimate allows for that; the anytime interval and E hold \
             at every look, however the test is stopped or gone on with."
                .to_owned(),
        ];
        if let (Some([elo0, elo1]), pilot @ 1..) = (self.bets.hypotheses(), self.bets.pilot()) {
            said.push(format!(
                "Bets need scores: by the spread of the first {}, which are not bet on, the bounds stand for {} and \
                 {} logistic Elo.",
                phrase::count(pilot as usize, "pair"),
                phrase::rounded(elo0),
                phrase::rounded(elo1)
            ));
        }
        said.join(" ")
    }

    /// What is tested, in a sentence's second half: `0 (H0) against +10 (H1) normalized Elo, α = 0.05, …`.
    pub fn question(&self) -> String {
        let [elo0, elo1] = [self.sprt().elo0(), self.sprt().elo1()].map(phrase::signed);
        let (unit, risks) = (self.sprt().model().unit(), self.sprt().risks());
        let conduct = self.running.conduct();
        let over = match conduct.counts() {
            TrialUnit::Pairs => "pairs of games with colours swapped",
            TrialUnit::Games => "single games: what the two of a pair have in common is not used",
        };
        let batch = match conduct.batch().get() {
            1 => String::new(),
            pairs => format!(", with a chance to end after every {pairs} pairs"),
        };
        let overshoot = match conduct.overshoot() {
            Overshoot::Ignore => "",
            Overshoot::Correct => ", bounds corrected for overshoot",
        };
        format!(
            "{elo0} (H0) against {elo1} (H1) {unit}, α = {}, β = {}{batch}{overshoot}, over {over}",
            risks.alpha, risks.beta
        )
    }

    /// The log-likelihood ratio so far: `+0.82, bounds -2.94 and +2.94`.
    pub fn evidence(&self) -> String {
        let bounds = self.running.bounds();
        let llr = self.path.last().copied().unwrap_or_default();
        let footing = match self.llr_basis() {
            LlrBasis::Data => "",
            LlrBasis::Prior => " (no information about the spread: the test's prior alone)",
        };
        format!("{llr:+.2}{footing}, bounds {:+.2} and {:+.2}", bounds.lower, bounds.upper)
    }

    fn llr_basis(&self) -> LlrBasis {
        self.running.conduct().llr_basis(self.duel.sheet.pairs(), self.duel.sheet.games())
    }
}

/// What is known when a sentence is asked for.
#[derive(Debug, Clone, Copy)]
struct Grounds<'t> {
    names: [&'t str; 2],
    sprt: &'t Sprt,
    standing: TestStanding,
    pairs: u64,
    footing: LlrBasis,
    /// `None` before the first bet.
    bets: Option<Betted>,
    anytime: [Logistic; 2],
    /// Pairs to come, if anybody can know.
    more: Option<f64>,
}

#[derive(Debug, Clone, Copy)]
struct Betted {
    /// H0 and H1 as scores have them.
    bounds: [Logistic; 2],
    /// The bets against H0 and against H1.
    against: [Wealth; 2],
}

impl Grounds<'_> {
    fn sentence(&self) -> String {
        if self.pairs == 0 {
            return "Nothing may be concluded: no pair of games is complete.".to_owned();
        }
        if self.standing == TestStanding::TooManyFaults {
            return "Nothing may be concluded: too many games ended with engine faults.".to_owned();
        }
        let [ours, theirs] = self.names;
        let Risks { alpha, beta } = self.sprt.risks();
        let sure = |risk: f64| {
            format!("the chance that this is wrong is at most {}, whenever you look", phrase::percent(risk))
        };
        match self.proven() {
            [Some(_), None] if self.sprt.elo0() == 0.0 => {
                format!("{ours} is stronger than {theirs} ({}).", sure(alpha))
            }
            [None, Some(_)] if self.sprt.elo1() == 0.0 => {
                format!("{ours} is weaker than {theirs} ({}).", sure(beta))
            }
            [Some(bound), None] => {
                format!("{ours} minus {theirs} is more than {bound} logistic Elo ({}).", sure(alpha))
            }
            [None, Some(bound)] => {
                format!("{ours} minus {theirs} is less than {bound} logistic Elo ({}).", sure(beta))
            }
            [Some(above), Some(below)] => format!(
                "{ours} minus {theirs} is more than {above} and less than {below} logistic Elo ({}).",
                sure(alpha + beta)
            ),
            [None, None] => self.beside_nought().unwrap_or_else(|| match self.standing {
                TestStanding::AcceptedH1 => self.accepted([self.sprt.elo1(), self.sprt.elo0()], 0, alpha),
                TestStanding::AcceptedH0 => self.accepted([self.sprt.elo0(), self.sprt.elo1()], 1, beta),
                TestStanding::BudgetSpent | TestStanding::Interrupted | TestStanding::TooManyFaults => {
                    self.undecided()
                }
            }),
        }
    }

    /// The bounds that the bets have proven: the lower one, and the upper one.
    fn proven(&self) -> [Option<String>; 2] {
        let Some(Betted { bounds: [elo0, elo1], against: [over, under] }) = self.bets else {
            return [None, None];
        };
        let Risks { alpha, beta } = self.sprt.risks();
        [
            over.highest.rejects(alpha).then(|| phrase::rounded(elo0)),
            under.highest.rejects(beta).then(|| phrase::rounded(elo1)),
        ]
    }

    /// Decided by the LLR, not by the bets against the hypothesis that was refused.
    fn accepted(&self, [accepted, refused]: [f64; 2], against: usize, risk: f64) -> String {
        let [ours, theirs] = self.names;
        let [accepted, refused] = [accepted, refused].map(phrase::signed);
        let taken = format!(
            "{ours} minus {theirs} is taken for {accepted} rather than {refused} {}",
            self.sprt.model().unit()
        );
        if self.footing == LlrBasis::Prior {
            return format!(
                "{taken} by the test's prior alone: all pairs ended alike, and how often that is wrong is not known; \
                 at every look the difference is {} logistic Elo.",
                phrase::range(self.anytime)
            );
        }
        let evidence = match self.bets {
            Some(bets) => format!(
                "E = {} is short of the {} that hold at every look",
                bets.against[against].now,
                phrase::needed(risk)
            ),
            None => {
                "the pairs say too little of their spread for bets, which would hold at every look".to_owned()
            }
        };
        format!(
            "{taken}, wrongly in about {} of such tests in the long run; {evidence}.",
            phrase::percent(risk)
        )
    }

    /// What the anytime interval says if it lies to one side of equality.
    fn beside_nought(&self) -> Option<String> {
        let [ours, theirs] = self.names;
        let [low, high] = self.anytime;
        let word = match (low.0 > 0.0, high.0 < 0.0) {
            (true, _) => "stronger",
            (_, true) => "weaker",
            (false, false) => return None,
        };
        Some(format!(
            "{ours} is {word} than {theirs}: {ours} minus {theirs} is {} logistic Elo, and this holds at every look.",
            phrase::range(self.anytime)
        ))
    }

    fn undecided(&self) -> String {
        let [ours, theirs] = self.names;
        let evidence = match self.bets {
            Some(Betted { against: [over, under], .. }) => {
                format!("E = {} for, {} against", over.now, under.now)
            }
            None => "the pairs say too little of their spread to bet on".to_owned(),
        };
        let more = match self.more {
            Some(pairs) => format!("about {} more pairs expected", phrase::about(pairs)),
            None => "how many more pairs it takes can't be known yet".to_owned(),
        };
        match self.standing {
            TestStanding::BudgetSpent => format!(
                "Not decided within the games granted: {evidence}; {more}; that {ours} and {theirs} are \
                 equal is not shown either."
            ),
            TestStanding::Interrupted
            | TestStanding::TooManyFaults
            | TestStanding::AcceptedH0
            | TestStanding::AcceptedH1 => {
                format!("Not decided: {evidence}; {more}.")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroU32;

    use threefold_stats::anytime::EValue;
    use threefold_stats::{EloModel, SprtConfig};

    const WIDE: [Logistic; 2] = [Logistic(-40.0), Logistic(70.0)];
    const FROM_THREE: [Logistic; 2] = [Logistic(3.1), Logistic(f64::INFINITY)];
    const WEAKER: [Logistic; 2] = [Logistic(-60.2), Logistic(-3.1)];

    fn test(elo0: f64, elo1: f64, alpha: f64) -> Sprt {
        let risks = Risks { alpha, beta: 0.05 };
        Sprt::new(EloModel::Normalized, elo0, elo1, risks).expect("a sound test")
    }

    /// A test of 0 against 30, called off after 90 pairs that bets have been made on.
    fn grounds(sprt: &Sprt, over: Wealth, under: Wealth) -> Grounds<'_> {
        let bets = Some(Betted { bounds: [Logistic(0.0), Logistic(20.8)], against: [over, under] });
        let standing = TestStanding::Interrupted;
        Grounds {
            names: ["A", "B"],
            sprt,
            standing,
            pairs: 90,
            footing: LlrBasis::Data,
            bets,
            anytime: WIDE,
            more: Some(413.0),
        }
    }

    fn wealth(now: f64, highest: f64) -> Wealth {
        Wealth { now: EValue::new(now), highest: EValue::new(highest) }
    }

    #[test]
    fn a_question_says_what_is_counted_and_when() {
        let question = |model, counts, batch, overshoot| {
            let sprt = Sprt::new(model, 0.0, 30.0, Risks::USUAL).expect("a sound test");
            let batch = NonZeroU32::new(batch).expect("not zero");
            let conduct = SprtConfig::new(sprt, counts, batch, overshoot).expect("the model knows these");
            Test::of(["A", "B"].map(str::to_owned), &[], conduct, TestStanding::Interrupted).question()
        };
        assert_eq!(
            question(EloModel::Logistic, TrialUnit::Pairs, 1, Overshoot::Ignore),
            "0 (H0) against +30 (H1) logistic Elo, α = 0.05, β = 0.05, over pairs of games with colours swapped"
        );
        assert_eq!(
            question(EloModel::BayesElo, TrialUnit::Games, 8, Overshoot::Correct),
            "0 (H0) against +30 (H1) BayesElo, α = 0.05, β = 0.05, with a chance to end after every 8 pairs, bounds \
             corrected for overshoot, over single games: what the two of a pair have in common is not used"
        );
    }

    #[test]
    fn what_is_not_decided_is_not_shown() {
        let sprt = test(0.0, 30.0, 0.05);
        let open = grounds(&sprt, wealth(3.1, 4.0), wealth(0.2, 1.1));
        let table = [
            (Grounds { pairs: 0, ..open }, "Nothing may be concluded: no pair of games is complete."),
            (
                Grounds { bets: None, more: None, ..open },
                "Not decided: the pairs say too little of their spread to bet on; how many more pairs it takes can't be \
                 known yet.",
            ),
            (open, "Not decided: E = 3.1 for, 0.20 against; about 410 more pairs expected."),
            (
                Grounds { standing: TestStanding::BudgetSpent, more: Some(4.4), ..open },
                "Not decided within the games granted: E = 3.1 for, 0.20 against; about 4 more pairs expected; that A \
                 and B are equal is not shown either.",
            ),
            (
                Grounds { anytime: FROM_THREE, ..open },
                "A is stronger than B: A minus B is at least +3.1 logistic Elo, and this holds at every look.",
            ),
            (
                Grounds { anytime: WEAKER, ..open },
                "A is weaker than B: A minus B is -60.2 to -3.1 logistic Elo, and this holds at every look.",
            ),
        ];
        for (grounds, expected) in table {
            assert_eq!(grounds.sentence(), expected, "{grounds:?}");
        }
    }

    #[test]
    fn what_bets_have_proven_holds_at_every_look() {
        let [usual, above_five, below_nought] =
            [test(0.0, 30.0, 0.05), test(5.0, 30.0, 0.02), test(-30.0, 0.0, 0.05)];
        let (low, high) = (wealth(0.2, 1.1), wealth(61.0, 80.0));
        let table = [
            (grounds(&usual, high, low), "A is stronger than B", "5.0 %"),
            // Proven once is proven, whatever the bets lost afterwards.
            (grounds(&above_five, wealth(2.0, 51.0), low), "A minus B is more than 0 logistic Elo", "2.0 %"),
            (grounds(&usual, low, high), "A minus B is less than +20.8 logistic Elo", "5.0 %"),
            (grounds(&below_nought, low, high), "A is weaker than B", "5.0 %"),
            (
                grounds(&usual, high, high),
                "A minus B is more than 0 and less than +20.8 logistic Elo",
                "10.0 %",
            ),
        ];
        for (grounds, proven, risk) in table {
            // However the test stands, and wherever the interval lies.
            // Games that ended with too many faults prove nothing, whatever the bets.
            let faulty = Grounds { standing: TestStanding::TooManyFaults, ..grounds };
            assert!(faulty.sentence().starts_with("Nothing may be concluded: too many"), "{faulty:?}");
            for &standing in TestStanding::ALL.iter().filter(|&&it| it != TestStanding::TooManyFaults) {
                let said = Grounds { standing, anytime: FROM_THREE, ..grounds }.sentence();
                assert_eq!(
                    said,
                    format!("{proven} (the chance that this is wrong is at most {risk}, whenever you look).")
                );
            }
        }
    }

    #[test]
    fn what_the_ratio_alone_decides_is_right_in_the_long_run() {
        let sprt = test(0.0, 30.0, 0.05);
        let open = grounds(&sprt, wealth(3.1, 4.0), wealth(0.2, 1.1));
        let table = [
            (
                Grounds { standing: TestStanding::AcceptedH1, ..open },
                "A minus B is taken for +30 rather than 0 normalized Elo, wrongly in about 5.0 % of such tests in the \
                 long run; E = 3.1 is short of the 20 that hold at every look.",
            ),
            (
                Grounds { standing: TestStanding::AcceptedH0, bets: None, ..open },
                "A minus B is taken for 0 rather than +30 normalized Elo, wrongly in about 5.0 % of such tests in the \
                 long run; the pairs say too little of their spread for bets, which would hold at every look.",
            ),
            (
                Grounds {
                    standing: TestStanding::AcceptedH1,
                    footing: LlrBasis::Prior,
                    bets: None,
                    anytime: FROM_THREE,
                    ..open
                },
                "A is stronger than B: A minus B is at least +3.1 logistic Elo, and this holds at every look.",
            ),
            (
                Grounds { standing: TestStanding::AcceptedH0, footing: LlrBasis::Prior, bets: None, ..open },
                "A minus B is taken for 0 rather than +30 normalized Elo by the test's prior alone: all pairs ended \
                 alike, and how often that is wrong is not known; at every look the difference is -40.0 to +70.0 \
                 logistic Elo.",
            ),
        ];
        for (grounds, expected) in table {
            assert_eq!(grounds.sentence(), expected, "{grounds:?}");
        }
    }
}
