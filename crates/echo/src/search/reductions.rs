//! The table of late-move reductions.

const DEPTHS: usize = 64;
const MOVES: usize = 64;

/// Computed with integers only, so that it is equal on every machine.
static TABLE: [[u16; MOVES]; DEPTHS] = table();

/// Units per ply.
pub(super) const PLY: i32 = 1024;

/// The reduction of the `number`-th move (from 1) at a depth in plies, in 1024ths of a ply. Greater depths and numbers count as 63.
pub(super) fn late_move(depth: i32, number: u16) -> i32 {
    let depth = usize::try_from(depth).unwrap_or(0).min(DEPTHS - 1);
    i32::from(TABLE[depth][usize::from(number).min(MOVES - 1)])
}

/// About 0.6 + ln(depth) ln(number) / 2.1.
const fn table() -> [[u16; MOVES]; DEPTHS] {
    let mut table = [[0; MOVES]; DEPTHS];
    let mut depth = 1;
    while depth < DEPTHS {
        let mut number = 1;
        while number < MOVES {
            // ln a ln b = log2 a log2 b (ln 2)^2; the logarithms are in 256ths.
            let product = log2(depth as u64) * log2(number as u64) * 4805 / 10_000;
            // A product of two logarithms is in 65,536ths, and a ply has 1024 units.
            let reduction = 6 * 65_536 / 10 + product * 10 / 21;
            table[depth][number] = (reduction / 64) as u16;
            number += 1;
        }
        depth += 1;
    }
    table
}

/// log2 in 256ths, bit by bit: squaring doubles the logarithm.
const fn log2(number: u64) -> u64 {
    let whole = number.ilog2() as u64;
    // A number from 1 to below 2, in units of 2^-32.
    let mut mantissa = (number << 32) >> whole;
    let mut result = whole;
    let mut bit = 0;
    while bit < 8 {
        // The square of a 33-bit number does not fit in 64 bits.
        mantissa = ((mantissa as u128 * mantissa as u128) >> 32) as u64;
        result <<= 1;
        if mantissa >= 2 << 32 {
            mantissa >>= 1;
            result |= 1;
        }
        bit += 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_move_reductions_grow_with_depth_and_number() {
        // depth, number of the move, plies
        for (depth, number, plies) in [(1, 1, 0), (3, 3, 1), (8, 8, 2), (20, 30, 5), (99, 200, 8), (-1, 3, 0)]
        {
            assert_eq!(late_move(depth, number) / PLY, plies, "{depth} {number}");
        }
        for depth in 1..63 {
            for number in 1..63 {
                assert!(late_move(depth, number) <= late_move(depth + 1, number));
                assert!(late_move(depth, number) <= late_move(depth, number + 1));
            }
        }
    }

    #[test]
    fn integer_logarithm_is_accurate_to_a_hundredth() {
        for number in 1..64_u64 {
            let exact = (number as f64).log2();
            assert!((log2(number) as f64 / 256.0 - exact).abs() < 0.01, "{number}");
        }
    }
}
