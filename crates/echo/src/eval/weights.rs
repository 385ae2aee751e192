//! The evaluation weights and their names.
//!
//! `weights.csv` is written by `threefold-lab tune fit` and parsed by the compiler. Terms refer to a group
//! and an index; the file has one row per weight in the order of the groups here, and a test compares the
//! names. All are in centipawns, except those of king danger (`danger.…`), whose units are squared.

use super::phase::Tapered;

/// The index of a weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Weight(u16);

impl Weight {
    /// The index, from 0, in the order of the file.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One dimension of a group: a name for each index.
type Axis = &'static [&'static str];

const PIECES: Axis = &["pawn", "knight", "bishop", "rook", "queen"];
const ALL_PIECES: Axis = &["pawn", "knight", "bishop", "rook", "queen", "king"];
const OFFICERS: Axis = &["knight", "bishop", "rook", "queen"];
const MINORS: Axis = &["knight", "bishop"];
const MAJORS: Axis = &["rook", "queen"];
const PAWN_OR_PIECE: Axis = &["pawn", "piece"];
/// Relative to the side.
const RANKS: Axis = &["rank-1", "rank-2", "rank-3", "rank-4", "rank-5", "rank-6", "rank-7", "rank-8"];
/// The files of both wings: `file-b` is for the files b and g.
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

/// The numbers from 0 to below this.
const fn up_to(numbers: usize) -> Axis {
    NUMBERS.split_at(numbers).0
}

/// A group of weights of one kind, indexed by rank, piece or count.
#[derive(Debug, Clone, Copy)]
pub struct WeightGroup {
    /// The name prefix in the file.
    pub name: &'static str,
    axes: &'static [Axis],
    first: u16,
}

impl WeightGroup {
    /// The weight at an index of the group, the last dimension varying fastest.
    pub const fn nth(self, place: usize) -> Weight {
        debug_assert!(place < size(self.axes) as usize, "a term asks for a place that its group has not");
        Weight(self.first + place as u16)
    }

    /// The first weight.
    pub const fn one(self) -> Weight {
        Weight(self.first)
    }

    /// All weights of the group.
    pub fn weights(self) -> impl Iterator<Item = Weight> {
        (self.first..self.first + size(self.axes)).map(Weight)
    }

    /// The names in the file.
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

/// Declares the groups in the order of the file, and their list.
macro_rules! groups {
    ($( $(#[doc = $doc:literal])+ $group:ident = $name:literal, [$($axis:expr),*]; )+) => {
        const AXES: &[&[Axis]] = &[$(&[$($axis),*]),+];

        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "these number the constants below")]
        enum Number { $($group),+ }

        $(
            $(#[doc = $doc])+
            pub const $group: WeightGroup = WeightGroup {
                name: $name,
                axes: AXES[Number::$group as usize],
                first: count_before(Number::$group as usize),
            };
        )+

        /// Every group, in the order of the file.
        pub const GROUPS: &[WeightGroup] = &[$($group),+];
    };
}

groups! {
    /// The side to move.
    TEMPO = "tempo", [];
    /// By kind.
    MATERIAL = "material", [PIECES];
    /// Two bishops.
    BISHOP_PAIR = "material.bishop-pair", [];
    /// Two knights, two rooks.
    SAME_PAIR = "imbalance.pair", [&["knight", "rook"]];
    /// A piece, per own pawn beyond five.
    BY_PAWNS = "imbalance.by-pawns", [OFFICERS];
    /// A rook per own minor piece; a queen per own minor piece and per own rook.
    WITH_OWN = "imbalance.with-own", [&["rook-minor", "queen-minor", "queen-rook"]];
    /// A rook per enemy minor piece; a queen per enemy minor piece and per enemy rook.
    AGAINST = "imbalance.against", [&["rook-minor", "queen-minor", "queen-rook"]];
    /// A piece, per pair of rammed pawns.
    CLOSED = "closedness.by-rammed-pawns", [OFFICERS];
    /// By piece and square, both wings equal.
    PIECE_SQUARE = "piece-square", [ALL_PIECES, RANKS, FILES];
    /// By number of reachable squares.
    KNIGHT_MOBILITY = "mobility.knight", [up_to(9)];
    /// By number of reachable squares.
    BISHOP_MOBILITY = "mobility.bishop", [up_to(14)];
    /// By number of reachable squares.
    ROOK_MOBILITY = "mobility.rook", [up_to(15)];
    /// By number of reachable squares.
    QUEEN_MOBILITY = "mobility.queen", [up_to(28)];
    /// No own pawn on an adjacent file.
    ISOLATED = "pawns.isolated", [FILES];
    /// Isolated, without an enemy pawn in front.
    ISOLATED_OPEN = "pawns.isolated-open", [];
    /// An own pawn in front.
    DOUBLED = "pawns.doubled", [FILES];
    /// An own pawn in front, and none on an adjacent file.
    DOUBLED_ISOLATED = "pawns.doubled-isolated", [];
    /// Backward: the square in front cannot be defended by a pawn and is attacked by one; with an enemy pawn
    /// in front (closed), or none (open).
    BACKWARD = "pawns.backward", [CLOSED_OPEN];
    /// Defended by a pawn.
    SUPPORTED = "pawns.supported", [RANKS];
    /// Defended by two pawns.
    SUPPORTED_TWICE = "pawns.supported-twice", [];
    /// Next to a pawn.
    PHALANX = "pawns.phalanx", [RANKS];
    /// Defended by, or next to, a pawn.
    CONNECTED = "pawns.connected", [FILES];
    /// An enemy pawn directly in front.
    RAMMED = "pawns.rammed", [RANKS];
    /// It attacks an enemy pawn.
    LEVER = "pawns.lever", [RANKS];
    /// Per pawn island.
    ISLANDS = "pawns.islands", [];
    /// A passed pawn by rank.
    PASSED = "passed", [RANKS];
    /// A passed pawn by file.
    PASSED_FILE = "passed.on", [FILES];
    /// A candidate passed pawn.
    CANDIDATE = "passed.candidate", [RANKS];
    /// Defended by a pawn.
    PASSED_SUPPORTED = "passed.supported", [RANKS];
    /// Another passed pawn next to it, or a rank behind on an adjacent file.
    PASSED_TOGETHER = "passed.together", [RANKS];
    /// Per king move of the own king from the square in front.
    PASSED_OUR_KING = "passed.our-king", [RANKS];
    /// Per king move of the enemy king from the square in front.
    PASSED_THEIR_KING = "passed.their-king", [RANKS];
    /// Blocked.
    PASSED_BLOCKED = "passage.blocked", [RANKS];
    /// It can advance safely.
    PASSED_SAFE_STEP = "passage.safe-step", [RANKS];
    /// Its path is empty and not attacked.
    PASSED_FREE = "passage.free", [RANKS];
    /// A rook behind it: own or enemy.
    PASSED_ROOK_BEHIND = "passage.rook-behind", [OURS_THEIRS];
    /// Outside the square of a bare king.
    PASSED_OUT_OF_REACH = "passage.out-of-reach", [];
    /// The nearest own pawn in front of the king, by distance, and by files from the edge.
    SHELTER = "shelter.own-pawn", [FILES, ON_BESIDE, STEPS];
    /// The nearest enemy pawn in front of the king, by distance.
    STORM = "shelter.storm", [FILES, FREE_BLOCKED, STEPS];
    /// Per king move to the nearest pawn of either side.
    KING_FROM_PAWNS = "shelter.from-pawns", [];
    /// By files to the nearest pawn of either side.
    KING_FILES_FROM_PAWNS = "shelter.files-from-pawns", [up_to(8)];
    /// Per square of the king's flank that the enemy attacks.
    FLANK_ATTACKED = "king.flank-attacked", [];
    /// Per defended square of the king's flank.
    FLANK_GUARDED = "king.flank-guarded", [];
    /// A constant for an attacked king.
    DANGER = "danger", [];
    /// A piece that attacks the king zone.
    DANGER_ATTACKER = "danger.attacker", [OFFICERS];
    /// Per attack on a square next to the king.
    DANGER_SQUARE = "danger.square", [];
    /// Per attacked and weakly defended square of the zone.
    DANGER_WEAK = "danger.weak", [];
    /// Per square of the zone that a pawn attacks.
    DANGER_BY_PAWN = "danger.by-pawn", [];
    /// A safe check.
    DANGER_SAFE_CHECK = "danger.safe-check", [OFFICERS];
    /// Per further square of safe checks of a kind.
    DANGER_MORE_CHECKS = "danger.more-safe-checks", [];
    /// Per square of unsafe checks.
    DANGER_UNSAFE_CHECK = "danger.unsafe-check", [];
    /// The attacker has no queen.
    DANGER_NO_QUEEN = "danger.no-queen", [];
    /// Per square a queen on the king's square would attack.
    DANGER_LINES = "danger.lines", [];
    /// Per own piece pinned to the king.
    DANGER_PINNED = "danger.pinned", [];
    /// Per king or adjacent file without an own pawn in front.
    DANGER_BARE_FILE = "danger.bare-file", [];
    /// Per attack on the king's flank.
    DANGER_FLANK = "danger.flank", [];
    /// Per defended square of the king's flank.
    DANGER_FLANK_GUARDED = "danger.flank-guarded", [];
    /// Per own pawn next to or in front of the king.
    DANGER_PAWNS = "danger.pawns", [];
    /// Per own knight and bishop in the zone.
    DANGER_DEFENDER = "danger.defender", [];
    /// A pawn attacks a piece.
    THREAT_BY_PAWN = "threats.by-pawn", [OFFICERS];
    /// A safe pawn attacks a piece.
    THREAT_BY_SAFE_PAWN = "threats.by-safe-pawn", [];
    /// A safe pawn push would attack a piece.
    THREAT_BY_PUSH = "threats.by-push", [];
    /// A knight or bishop attacks a piece.
    THREAT_BY_MINOR = "threats.by-minor", [PIECES];
    /// A rook attacks a piece.
    THREAT_BY_ROOK = "threats.by-rook", [PIECES];
    /// The king attacks a weakly defended piece.
    THREAT_BY_KING = "threats.by-king", [PAWN_OR_PIECE];
    /// Attacked and undefended.
    HANGING = "threats.hanging", [PAWN_OR_PIECE];
    /// Attacked, and defended by the queen only.
    ONLY_QUEEN_GUARDS = "threats.only-queen-guards", [];
    /// A safe square from which a knight, or a defended rook or bishop, could attack the queen.
    QUEEN_CHASED = "threats.queen-chased", [&["knight", "slider"]];
    /// Per contested square that the other side does not defend firmly.
    RESTRICTED = "threats.restricted", [];
    /// On an outpost.
    OUTPOST = "minor.outpost", [MINORS, GUARD];
    /// A knight that can reach an outpost.
    OUTPOST_REACHABLE = "minor.outpost-reachable", [];
    /// Directly behind a pawn.
    BEHIND_PAWN = "minor.behind-pawn", [MINORS];
    /// Per own pawn on the bishop's colour.
    BAD_BISHOP = "minor.bad-bishop", [];
    /// Per blocked one of them.
    BAD_BISHOP_BLOCKED = "minor.bad-bishop-blocked", [];
    /// Per enemy pawn on a bishop's diagonals, ignoring blockers.
    PAWNS_IN_SIGHT = "minor.pawns-in-sight", [];
    /// A bishop that attacks both central squares of a long diagonal.
    LONG_DIAGONAL = "minor.long-diagonal", [];
    /// Per king move from the own king.
    FAR_FROM_KING = "minor.far-from-king", [MINORS];
    /// A rook on a half-open file, on an open file.
    ROOK_FILE = "major.rook-file", [&["half-open", "open"]];
    /// A rook on such a file with the enemy king on it or next to it.
    ROOK_AT_KING = "major.rook-at-king", [];
    /// A rook on a file with a queen.
    ROOK_QUEEN_FILE = "major.rook-queen-file", [];
    /// On the seventh rank with the enemy king on the eighth or pawns to capture.
    SEVENTH = "major.seventh", [MAJORS];
    /// A rook trapped by its own king.
    TRAPPED_ROOK = "major.trapped-rook", [];
    /// A queen attacked by a rook or bishop through one piece.
    QUEEN_IN_LINE = "major.queen-in-line", [];
    /// Per safe square behind central pawns, times pieces beyond two.
    SPACE = "space", [];
    /// The complexity of the endgame: constant, per pawn, pawns on both wings, pawn ending, per passed pawn.
    COMPLEXITY = "complexity", [&["always", "pawns", "both-wings", "pawn-ending", "passed"]];
    /// Per step of a bare king from the centre.
    DRIVE_TO_EDGE = "endgame.to-the-edge", [];
    /// Per step towards a corner of the bishop's colour.
    DRIVE_TO_CORNER = "endgame.to-the-corner", [];
    /// Per step that the kings are closer.
    DRIVE_KING_NEAR = "endgame.king-near", [];
}

/// The number of weights.
pub const COUNT: usize = count_before(AXES.len()) as usize;

const fn count_before(number: usize) -> u16 {
    let (mut total, mut index) = (0, 0);
    while index < number {
        total += size(AXES[index]);
        index += 1;
    }
    total
}

/// The text of the file.
pub const FILE: &str = include_str!("weights.csv");

/// All weights, parsed by the compiler.
pub static WEIGHTS: [Tapered; COUNT] = parse(FILE.as_bytes());

const fn parse(text: &[u8]) -> [Tapered; COUNT] {
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

/// The position after the next such byte.
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

/// The file's text for these weights.
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
    fn weights_file_has_every_name() {
        assert_eq!(file(&WEIGHTS), FILE);
    }
}
