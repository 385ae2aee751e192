//! A position as a diagram: the side to move sits at the bottom, what was accepted is green, what was played
//! is red.

use maud::{Markup, html};
use shakmaty::uci::UciMove;
use shakmaty::{Color, Piece, Position, Role, Square};

use super::frame::px;
use threefold_chess::position::GamePosition;
use threefold_oracle::Referee;

/// Pixels along a field.
const FIELD: f64 = 36.0;
/// Pixels around the fields, for coordinates.
const MARGIN: f64 = 16.0;

/// A board diagram with arrows; `None` if the moves are illegal.
pub fn board(line: &GamePosition, accepted: &[UciMove], played: Option<UciMove>) -> Option<Markup> {
    let referee = Referee::new(line).ok()?;
    let position = referee.position();
    let view = View { bottom: position.turn() };
    let side = FIELD * 8.0 + MARGIN;
    let drawn = |mv: UciMove| referee.legal(mv).is_ok();
    let last = line.moves.last().copied().and_then(ends);
    let pieces: Vec<(Square, Piece)> = position.board().clone().into_iter().collect();
    Some(html! {
        svg class="board" role="img" aria-label=(format!("Diagram: {}", line.start))
            viewBox=(format!("0 0 {side} {side}")) width=(side) height=(side) {
            @for square in Square::ALL {
                @let (x, y) = view.corner(square);
                @let shade = if square.is_light() { "light" } else { "dark" };
                @let mark = if last.is_some_and(|(from, to)| square == from || square == to) { " last" } else { "" };
                rect class=(format!("{shade}{mark}")) x=(px(x)) y=(px(y)) width=(px(FIELD)) height=(px(FIELD)) {}
            }
            (view.coordinates())
            @for (square, piece) in pieces {
                @let (x, y) = view.centre(square);
                text class=(if piece.color == Color::White { "piece white" } else { "piece black" })
                    x=(px(x)) y=(px(y + 1.0)) text-anchor="middle" dominant-baseline="central" { (glyph(piece.role)) }
            }
            @for mv in accepted.iter().copied().filter(|&mv| drawn(mv)) { (view.arrow(mv, "accepted")) }
            @if let Some(mv) = played.filter(|&mv| drawn(mv)) { (view.arrow(mv, if accepted.contains(&mv) { "accepted" } else { "played" })) }
        }
    })
}

/// From which side the board is seen.
struct View {
    bottom: Color,
}

impl View {
    /// The left upper corner of a field.
    fn corner(&self, square: Square) -> (f64, f64) {
        let (file, rank) = (f64::from(square.file().to_u32()), f64::from(square.rank().to_u32()));
        let (column, row) = if self.bottom == Color::White { (file, 7.0 - rank) } else { (7.0 - file, rank) };
        (MARGIN + column * FIELD, row * FIELD)
    }

    fn centre(&self, square: Square) -> (f64, f64) {
        let (x, y) = self.corner(square);
        (x + FIELD / 2.0, y + FIELD / 2.0)
    }

    fn coordinates(&self) -> Markup {
        html! {
            @for (index, (file, rank)) in ('a'..='h').zip('1'..='8').enumerate() {
                @let index = index as f64;
                @let along = |place: f64| if self.bottom == Color::White { place } else { 7.0 - place };
                text class="coordinate" text-anchor="middle"
                    x=(px(MARGIN + (along(index) + 0.5) * FIELD)) y=(px(FIELD * 8.0 + MARGIN - 4.0)) { (file) }
                text class="coordinate" text-anchor="middle" dominant-baseline="central"
                    x=(px(MARGIN / 2.0)) y=(px((7.0 - along(index) + 0.5) * FIELD)) { (rank) }
            }
        }
    }

    /// An arrow, its head a triangle just short of the middle of the field it points to.
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
            g class=(format!("arrow {class}")) {
                line x1=(px(x1)) y1=(px(y1)) x2=(px(neck_x)) y2=(px(neck_y)) {}
                polygon points=(head.join(" ")) {}
                title { (class) " " (mv) }
            }
        }
    }
}

/// Where a move comes from and goes to.
fn ends(mv: UciMove) -> Option<(Square, Square)> {
    match mv {
        UciMove::Normal { from, to, .. } => Some((from, to)),
        UciMove::Put { .. } | UciMove::Null => None,
    }
}

/// The filled symbol for both colours; the style sets the colour. The variation selector requests text, not an emoji.
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
