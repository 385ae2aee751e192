//! The keys of `watch` on a terminal.

use crate::keys::Pressed;

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    /// `r`: the whole regression test.
    Regress,
    /// `e`: explain the first lost case.
    Explain,
    /// `q`: end.
    Quit,
    /// Ctrl-C.
    Interrupt,
}

impl Key {
    /// What this key asks for; `None` if nothing.
    pub(super) const fn of(pressed: Pressed) -> Option<Self> {
        match pressed {
            Pressed::Interrupt => Some(Self::Interrupt),
            Pressed::Char('r') => Some(Self::Regress),
            Pressed::Char('e') => Some(Self::Explain),
            Pressed::Char('q') | Pressed::Escape => Some(Self::Quit),
            Pressed::Char(_) => None,
        }
    }
}
