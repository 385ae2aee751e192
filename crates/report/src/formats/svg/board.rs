//! A position as a diagram, from the side of the player to move: accepted moves are green, the move played is
//! red.
//!
//! A page has hundreds of boards, so squares and pieces are drawn once, in [`shapes`], and each board refers
//! to them. The positions before and after the case's position are in `data-steps`, from which the page's
//! script draws them.

use maud::{Markup, html};
use shakmaty::uci::UciMove;
use shakmaty::{Color, Piece, Position, Role, Square};

use super::frame::px;
use super::line_steps::{LineSteps, ends};
use threefold_chess::position::GamePosition;
use threefold_oracle::Referee;

/// Pixels along a square. The page's script has the same number.
const SQUARE: f64 = 36.0;
/// Pixels around the squares, for coordinates. The page's script has the same number.
const MARGIN: f64 = 16.0;

const ROLES: [Role; 6] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// What a board shows.
#[derive(Debug, Clone, Copy)]
pub struct Diagram<'d> {
    /// The position with its history.
    pub position: &'d GamePosition,
    /// The accepted moves.
    pub accepted: &'d [UciMove],
    /// The move played.
    pub played: Option<UciMove>,
    /// The engine's principal variation, in UCI notation.
    pub pv: &'d str,
    /// The verdict, for the text alternative.
    pub verdict: &'d str,
}

/// The squares and pieces to which all boards of a page refer.
pub fn shapes() -> Markup {
    html! {
        svg class="shapes" width="0" height="0" aria-hidden="true" {
            defs {
                @for color in Color::ALL { g id=(squares_id(color)) { (View { bottom: color }.squares()) } }
                @for color in Color::ALL {
                    @for role in ROLES {
                        g id=(piece_id(Piece { color, role })) {
                            text class=(if color == Color::White { "piece white" } else { "piece black" })
                                y="1" text-anchor="middle" dominant-baseline="central" { (glyph(role)) }
                        }
                    }
                }
            }
        }
    }
}

impl Diagram<'_> {
    /// The drawing, which needs the page's [`shapes`]; `None` if the history is illegal.
    pub fn draw(&self) -> Option<Markup> {
        let referee = Referee::new(self.position).ok()?;
        let position = referee.position();
        let view = View { bottom: position.turn() };
        let side = SQUARE * 8.0 + MARGIN;
        let is_legal = |mv: &UciMove| referee.legal(*mv).is_ok();
        let accepted: Vec<UciMove> = self.accepted.iter().copied().filter(is_legal).collect();
        let played = self.played.filter(is_legal);
        // An accepted move has its green arrow already.
        let wrong = played.filter(|mv| !accepted.contains(mv));
        let steps = LineSteps::new(self.position, self.pv)?;
        let last = self.position.moves.last().copied().and_then(ends);
        Some(html! {
            svg class="board" role="img" aria-label=(self.alternative_text(position.turn(), played))
                viewBox=(format!("0 0 {side} {side}")) width=(side) height=(side)
                data-steps=[(steps.count() > 1).then(|| steps.to_string())] data-at=(steps.start_index())
                data-bottom=(letter(view.bottom)) {
                use href=(format!("#{}", squares_id(view.bottom))) {}
                g class="last" {
                    @for square in last.iter().flat_map(|&(from, to)| [from, to]) {
                        @let (x, y) = view.corner(square);
                        rect x=(x) y=(y) width=(SQUARE) height=(SQUARE) {}
                    }
                }
                g class="pieces" {
                    @for (square, piece) in position.board().clone() {
                        @let (x, y) = view.centre(square);
                        use href=(format!("#{}", piece_id(piece))) x=(x) y=(y) {}
                    }
                }
                g class="arrows" {
                    @for &mv in &accepted { (view.arrow(mv, "accepted")) }
                    @if let Some(mv) = wrong { (view.arrow(mv, "played")) }
                }
            }
        })
    }

    /// `White to move; failed: played a1b1; accepted a1a7.`
    fn alternative_text(&self, turn: Color, played: Option<UciMove>) -> String {
        let turn = if turn == Color::White { "White" } else { "Black" };
        let played = played.map(|mv| format!(": played {mv}")).unwrap_or_default();
        let accepted: Vec<String> = self.accepted.iter().map(ToString::to_string).collect();
        let accepted =
            if accepted.is_empty() { String::new() } else { format!("; accepted {}", accepted.join(" ")) };
        format!("{turn} to move; {}{played}{accepted}", self.verdict)
    }
}

/// From which side the board is seen.
struct View {
    bottom: Color,
}

impl View {
    /// The upper left corner of a square.
    fn corner(&self, square: Square) -> (f64, f64) {
        let (file, rank) = (f64::from(square.file().to_u32()), f64::from(square.rank().to_u32()));
        let (column, row) = if self.bottom == Color::White { (file, 7.0 - rank) } else { (7.0 - file, rank) };
        (MARGIN + column * SQUARE, row * SQUARE)
    }

    fn centre(&self, square: Square) -> (f64, f64) {
        let (x, y) = self.corner(square);
        (x + SQUARE / 2.0, y + SQUARE / 2.0)
    }

    fn squares(&self) -> Markup {
        html! {
            @for square in Square::ALL {
                @let (x, y) = self.corner(square);
                rect class=(if square.is_light() { "light" } else { "dark" }) x=(x) y=(y) width=(SQUARE) height=(SQUARE) {}
            }
            @for (index, (file, rank)) in ('a'..='h').zip('1'..='8').enumerate() {
                @let index = index as f64;
                @let along = |place: f64| if self.bottom == Color::White { place } else { 7.0 - place };
                text class="coordinate" text-anchor="middle"
                    x=(MARGIN + (along(index) + 0.5) * SQUARE) y=(SQUARE * 8.0 + MARGIN - 3.0) { (file) }
                text class="coordinate" text-anchor="middle" dominant-baseline="central"
                    x=(MARGIN / 2.0) y=((7.0 - along(index) + 0.5) * SQUARE) { (rank) }
            }
        }
    }

    /// An arrow; its head ends near the centre of the target square.
    fn arrow(&self, mv: UciMove, class: &'static str) -> Markup {
        let Some((from, to)) = ends(mv) else { return html! {} };
        let ((x1, y1), (x2, y2)) = (self.centre(from), self.centre(to));
        let length = (x2 - x1).hypot(y2 - y1);
        if length < 1.0 {
            return html! {};
        }
        let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
        let (neck_x, neck_y) = (x2 - dx * 14.0, y2 - dy * 14.0);
        let point = |x: f64, y: f64| format!("{},{}", px(x), px(y));
        let head = [
            point(x2 - dx * 2.0, y2 - dy * 2.0),
            point(neck_x - dy * 7.0, neck_y + dx * 7.0),
            point(neck_x + dy * 7.0, neck_y - dx * 7.0),
        ];
        html! {
            g class=(class) {
                line x1=(x1) y1=(y1) x2=(px(neck_x)) y2=(px(neck_y)) {}
                polygon points=(head.join(" ")) {}
                title { (class) " " (mv) }
            }
        }
    }
}

const fn letter(color: Color) -> char {
    match color {
        Color::White => 'w',
        Color::Black => 'b',
    }
}

fn squares_id(bottom: Color) -> String {
    format!("squares-{}", letter(bottom))
}

/// `piece-N`, with the letter of a FEN.
fn piece_id(piece: Piece) -> String {
    format!("piece-{}", piece.char())
}

/// The filled symbol for both colours; the style sets the colour. The variation selector requests text, not
/// an emoji.
const fn glyph(role: Role) -> &'static str {
    match role {
        Role::King => "\u{265a}\u{fe0e}",
        Role::Queen => "\u{265b}\u{fe0e}",
        Role::Rook => "\u{265c}\u{fe0e}",
        Role::Bishop => "\u{265d}\u{fe0e}",
        Role::Knight => "\u{265e}\u{fe0e}",
        Role::Pawn => "\u{265f}\u{fe0e}",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(position: &str, played: &str, pv: &str) -> Option<String> {
        let position = position.parse().expect("a position");
        let accepted = ["a1a7"].map(|mv| mv.parse().expect("a move"));
        let played = played.parse().ok();
        let diagram = Diagram { position: &position, accepted: &accepted, played, pv, verdict: "failed" };
        diagram.draw().map(Markup::into_string)
    }

    #[test]
    fn board_is_seen_by_the_side_to_move() {
        let board =
            drawn("fen 4k3/8/8/8/8/8/8/R3K3 w - - 0 1 moves a1b1 e8e7 b1a1 e7e8", "a1b1", "a1b1 e8e7");
        let board = board.expect("legal");
        for part in [
            "White to move; failed: played a1b1; accepted a1a7",
            "data-bottom=\"w\"",
            "data-at=\"4\"",
            "<g class=\"accepted\">",
            "<g class=\"played\">",
            "#piece-R",
        ] {
            assert!(board.contains(part), "{part} in {board}");
        }
        let board = drawn("fen 4k3/8/8/8/8/8/8/R3K3 b - - 0 1", "a1a7", "").expect("legal");
        assert!(board.contains("data-bottom=\"b\"") && !board.contains("data-steps"), "{board}");
        assert!(!board.contains("\"accepted\""), "the other side's move is no arrow: {board}");
        assert_eq!(drawn("fen 4k3/8/8/8/8/8/8/R3K3 w - - 0 1 moves a1h8", "", ""), None);
    }
}
