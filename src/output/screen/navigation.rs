//! What a person has chosen to see, and what each key does to it.

use super::keys::Key;

/// What the main part of the screen shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Panel {
    /// The boards of the games or cases in progress.
    #[default]
    Boards,
    /// What each worker does and has done.
    Workers,
    /// Faults, lost cases and notices.
    Messages,
}

/// What covers the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum View {
    /// The run.
    #[default]
    Run,
    /// One game or case in progress.
    Details,
    /// The keys.
    Help,
}

/// What a person has chosen to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Navigation {
    pub(super) panel: Panel,
    pub(super) view: View,
    /// The worker whose job is selected. It may do nothing now.
    pub(super) worker: usize,
    /// The number of later messages below those that are shown.
    pub(super) later_messages: usize,
}

impl Panel {
    const fn next(self) -> Self {
        match self {
            Self::Boards => Self::Workers,
            Self::Workers => Self::Messages,
            Self::Messages => Self::Boards,
        }
    }

    /// The name in the list of keys.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Boards => "boards",
            Self::Workers => "workers",
            Self::Messages => "messages",
        }
    }
}

impl Navigation {
    /// The panel that the next key for panels shows.
    pub(super) const fn next_panel(self) -> Panel {
        self.panel.next()
    }

    /// The selected one of the workers that do something, in order: the one chosen, or else the next.
    pub(super) fn selected(self, busy: &[usize]) -> Option<usize> {
        busy.iter().copied().find(|&worker| worker >= self.worker).or(busy.last().copied())
    }

    /// Moves by a key. `busy` are the workers that do something, in order, and there are this number of
    /// messages.
    pub(super) fn press(&mut self, key: Key, busy: &[usize], messages: usize) {
        match key {
            Key::NextPanel if self.view == View::Run => self.panel = self.panel.next(),
            Key::Previous | Key::Next if self.panel == Panel::Messages && self.view == View::Run => {
                let later = self.later_messages;
                self.later_messages = match key {
                    Key::Previous => (later + 1).min(messages.saturating_sub(1)),
                    _ => later.saturating_sub(1),
                };
            }
            Key::Previous => self.select(busy, |at| at.checked_sub(1)),
            Key::Next => self.select(busy, |at| Some(at + 1)),
            Key::Details if self.view == View::Run && !busy.is_empty() => self.view = View::Details,
            Key::Help if self.view != View::Help => self.view = View::Help,
            Key::Details | Key::Help | Key::Back => self.view = View::Run,
            Key::NextPanel | Key::Pause | Key::Finish | Key::Redraw | Key::Interrupt => {}
        }
    }

    fn select(&mut self, busy: &[usize], to: impl FnOnce(usize) -> Option<usize>) {
        let at = self.selected(busy).and_then(|worker| busy.iter().position(|&it| it == worker));
        if let Some(&worker) = at.and_then(to).and_then(|at| busy.get(at)) {
            self.worker = worker;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Presses keys while workers 0, 2 and 5 are busy and there are three messages.
    fn after(keys: &[Key]) -> Navigation {
        let mut navigation = Navigation::default();
        for &key in keys {
            navigation.press(key, &[0, 2, 5], 3);
        }
        navigation
    }

    #[test]
    fn arrows_select_busy_workers_and_stop_at_the_ends() {
        let selected = |keys: &[Key]| after(keys).selected(&[0, 2, 5]);
        assert_eq!(selected(&[]), Some(0));
        assert_eq!(selected(&[Key::Next]), Some(2));
        assert_eq!(selected(&[Key::Next, Key::Next, Key::Next]), Some(5));
        assert_eq!(selected(&[Key::Next, Key::Next, Key::Previous]), Some(2));
        assert_eq!(selected(&[Key::Previous]), Some(0));
        // The selected worker has ended its job.
        let navigation = after(&[Key::Next]);
        assert_eq!(navigation.selected(&[0, 5]), Some(5));
        assert_eq!(navigation.selected(&[0, 1]), Some(1));
        assert_eq!(navigation.selected(&[]), None);
    }

    #[test]
    fn panels_follow_each_other_and_views_go_back() {
        assert_eq!(after(&[Key::NextPanel]).panel, Panel::Workers);
        assert_eq!(after(&[Key::NextPanel; 3]).panel, Panel::Boards);
        assert_eq!(after(&[Key::Details]).view, View::Details);
        assert_eq!(after(&[Key::Details, Key::Details]).view, View::Run);
        assert_eq!(after(&[Key::Details, Key::Back]).view, View::Run);
        assert_eq!(after(&[Key::Details, Key::Help]).view, View::Help);
        assert_eq!(after(&[Key::Help, Key::Help]).view, View::Run);
        assert_eq!(after(&[Key::Details, Key::NextPanel]).panel, Panel::Boards, "panels are covered");
        // Without a job there are no details.
        let mut navigation = Navigation::default();
        navigation.press(Key::Details, &[], 0);
        assert_eq!(navigation.view, View::Run);
    }

    #[test]
    fn arrows_scroll_the_messages_while_they_are_shown() {
        let messages = [Key::NextPanel, Key::NextPanel];
        let scrolled = |keys: &[Key]| after(&[&messages, keys].concat()).later_messages;
        assert_eq!(scrolled(&[Key::Previous]), 1);
        assert_eq!(scrolled(&[Key::Previous; 5]), 2, "the first stays in sight");
        assert_eq!(scrolled(&[Key::Previous, Key::Next, Key::Next]), 0);
        assert_eq!(after(&[Key::Previous]).later_messages, 0, "boards are shown");
    }
}
