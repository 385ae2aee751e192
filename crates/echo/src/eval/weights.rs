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

/// What the weights of a group differ by: a name for each place along it.
type Axis = &'static [&'static str];

const PIECES: Axis = &["pawn", "knight", "bishop", "rook", "queen"];
const MEN: Axis = &["pawn", "knight", "bishop", "rook", "queen", "king"];
const OFFICERS: Axis = &["knight", "bishop", "rook", "queen"];
const MINORS: Axis = &["knight", "bishop"];
const MAJORS: Axis = &["rook", "queen"];
const PAWN_OR_PIECE: Axis = &["pawn", "piece"];
/// Counted from the side's own end of the board.
const RANKS: Axis = &["rank-1", "rank-2", "rank-3", "rank-4", "rank-5", "rank-6", "rank-7", "rank-8"];
/// Either wing's: `file-b` is for the files b and g.
const FILES: Axis = &["file-a", "file-b", "file-c", "file-d"];
const STEPS: Axis = &["none", "step-1", "step-2", "step-3", "step-4", "step-5", "step-6", "step-7"];
const CLOSED_OPEN: Axis = &["closed", "open"];
const OURS_THEIRS: Axis = &["ours", "theirs"];
const ON_BESIDE: Axis = &["on-file", "beside"];
const FREE_BLOCKED: Axis = &["free", "blocked"];
const GUARD: Axis = &["unguarded", "guarded"];
const NUMBERS: Axis = &[
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18",
    "19", "20", "21", "22", "23", "24", "25", "26", "27",
];

/// From nought to one less than this.
const fn up_to(numbers: usize) -> Axis {
    NUMBERS.split_at(numbers).0
}

/// Weights of one kind that differ by a rank, a piece, a count.
#[derive(Debug, Clone, Copy)]
pub struct Group {
    /// What stands in the file before the place within the group.
    pub name: &'static str,
    axes: &'static [Axis],
    first: u16,
}

impl Group {
    /// The weight at a place in the group, the last axis counted through first.
    pub const fn at(self, place: usize) -> Weight {
        debug_assert!(place < size(self.axes) as usize, "a term asks for a place that its group has not");
        Weight(self.first + place as u16)
    }

    /// The only one, or the first.
    pub const fn one(self) -> Weight {
        Weight(self.first)
    }

    /// All of them.
    pub fn weights(self) -> impl Iterator<Item = Weight> {
        (self.first..self.first + size(self.axes)).map(Weight)
    }

    /// What the file calls them.
    fn names(self) -> Vec<String> {
        self.axes.iter().fold(vec![self.name.to_owned()], |names, axis| {
            names.iter().flat_map(|name| axis.iter().map(move |place| format!("{name}.{place}"))).collect()
        })
    }
}

const fn size(axes: &[Axis]) -> u16 {
    let (mut size, mut index) = (1, 0);
    while index < axes.len() {
        size *= axes[index].len() as u16;
        index += 1;
    }
    size
}

/// Declares the groups in the order of the file, and the list of them.
macro_rules! groups {
    ($( $(#[doc = $doc:literal])+ $group:ident = $name:literal, [$($axis:expr),*]; )+) => {
        const AXES: &[&[Axis]] = &[$(&[$($axis),*]),+];

        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "these number the constants below")]
        enum Number { $($group),+ }

        $(
            $(#[doc = $doc])+
            pub const $group: Group = Group {
                name: $name,
                axes: AXES[Number::$group as usize],
                first: count_before(Number::$group as usize),
            };
        )+

        /// Every group, in the order of the file.
        pub const GROUPS: &[Group] = &[$($group),+];
    };
}

groups! {
    /// Being to move.
    TEMPO = "tempo", [];
    /// By kind.
    MATERIAL = "material", [PIECES];
    /// Two bishops.
    BISHOP_PAIR = "material.bishop-pair", [];
    /// Two knights, two rooks.
    SAME_PAIR = "imbalance.pair", [&["knight", "rook"]];
    /// A piece, for each pawn of its own beyond five.
    BY_PAWNS = "imbalance.by-pawns", [OFFICERS];
    /// A rook, for each minor piece of its own; a queen, for each minor piece and for each rook of its own.
    WITH_OWN = "imbalance.with-own", [&["rook-minor", "queen-minor", "queen-rook"]];
    /// The same for pieces of the other side's.
    AGAINST = "imbalance.against", [&["rook-minor", "queen-minor", "queen-rook"]];
    /// A piece, for each pair of pawns that stand head to head.
    CLOSED = "closedness.by-rammed-pawns", [OFFICERS];
    /// By where a man stands, both wings alike.
    PIECE_SQUARE = "piece-square", [MEN, RANKS, FILES];
    /// By squares it can go to.
    KNIGHT_MOBILITY = "mobility.knight", [up_to(9)];
    /// By squares it can go to.
    BISHOP_MOBILITY = "mobility.bishop", [up_to(14)];
    /// By squares it can go to.
    ROOK_MOBILITY = "mobility.rook", [up_to(15)];
    /// By squares it can go to.
    QUEEN_MOBILITY = "mobility.queen", [up_to(28)];
    /// No pawn of its own beside it.
    ISOLATED = "pawns.isolated", [FILES];
    /// Isolated, and no enemy pawn before it.
    ISOLATED_OPEN = "pawns.isolated-open", [];
    /// One of its own before it.
    DOUBLED = "pawns.doubled", [FILES];
    /// One of its own before it, and none beside it.
    DOUBLED_ISOLATED = "pawns.doubled-isolated", [];
    /// Nobody can guard the square before it, which an enemy pawn does: with an enemy pawn before it, or none.
    BACKWARD = "pawns.backward", [CLOSED_OPEN];
    /// Guarded by a pawn.
    SUPPORTED = "pawns.supported", [RANKS];
    /// Guarded by two.
    SUPPORTED_TWICE = "pawns.supported-twice", [];
    /// Beside a pawn.
    PHALANX = "pawns.phalanx", [RANKS];
    /// Guarded or beside a pawn.
    CONNECTED = "pawns.connected", [FILES];
    /// An enemy pawn right before it.
    RAMMED = "pawns.rammed", [RANKS];
    /// It attacks an enemy pawn.
    LEVER = "pawns.lever", [RANKS];
    /// For each group of files with pawns on them.
    ISLANDS = "pawns.islands", [];
    /// No enemy pawn can stop it.
    PASSED = "passed", [RANKS];
    /// The same by file.
    PASSED_FILE = "passed.on", [FILES];
    /// Not passed, but with as many helpers as hinderers.
    CANDIDATE = "passed.candidate", [RANKS];
    /// Guarded by a pawn.
    PASSED_SUPPORTED = "passed.supported", [RANKS];
    /// Another passed pawn beside it or a step behind on the next file.
    PASSED_TOGETHER = "passed.together", [RANKS];
    /// For each step of its own king from the square before it.
    PASSED_OUR_KING = "passed.our-king", [RANKS];
    /// For each step of the other king from the square before it.
    PASSED_THEIR_KING = "passed.their-king", [RANKS];
    /// Something stands before it.
    PASSED_BLOCKED = "passage.blocked", [RANKS];
    /// It can step on safely.
    PASSED_SAFE_STEP = "passage.safe-step", [RANKS];
    /// Nothing stands on its path or attacks it.
    PASSED_FREE = "passage.free", [RANKS];
    /// A rook behind it: its own, an enemy's.
    PASSED_ROOK_BEHIND = "passage.rook-behind", [OURS_THEIRS];
    /// The other side has only a king, which comes too late.
    PASSED_OUT_OF_REACH = "passage.out-of-reach", [];
    /// A pawn of its own before the king, by steps ahead; on files by their distance from the edge.
    SHELTER = "shelter.own-pawn", [FILES, ON_BESIDE, STEPS];
    /// An enemy pawn coming at the king, by steps ahead.
    STORM = "shelter.storm", [FILES, FREE_BLOCKED, STEPS];
    /// For each step to the nearest pawn of either side.
    KING_FROM_PAWNS = "shelter.from-pawns", [];
    /// Files to the nearest pawn of either side.
    KING_FILES_FROM_PAWNS = "shelter.files-from-pawns", [up_to(8)];
    /// For each square of the king's flank that the enemy attacks.
    FLANK_ATTACKED = "king.flank-attacked", [];
    /// For each square of the king's flank that it guards itself.
    FLANK_GUARDED = "king.flank-guarded", [];
    /// A king that is attacked at all.
    DANGER = "danger", [];
    /// A piece aimed at the king's zone.
    DANGER_ATTACKER = "danger.attacker", [OFFICERS];
    /// For each attack on a square beside the king.
    DANGER_SQUARE = "danger.square", [];
    /// For each square of the zone that is attacked and hardly guarded.
    DANGER_WEAK = "danger.weak", [];
    /// For each square of the zone that a pawn attacks.
    DANGER_BY_PAWN = "danger.by-pawn", [];
    /// A check that can't be answered by taking.
    DANGER_SAFE_CHECK = "danger.safe-check", [OFFICERS];
    /// For each square of such checks beyond one of a kind.
    DANGER_MORE_CHECKS = "danger.more-safe-checks", [];
    /// A check that can be: for each square.
    DANGER_UNSAFE_CHECK = "danger.unsafe-check", [];
    /// The attacker has no queen.
    DANGER_NO_QUEEN = "danger.no-queen", [];
    /// For each square a queen in the king's place would attack.
    DANGER_LINES = "danger.lines", [];
    /// For each of its men that a rook, bishop or queen pins to it.
    DANGER_PINNED = "danger.pinned", [];
    /// For each file beside it or its own without a pawn of its own before it.
    DANGER_BARE_FILE = "danger.bare-file", [];
    /// For each attack on the king's flank.
    DANGER_FLANK = "danger.flank", [];
    /// For each square of the king's flank that it guards itself.
    DANGER_FLANK_GUARDED = "danger.flank-guarded", [];
    /// For each pawn of its own beside or before the king.
    DANGER_PAWNS = "danger.pawns", [];
    /// For each knight and bishop of its own in the zone.
    DANGER_DEFENDER = "danger.defender", [];
    /// A pawn attacks a piece.
    THREAT_BY_PAWN = "threats.by-pawn", [OFFICERS];
    /// A pawn that can't just be taken attacks a piece.
    THREAT_BY_SAFE_PAWN = "threats.by-safe-pawn", [];
    /// A safe step of a pawn would attack a piece.
    THREAT_BY_PUSH = "threats.by-push", [];
    /// A knight or bishop attacks one.
    THREAT_BY_MINOR = "threats.by-minor", [PIECES];
    /// A rook attacks one.
    THREAT_BY_ROOK = "threats.by-rook", [PIECES];
    /// The king attacks something badly guarded.
    THREAT_BY_KING = "threats.by-king", [PAWN_OR_PIECE];
    /// Attacked and not guarded.
    HANGING = "threats.hanging", [PAWN_OR_PIECE];
    /// Attacked, and guarded by the queen alone.
    ONLY_QUEEN_GUARDS = "threats.only-queen-guards", [];
    /// A safe square from which a knight could attack the queen; a rook or bishop, guarded by another.
    QUEEN_CHASED = "threats.queen-chased", [&["knight", "slider"]];
    /// For each square that both attack and the other side does not hold firmly.
    RESTRICTED = "threats.restricted", [];
    /// On a square no pawn can drive it from.
    OUTPOST = "minor.outpost", [MINORS, GUARD];
    /// A knight that could go to such a square.
    OUTPOST_REACHABLE = "minor.outpost-reachable", [];
    /// Right behind a pawn.
    BEHIND_PAWN = "minor.behind-pawn", [MINORS];
    /// For each pawn of its own on the bishop's colour.
    BAD_BISHOP = "minor.bad-bishop", [];
    /// For each of them that is blocked.
    BAD_BISHOP_BLOCKED = "minor.bad-bishop-blocked", [];
    /// For each enemy pawn on a bishop's diagonals, whatever stands between.
    PAWNS_IN_SIGHT = "minor.pawns-in-sight", [];
    /// A bishop that sees both squares of a long diagonal's middle.
    LONG_DIAGONAL = "minor.long-diagonal", [];
    /// For each step from its own king.
    FAR_FROM_KING = "minor.far-from-king", [MINORS];
    /// A rook on a file without a pawn of its own, without any.
    ROOK_FILE = "major.rook-file", [&["half-open", "open"]];
    /// On such a file, and the enemy king on it or beside it.
    ROOK_AT_KING = "major.rook-at-king", [];
    /// A rook on a file with a queen.
    ROOK_QUEEN_FILE = "major.rook-queen-file", [];
    /// On the seventh rank with the king on the eighth or pawns to take.
    SEVENTH = "major.seventh", [MAJORS];
    /// A rook shut in by its own king.
    TRAPPED_ROOK = "major.trapped-rook", [];
    /// A queen that a rook or bishop looks at through one man.
    QUEEN_IN_LINE = "major.queen-in-line", [];
    /// For each safe square behind its pawns in the middle, times its pieces beyond two.
    SPACE = "space", [];
    /// How hard it is to hold for the worse side, in the endgame: always, for each pawn, pawns on both wings,
    /// nothing but pawns, for each passed pawn.
    COMPLEXITY = "complexity", [&["always", "pawns", "both-wings", "pawn-ending", "passed"]];
    /// For each step of a bare king from the middle.
    DRIVE_TO_EDGE = "endgame.to-the-edge", [];
    /// For each step nearer to the corner where bishop and knight mate.
    DRIVE_TO_CORNER = "endgame.to-the-corner", [];
    /// For each step that the kings are nearer.
    DRIVE_KING_NEAR = "endgame.king-near", [];
}

/// How many there are.
pub const COUNT: usize = count_before(AXES.len()) as usize;

const fn count_before(number: usize) -> u16 {
    let (mut total, mut index) = (0, 0);
    while index < number {
        total += size(AXES[index]);
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
    let names = GROUPS.iter().flat_map(|group| group.names());
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
