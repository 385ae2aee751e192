//! The 64-bit Mersenne Twister MT19937-64, which orders opening books as fastchess does.
//!
//! Source: M. Matsumoto and T. Nishimura, "Mersenne Twister: a 623-dimensionally equidistributed uniform
//! pseudo-random number generator", 1998; the parameters are those of `std::mt19937_64` in the C++ standard
//! ([rand.predef]).

/// The degree of recurrence, and the offset of the middle word.
const WORDS: usize = 312;
const MIDDLE: usize = 156;

/// A generator of 64-bit numbers.
#[derive(Debug, Clone)]
pub(super) struct MersenneTwister {
    words: [u64; WORDS],
    /// The index of the next word.
    next: usize,
}

impl MersenneTwister {
    /// The generator with this seed.
    pub(super) fn new(seed: u64) -> Self {
        let mut words = [seed; WORDS];
        for index in 1..WORDS {
            let previous = words[index - 1];
            words[index] = (previous ^ (previous >> 62))
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(index as u64);
        }
        Self { words, next: WORDS }
    }

    /// The next number.
    pub(super) fn next_u64(&mut self) -> u64 {
        if self.next == WORDS {
            self.twist();
        }
        let word = self.words[self.next];
        self.next += 1;
        // The tempering of MT19937-64, with the parameters u, d, s, b, t, c and l of the standard.
        let word = word ^ ((word >> 29) & 0x5555_5555_5555_5555);
        let word = word ^ ((word << 17) & 0x71d6_7fff_eda6_0000);
        let word = word ^ ((word << 37) & 0xfff7_eee0_0000_0000);
        word ^ (word >> 43)
    }

    /// Computes the next words.
    fn twist(&mut self) {
        /// The low 31 bits of a word.
        const LOW: u64 = (1 << 31) - 1;
        for index in 0..WORDS {
            // The recurrence: the upper 33 bits of a word and the lower 31 of the next one.
            let joined = (self.words[index] & !LOW) | (self.words[(index + 1) % WORDS] & LOW);
            let twisted = if joined & 1 == 0 { 0 } else { 0xb502_6f5a_a966_19e9 };
            self.words[index] = self.words[(index + MIDDLE) % WORDS] ^ (joined >> 1) ^ twisted;
        }
        self.next = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [rand.predef] of the C++ standard: the 10000th consecutive invocation of a default-constructed
    /// `mt19937_64`, whose seed is 5489, produces this value.
    #[test]
    fn mersenne_twister_has_the_value_of_the_standard() {
        let mut random = MersenneTwister::new(5489);
        let numbers: Vec<u64> = (0..10_000).map(|_| random.next_u64()).collect();
        assert_eq!(numbers[9_999], 9_981_545_732_273_789_042);
        assert_ne!(MersenneTwister::new(5488).next_u64(), numbers[0], "the seed counts");
    }
}
