//! The styles of the screen. A colour never says anything that is not also a word or a letter.

use std::env;

use ratatui::style::{Color, Modifier, Style};

/// With colours or without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::output::screen) enum Theme {
    /// No colours: bold, dim and reversed text only.
    Plain,
    /// With colours.
    Coloured,
}

impl Theme {
    /// No colours if `NO_COLOR` is set to any text, see <https://no-color.org>.
    pub(in crate::output::screen) fn of_environment() -> Self {
        if env::var_os("NO_COLOR").is_some_and(|set| !set.is_empty()) { Self::Plain } else { Self::Coloured }
    }

    fn coloured(self, style: Style) -> Style {
        match self {
            Self::Plain => Style::new(),
            Self::Coloured => style,
        }
    }

    /// What is in favour of the first engine, or as it should be.
    pub(super) fn good(self) -> Style {
        self.coloured(Style::new().fg(Color::Green))
    }

    /// What is against it, or wrong.
    pub(super) fn bad(self) -> Style {
        self.coloured(Style::new().fg(Color::Red))
    }

    /// What a person should see, such as a pause.
    pub(super) fn notable(self) -> Style {
        self.coloured(Style::new().fg(Color::Yellow)).add_modifier(Modifier::BOLD)
    }

    /// Names and keys.
    pub(super) const fn strong() -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// What is less important.
    pub(super) const fn dim() -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    /// What is selected; brackets show it, too.
    pub(super) const fn selected() -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }
}
