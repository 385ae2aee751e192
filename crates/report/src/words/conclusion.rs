//! The conclusion of a sequential test, in sentences that are statistically correct.
//!
//! An undecided test does not show that two engines are equal. The Elo of a test that stopped on a good
//! result is biased upwards. Accepting H1 rejects "the difference is at most elo0"; it does not measure the
//! difference.

use crate::format;
use crate::model::report::{Test, TestStanding};
use threefold_stats::anytime::{Bets, Wealth};
use threefold_stats::{EloHypotheses, LlrBasis, Logistic, Risks, TrialUnit};

impl Test {
    /// The present conclusion, in a sentence.
    pub fn conclusion(&self) -> String {
        let bets = self.bets.bets().zip(self.bets.hypotheses());
        let against = |bets: &Bets<5>| [bets.against_h0(), bets.against_h1()];
        let bets = bets.map(|(bets, bounds)| EValues { bounds, against: against(bets) });
        let evidence = Evidence {
            names: [&self.duel.ours, &self.duel.theirs],
            hypotheses: self.hypotheses(),
            standing: self.standing,
            pairs: self.duel.sheet.pairs().trials(),
            basis: self.rule.basis(&self.duel.sheet),
            bets,
            anytime: self.duel.anytime,
            more: self.expected_pairs(),
            has_deadline: self.rule.has_deadline(),
        };
        let sentence = self.not_decided().unwrap_or_else(|| evidence.sentence());
        let remark = self.running.remark().or_else(|| self.held_back());
        let said = [Some(sentence), remark, self.duel.fault_note()];
        said.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    /// Notes for reading the figures.
    pub fn caveat(&self) -> String {
        let mut said = vec![
            "No fixed-N interval is shown: the test stops because of its results, so that interval would be too narrow \
             and biased. The corrected estimate allows for this. The interval and the e-values that are valid at any time \
             hold however the test is stopped or continued. An e-value is the factor by which bets against a hypothesis have grown: one of 20 rejects it at 5 %."
                .to_owned(),
        ];
        if let (Some([elo0, elo1]), pilot @ 1..) = (self.bets.hypotheses(), self.bets.pilot()) {
            said.push(format!(
                "For the e-values, H0 and H1 correspond to {1} and {2} logistic Elo, by the variance of the first {0}; \
                 those pairs are not counted.",
                format::count(pilot as usize, "pair"),
                format::rounded(elo0),
                format::rounded(elo1)
            ));
        }
        said.join(" ")
    }

    /// The hypotheses and how they are tested: `[0, 10] normalized Elo, α = 0.05, β = 0.05, game pairs`.
    pub fn question(&self) -> String {
        let (unit, risks) = (self.hypotheses().model().unit(), self.hypotheses().risks());
        let over = match self.rule.counts() {
            TrialUnit::Pairs => "game pairs",
            TrialUnit::Games => "single games",
        };
        format!(
            "{} {unit}, α = {}, β = {}, {over}{}",
            self.hypotheses(),
            risks.alpha,
            risks.beta,
            self.rule.conditions()
        )
    }

    /// The statistic with its bounds and the hypotheses: `LLR 2.31 (-2.94, 2.94) [0, 5]`.
    pub fn evidence(&self) -> String {
        format!("{} {}", self.statistic().name, self.evidence_figure())
    }

    /// The value of the statistic with its bounds: `2.31 (-2.94, 2.94) [0, 5]`.
    pub fn evidence_figure(&self) -> String {
        let bounds = self.running.bounds();
        // A value that rounds to zero has no sign.
        let value = (100.0 * self.running.value()).round() / 100.0 + 0.0;
        let basis = match self.rule.basis(&self.duel.sheet) {
            LlrBasis::Data => "",
            LlrBasis::Prior => ", variance not yet known",
        };
        format!("{value:.2} ({:.2}, {:.2}) {}{basis}", bounds.lower, bounds.upper, self.hypotheses())
    }
}

/// The evidence for a conclusion.
#[derive(Debug, Clone, Copy)]
struct Evidence<'t> {
    names: [&'t str; 2],
    hypotheses: &'t EloHypotheses,
    standing: TestStanding,
    pairs: u64,
    basis: LlrBasis,
    /// `None` before the first bet.
    bets: Option<EValues>,
    anytime: [Logistic; 2],
    /// Expected number of further pairs, if it can be estimated.
    more: Option<f64>,
    /// Is its length fixed beforehand?
    has_deadline: bool,
}

#[derive(Debug, Clone, Copy)]
struct EValues {
    /// H0 and H1 in logistic Elo.
    bounds: [Logistic; 2],
    /// The e-values against H0 and against H1.
    against: [Wealth; 2],
}

impl Evidence<'_> {
    fn sentence(&self) -> String {
        if self.pairs == 0 {
            return "No conclusion: no pair of games is complete.".to_owned();
        }
        if self.standing == TestStanding::TooManyFaults {
            return "No conclusion: too many games ended with engine faults.".to_owned();
        }
        let [ours, theirs] = self.names;
        let Risks { alpha, beta } = self.hypotheses.risks();
        let sure = |risk: f64| format!("error probability at most {}, at any time", format::percent(risk));
        // The strongest evidence first: e-values and the interval hold at any time, an accepted hypothesis
        // does not.
        match self.proven() {
            [Some(_), None] if self.hypotheses.elo0() == 0.0 => {
                format!("{ours} is stronger than {theirs}; {}.", sure(alpha))
            }
            [None, Some(_)] if self.hypotheses.elo1() == 0.0 => {
                format!("{ours} is weaker than {theirs}; {}.", sure(beta))
            }
            [Some(bound), None] => {
                format!("{ours} minus {theirs} is more than {bound} logistic Elo; {}.", sure(alpha))
            }
            [None, Some(bound)] => {
                format!("{ours} minus {theirs} is less than {bound} logistic Elo; {}.", sure(beta))
            }
            [Some(above), Some(below)] => format!(
                "{ours} minus {theirs} is more than {above} and less than {below} logistic Elo; {}.",
                sure(alpha + beta)
            ),
            [None, None] => self.excludes_zero().unwrap_or_else(|| match self.standing {
                TestStanding::AcceptedH1 => {
                    self.accepted(self.hypotheses.elo0(), ["stronger", "more"], 0, alpha)
                }
                TestStanding::AcceptedH0 => {
                    self.accepted(self.hypotheses.elo1(), ["weaker", "less"], 1, beta)
                }
                TestStanding::BudgetSpent
                | TestStanding::NoNewGames
                | TestStanding::DependsOnFaults
                | TestStanding::AnotherPassed
                | TestStanding::Interrupted
                | TestStanding::Running
                | TestStanding::TooManyFaults => self.undecided(),
            }),
        }
    }

    /// The bounds that the e-values prove: the lower one, and the upper one.
    fn proven(&self) -> [Option<String>; 2] {
        let Some(EValues { bounds: [elo0, elo1], against: [over, under] }) = self.bets else {
            return [None, None];
        };
        let Risks { alpha, beta } = self.hypotheses.risks();
        [
            over.highest.rejects(alpha).then(|| format::rounded(elo0)),
            under.highest.rejects(beta).then(|| format::rounded(elo1)),
        ]
    }

    /// The statistic rejects the bound `refused`, and no e-value does. `words` name a difference beyond that
    /// bound.
    fn accepted(&self, refused: f64, words: [&str; 2], against: usize, risk: f64) -> String {
        let ([ours, theirs], [compared, than]) = (self.names, words);
        let (bound, unit) = (format::signed(refused), self.hypotheses.model().unit());
        let claim = if refused == 0.0 {
            format!("{ours} is {compared} than {theirs}")
        } else {
            format!("{ours} minus {theirs} is {than} than {bound} {unit}")
        };
        if self.basis == LlrBasis::Prior {
            return format!(
                "{claim}, with an unknown error rate: all pairs have the same result, so the variance \
                 is not known. The 95 % interval that is valid at any time is {} logistic Elo.",
                format::range(self.anytime)
            );
        }
        let evidence = match self.bets {
            Some(bets) => {
                let (now, needed) = (bets.against[against].now, format::needed(risk));
                format!("the stricter e-value is {now} of the {needed} that it needs")
            }
            None => "there is too little data for the stricter e-value".to_owned(),
        };
        format!(
            "{claim}; about {} of such tests conclude this wrongly, and {evidence}.",
            format::percent(risk)
        )
    }

    /// The conclusion from the anytime interval, if it excludes 0.
    fn excludes_zero(&self) -> Option<String> {
        let [ours, theirs] = self.names;
        let [low, high] = self.anytime;
        let word = match (low.0 > 0.0, high.0 < 0.0) {
            (true, _) => "stronger",
            (_, true) => "weaker",
            (false, false) => return None,
        };
        Some(format!(
            "{ours} is {word} than {theirs}: the 95 % interval of the difference, valid at any time, is {} logistic Elo.",
            format::range(self.anytime)
        ))
    }

    fn undecided(&self) -> String {
        let [ours, theirs] = self.names;
        let evidence = match self.bets {
            Some(EValues { against: [over, under], .. }) => {
                let [h0, h1] =
                    [self.hypotheses.risks().alpha, self.hypotheses.risks().beta].map(format::needed);
                format!("the e-value against H0 is {} of {h0}, against H1 {} of {h1}", over.now, under.now)
            }
            None => "no e-value yet, too little data on the variance".to_owned(),
        };
        let more = match self.more {
            Some(pairs) => format!("; about {} more pairs expected", format::about(pairs)),
            // Its length is known beforehand, and no pair can be added.
            None if self.has_deadline => String::new(),
            None => "; the number of further pairs cannot be estimated yet".to_owned(),
        };
        if self.standing == TestStanding::BudgetSpent {
            format!(
                "Undecided at the end of its games or time: {evidence}{more}. This does not show that {ours} and \
                 {theirs} are equal."
            )
        } else {
            format!("Undecided so far: {evidence}{more}.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroU32;

    use threefold_stats::anytime::EValue;
    use threefold_stats::{EloModel, Overshoot, Sprt, SprtConfig};

    const WIDE: [Logistic; 2] = [Logistic(-40.0), Logistic(70.0)];
    const FROM_THREE: [Logistic; 2] = [Logistic(3.1), Logistic(f64::INFINITY)];
    const WEAKER: [Logistic; 2] = [Logistic(-60.2), Logistic(-3.1)];

    fn test(elo0: f64, elo1: f64, alpha: f64) -> EloHypotheses {
        let risks = Risks { alpha, beta: 0.05 };
        EloHypotheses::new(EloModel::Normalized, elo0, elo1, risks).expect("a sound test")
    }

    /// A test of 0 against 30, called off after 90 pairs that bets have been made on.
    fn evidence(hypotheses: &EloHypotheses, over: Wealth, under: Wealth) -> Evidence<'_> {
        let bets = Some(EValues { bounds: [Logistic(0.0), Logistic(20.8)], against: [over, under] });
        Evidence {
            names: ["A", "B"],
            hypotheses,
            standing: TestStanding::Interrupted,
            pairs: 90,
            basis: LlrBasis::Data,
            bets,
            anytime: WIDE,
            more: Some(413.0),
            has_deadline: false,
        }
    }

    fn wealth(now: f64, highest: f64) -> Wealth {
        Wealth { now: EValue::new(now), highest: EValue::new(highest) }
    }

    #[test]
    fn conclusion_names_the_counted_unit() {
        let question = |model, counts, batch, overshoot| {
            let sprt = Sprt::new(model, 0.0, 30.0, Risks::USUAL).expect("a sound test");
            let batch = NonZeroU32::new(batch).expect("not zero");
            let config = SprtConfig::new(sprt, counts, batch, overshoot).expect("the model knows these");
            Test::from_pairs(["A", "B"].map(str::to_owned), &[], &config.into(), TestStanding::Interrupted)
                .question()
        };
        assert_eq!(
            question(EloModel::Logistic, TrialUnit::Pairs, 1, Overshoot::Ignore),
            "[0, 30] logistic Elo, α = 0.05, β = 0.05, game pairs"
        );
        assert_eq!(
            question(EloModel::BayesElo, TrialUnit::Games, 8, Overshoot::Correct),
            "[0, 30] BayesElo, α = 0.05, β = 0.05, single games, checked every 8 pairs, bounds corrected for overshoot"
        );
    }

    #[test]
    fn undecided_test_has_no_conclusion() {
        let asked = test(0.0, 30.0, 0.05);
        let open = evidence(&asked, wealth(3.1, 4.0), wealth(0.2, 1.1));
        let table = [
            (Evidence { pairs: 0, ..open }, "No conclusion: no pair of games is complete."),
            (
                Evidence { bets: None, more: None, ..open },
                "Undecided so far: no e-value yet, too little data on the variance; the number of further pairs cannot be \
                 estimated yet.",
            ),
            (
                open,
                "Undecided so far: the e-value against H0 is 3.1 of 20, against H1 0.20 of 20; about 410 more pairs expected.",
            ),
            (
                Evidence { standing: TestStanding::BudgetSpent, more: Some(4.4), ..open },
                "Undecided at the end of its games or time: the e-value against H0 is 3.1 of 20, against H1 0.20 of 20; about 4 more pairs expected. This does not show that A and B are equal.",
            ),
            (
                Evidence { anytime: FROM_THREE, ..open },
                "A is stronger than B: the 95 % interval of the difference, valid at any time, is at least +3.1 logistic Elo.",
            ),
            (
                Evidence { anytime: WEAKER, ..open },
                "A is weaker than B: the 95 % interval of the difference, valid at any time, is -60.2 to -3.1 logistic Elo.",
            ),
        ];
        for (evidence, expected) in table {
            assert_eq!(evidence.sentence(), expected, "{evidence:?}");
        }
    }

    #[test]
    fn e_value_conclusion_is_anytime_valid() {
        let [usual, above_five, below_zero] =
            [test(0.0, 30.0, 0.05), test(5.0, 30.0, 0.02), test(-30.0, 0.0, 0.05)];
        let (low, high) = (wealth(0.2, 1.1), wealth(61.0, 80.0));
        let table = [
            (evidence(&usual, high, low), "A is stronger than B", "5.0 %"),
            // Proven once is proven, whatever the bets lost afterwards.
            (evidence(&above_five, wealth(2.0, 51.0), low), "A minus B is more than 0 logistic Elo", "2.0 %"),
            (evidence(&usual, low, high), "A minus B is less than +20.8 logistic Elo", "5.0 %"),
            (evidence(&below_zero, low, high), "A is weaker than B", "5.0 %"),
            (
                evidence(&usual, high, high),
                "A minus B is more than 0 and less than +20.8 logistic Elo",
                "10.0 %",
            ),
        ];
        for (evidence, proven, risk) in table {
            // For every standing of the test and any anytime interval.
            // Games that ended with too many faults prove nothing, whatever the bets.
            let faulty = Evidence { standing: TestStanding::TooManyFaults, ..evidence };
            assert!(faulty.sentence().starts_with("No conclusion: too many"), "{faulty:?}");
            for &standing in TestStanding::ALL.iter().filter(|&&it| it != TestStanding::TooManyFaults) {
                let said = Evidence { standing, anytime: FROM_THREE, ..evidence }.sentence();
                assert_eq!(said, format!("{proven}; error probability at most {risk}, at any time."));
            }
        }
    }

    #[test]
    fn llr_conclusion_states_its_error_rate() {
        let asked = test(0.0, 30.0, 0.05);
        let open = evidence(&asked, wealth(3.1, 4.0), wealth(0.2, 1.1));
        let table = [
            (
                Evidence { standing: TestStanding::AcceptedH1, ..open },
                "A is stronger than B; about 5.0 % of such tests conclude this wrongly, and the stricter e-value is 3.1 of \
                 the 20 that it needs.",
            ),
            (
                Evidence { standing: TestStanding::AcceptedH0, bets: None, ..open },
                "A minus B is less than +30 normalized Elo; about 5.0 % of such tests conclude this wrongly, and there is \
                 too little data for the stricter e-value.",
            ),
            (
                Evidence {
                    standing: TestStanding::AcceptedH1,
                    basis: LlrBasis::Prior,
                    bets: None,
                    anytime: FROM_THREE,
                    ..open
                },
                "A is stronger than B: the 95 % interval of the difference, valid at any time, is at least +3.1 logistic Elo.",
            ),
            (
                Evidence { standing: TestStanding::AcceptedH0, basis: LlrBasis::Prior, bets: None, ..open },
                "A minus B is less than +30 normalized Elo, with an unknown error rate: all pairs have the same result, so \
                 the variance is not known. The 95 % interval that is valid at any time is -40.0 to +70.0 logistic Elo.",
            ),
        ];
        for (evidence, expected) in table {
            assert_eq!(evidence.sentence(), expected, "{evidence:?}");
        }
    }
}
