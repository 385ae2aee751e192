//! The weights: one file of numbers, and a name for each of them.
//!
//! `weights.csv` is written by `threefold tune fit` and read by the compiler. Terms name a group and a place in
//! it; the file has a row for each weight in the order of the groups here, and a test holds the names in the
//! file against these. All are in centipawns, but those of king danger (`danger.…`) are in units whose square
//! counts.

use super::phase::Tapered;

/// One weight's place among all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Weight(u16);

impl Weight {
    /// From 0, in the order of the file.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Weights of one kind that differ by a rank, a piece, a count.
#[derive(Debug, Clone, Copy)]
pub struct Group {
    /// What stands in the file before the place within the group.
    pub name: &'static str,
    first: u16,
    count: u16,
}

impl Group {
    /// The weight at a place in the group.
    pub const fn at(self, place: usize) -> Weight {
        debug_assert!(place < self.count as usize, "a term asks for a place that its group has not");
        Weight(self.first + place as u16)
    }

    /// The only one, or the first.
    pub const fn one(self) -> Weight {
        Weight(self.first)
    }

    /// All of them.
    pub fn weights(self) -> impl Iterator<Item = Weight> {
        (self.first..self.first + self.count).map(Weight)
    }
}

/// Declares the groups in the order of the file, and the list of them.
macro_rules! groups {
    ($( $(#[doc = $doc:literal])+ $group:ident = $name:literal, $count:literal; )+) => {
        const COUNTS: &[u16] = &[$($count),+];

        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "these number the constants below")]
        enum Number { $($group),+ }

        $(
            $(#[doc = $doc])+
            pub const $group: Group = Group {
                name: $name,
                first: count_before(Number::$group as usize),
                count: $count,
            };
        )+

        /// Every group, in the order of the file.
        pub const GROUPS: &[Group] = &[$($group),+];
    };
}

groups! {
    /// Being to move.
    TEMPO = "tempo", 1;
    /// Pawn, knight, bishop, rook, queen.
    MATERIAL = "material", 5;
    /// Two bishops.
    BISHOP_PAIR = "material.bishop-pair", 1;
    /// A knight, for each pawn of its own beyond five.
    KNIGHT_BY_PAWNS = "material.knight-by-pawns", 1;
    /// A rook, for each pawn of its own beyond five.
    ROOK_BY_PAWNS = "material.rook-by-pawns", 1;
    /// Six pieces, by rank and by file from the edge: four files a rank.
    PIECE_SQUARE = "piece-square", 192;
    /// By squares it can go to.
    KNIGHT_MOBILITY = "mobility.knight", 9;
    /// By squares it can go to.
    BISHOP_MOBILITY = "mobility.bishop", 14;
    /// By squares it can go to.
    ROOK_MOBILITY = "mobility.rook", 15;
    /// By squares it can go to.
    QUEEN_MOBILITY = "mobility.queen", 28;
    /// No pawn of its own beside it, by file from the edge.
    ISOLATED = "pawns.isolated", 4;
    /// Isolated, and no enemy pawn before it.
    ISOLATED_OPEN = "pawns.isolated-open", 1;
    /// One of its own before it.
    DOUBLED = "pawns.doubled", 1;
    /// Nobody can guard the square before it, which an enemy pawn does: with an enemy pawn before it, or none.
    BACKWARD = "pawns.backward", 2;
    /// Guarded by a pawn, by rank.
    SUPPORTED = "pawns.supported", 8;
    /// Beside a pawn, by rank.
    PHALANX = "pawns.phalanx", 8;
    /// An enemy pawn right before it, by rank.
    RAMMED = "pawns.rammed", 8;
    /// By rank.
    PASSED = "passed", 8;
    /// Not passed, but with as many helpers as hinderers, by rank.
    CANDIDATE = "passed.candidate", 8;
    /// Guarded by a pawn, by rank.
    PASSED_SUPPORTED = "passed.supported", 8;
    /// Something stands before it, by rank.
    PASSED_BLOCKED = "passed.blocked", 8;
    /// It can step on safely, by rank.
    PASSED_SAFE_STEP = "passed.safe-step", 8;
    /// Nothing stands on its path or attacks it, by rank.
    PASSED_FREE = "passed.free", 8;
    /// For each step of its own king from the square before it, by rank.
    PASSED_OUR_KING = "passed.our-king", 8;
    /// For each step of the other king from the square before it, by rank.
    PASSED_THEIR_KING = "passed.their-king", 8;
    /// A rook behind it: its own, an enemy's.
    PASSED_ROOK_BEHIND = "passed.rook-behind", 2;
    /// The other side has only a king, which comes too late.
    PASSED_OUT_OF_REACH = "passed.out-of-reach", 1;
    /// A pawn of its own before the king, by steps ahead (0: none); on its file, beside it.
    SHELTER = "king.shelter", 16;
    /// An enemy pawn coming at the king, by steps ahead (0: none); free to come, blocked by a pawn.
    STORM = "king.storm", 16;
    /// For each step to the nearest pawn of either side.
    KING_FROM_PAWNS = "king.from-pawns", 1;
    /// For each square of the king's flank that the enemy attacks.
    FLANK_ATTACKED = "king.flank-attacked", 1;
    /// For each square of the king's flank that it guards itself.
    FLANK_GUARDED = "king.flank-guarded", 1;
    /// A king that is attacked at all.
    DANGER = "danger", 1;
    /// Knight, bishop, rook, queen aimed at the king's zone.
    DANGER_ATTACKER = "danger.attacker", 4;
    /// For each attack on a square beside the king.
    DANGER_SQUARE = "danger.square", 1;
    /// For each square of the zone that is attacked and hardly guarded.
    DANGER_WEAK = "danger.weak", 1;
    /// A check that can't be answered by taking: by knight, bishop, rook, queen.
    DANGER_SAFE_CHECK = "danger.safe-check", 4;
    /// A check that can be: for each square.
    DANGER_UNSAFE_CHECK = "danger.unsafe-check", 1;
    /// The attacker has no queen.
    DANGER_NO_QUEEN = "danger.no-queen", 1;
    /// For each square a queen in the king's place would attack.
    DANGER_LINES = "danger.lines", 1;
    /// For each pawn of its own beside or before the king.
    DANGER_PAWNS = "danger.pawns", 1;
    /// For each knight and bishop of its own in the zone.
    DANGER_DEFENDER = "danger.defender", 1;
    /// A pawn attacks a knight, bishop, rook, queen.
    THREAT_BY_PAWN = "threats.by-pawn", 4;
    /// A safe step of a pawn would attack a piece.
    THREAT_BY_PUSH = "threats.by-push", 1;
    /// A knight or bishop attacks a pawn, knight, bishop, rook, queen.
    THREAT_BY_MINOR = "threats.by-minor", 5;
    /// A rook attacks a pawn, knight, bishop, rook, queen.
    THREAT_BY_ROOK = "threats.by-rook", 5;
    /// The king attacks something badly guarded: pawn, piece.
    THREAT_BY_KING = "threats.by-king", 2;
    /// Attacked and not guarded: pawn, piece.
    HANGING = "threats.hanging", 2;
    /// For each square that both attack and the other side does not hold firmly.
    RESTRICTED = "threats.restricted", 1;
    /// On a square no pawn can drive it from: knight, knight guarded by a pawn, bishop, bishop guarded so.
    OUTPOST = "minor.outpost", 4;
    /// A knight that could go to such a square.
    OUTPOST_REACHABLE = "minor.outpost-reachable", 1;
    /// Right behind a pawn: knight, bishop.
    BEHIND_PAWN = "minor.behind-pawn", 2;
    /// For each pawn of its own on the bishop's colour.
    BAD_BISHOP = "minor.bad-bishop", 1;
    /// For each of them that is blocked.
    BAD_BISHOP_BLOCKED = "minor.bad-bishop-blocked", 1;
    /// A bishop that sees both squares of a long diagonal's middle.
    LONG_DIAGONAL = "minor.long-diagonal", 1;
    /// For each step from its own king: knight, bishop.
    FAR_FROM_KING = "minor.far-from-king", 2;
    /// A rook on a file without a pawn of its own, without any.
    ROOK_FILE = "major.rook-file", 2;
    /// A rook on the seventh rank with the king on the eighth or pawns to take: rook, queen.
    SEVENTH = "major.seventh", 2;
    /// A rook shut in by its own king.
    TRAPPED_ROOK = "major.trapped-rook", 1;
    /// A queen that a rook or bishop looks at through one man.
    QUEEN_IN_LINE = "major.queen-in-line", 1;
    /// For each safe square behind its pawns in the middle, times its pieces beyond two.
    SPACE = "space", 1;
    /// For each step of a bare king from the middle.
    DRIVE_TO_EDGE = "endgame.to-the-edge", 1;
    /// For each step nearer to the corner where bishop and knight mate.
    DRIVE_TO_CORNER = "endgame.to-the-corner", 1;
    /// For each step that the kings are nearer.
    DRIVE_KING_NEAR = "endgame.king-near", 1;
}

/// How many there are.
pub const COUNT: usize = count_before(COUNTS.len()) as usize;

const fn count_before(number: usize) -> u16 {
    let (mut total, mut index) = (0, 0);
    while index < number {
        total += COUNTS[index];
        index += 1;
    }
    total
}

/// The file.
pub const FILE: &str = include_str!("weights.csv");

/// Every weight, read by the compiler.
pub static WEIGHTS: [Tapered; COUNT] = read(FILE.as_bytes());

const fn read(text: &[u8]) -> [Tapered; COUNT] {
    let mut weights = [Tapered::ZERO; COUNT];
    let mut at = after(text, 0, b'\n'); // The header.
    let mut row = 0;
    while row < COUNT {
        let middle = after(text, at, b',');
        let end = after(text, middle, b',');
        weights[row] = Tapered::new(number(text, middle), number(text, end));
        at = after(text, end, b'\n');
        row += 1;
    }
    assert!(at == text.len(), "weights.csv has more rows than there are weights");
    weights
}

/// Just behind the next such byte.
const fn after(text: &[u8], mut at: usize, byte: u8) -> usize {
    while text[at] != byte {
        at += 1;
    }
    at + 1
}

const fn number(text: &[u8], mut at: usize) -> i32 {
    let negative = text[at] == b'-';
    if negative {
        at += 1;
    }
    let mut value = 0;
    while text[at].is_ascii_digit() {
        value = 10 * value + (text[at] - b'0') as i32;
        at += 1;
    }
    if negative { -value } else { value }
}

/// The file that holds these weights, in the order of the groups.
pub fn file(weights: &[Tapered; COUNT]) -> String {
    let names = GROUPS.iter().flat_map(|group| {
        (0..group.count).map(move |place| match group.count {
            1 => group.name.to_owned(),
            _ => format!("{}.{place}", group.name),
        })
    });
    let rows =
        names.zip(weights).map(|(name, weight)| format!("{name},{},{}\n", weight.middle(), weight.end()));
    std::iter::once("name,middle,end\n".to_owned()).chain(rows).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_has_every_weight_under_its_name() {
        assert_eq!(file(&WEIGHTS), FILE);
    }
}
