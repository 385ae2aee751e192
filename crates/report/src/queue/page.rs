//! The queue on one page for a browser, with links to the pages of the tests. It needs no script.

use maud::{Markup, html};

use super::text::figures;
use super::{Merge, Queue, QueueState, QueuedTest};
use crate::format;
use crate::formats::html::{document, marked_up};

impl Queue {
    /// The page, as the text of one HTML file.
    pub fn page(&self) -> String {
        let title = "Queue of tests";
        let content = html! {
            h1 { (title) }
            p class="faint" { (self.extent()) }
            (self.answer())
            @if self.tests.is_empty() { p { "No tests." } } @else { (self.table()) }
            (self.problems())
            (self.commands())
            (self.explanation())
        };
        document(title, &content)
    }

    /// The number of tests in each state.
    fn extent(&self) -> String {
        let number = |&state: &QueueState| {
            let number = self.tests.iter().filter(|test| test.state == state).count();
            (number > 0).then(|| format!("{number} {state}"))
        };
        let states: Vec<String> = QueueState::ALL.iter().filter_map(number).collect();
        format!("{}: {}", format::count(self.tests.len(), "test"), states.join(", "))
    }

    /// What can be merged, and what that guarantees.
    fn answer(&self) -> Markup {
        let sentences = self.sentences();
        let class = if self.merged().is_empty() { "verdict running" } else { "verdict accepted" };
        html! {
            section class=(class) {
                @for (index, sentence) in sentences.iter().enumerate() {
                    p { @if index == 0 { strong { (sentence) } } @else { (sentence) } }
                }
            }
        }
    }

    fn table(&self) -> Markup {
        let merges = self.merges();
        let row = |test: &QueuedTest| {
            let index = self.tests.iter().position(|other| other.number == test.number);
            row(test, index.map_or(Merge::Unknown, |index| merges[index]))
        };
        let columns = ["test", "merge", "state", "games", "Elo (95 %)", "e-value", "priority", "no."];
        marked_up("Tests, in the order in which they are run", &columns, self.in_order().into_iter().map(row))
    }

    fn problems(&self) -> Markup {
        let found: Vec<&QueuedTest> =
            self.in_order().into_iter().filter(|test| test.problem.is_some()).collect();
        html! {
            @if !found.is_empty() {
                h2 id="problems" { "Problems" }
                ul {
                    @for test in found { li { b { (test.name) } ": " (test.problem.as_deref().unwrap_or_default()) } }
                }
            }
        }
    }

    fn commands(&self) -> Markup {
        html! {
            @if !self.tests.is_empty() { h2 id="commands" { "Commands and results" } }
            @for test in self.in_order() { (details(test)) }
        }
    }

    fn explanation(&self) -> Markup {
        let level = format::percent(self.online.level());
        let horizon = self.online.horizon();
        html! {
            h2 id="meaning" { "What the figures mean" }
            p {
                "The e-value is the factor by which bets against H0 of a test have grown. A test can be merged if its e-value is "
                "large enough among those of all tests; column merge has the e-value that it would need now. When other tests "
                "can be merged, less is needed. A test that can be merged stays so when tests are added."
            }
            p {
                "Online e-BH limits the expected share of false merges to " (level) ", whenever the tests stop and whatever they "
                "have in common. The level is shared by the order of the starts: half of it is for the first " (horizon)
                " tests, the rest for all later ones. A test without a result counts as one without evidence."
            }
        }
    }
}

fn row(test: &QueuedTest, merge: Merge) -> Vec<Markup> {
    let [games, elo, e_value] = figures(test);
    let class = match merge {
        Merge::Yes => "good",
        Merge::No => "bad",
        Merge::Needs(_) | Merge::Unknown => "",
    };
    vec![
        html! { @if let Some(page) = &test.page { a href=(page) { (test.name) } } @else { (test.name) } },
        html! { span class=(class) { (merge) } },
        html! { (test.state) },
        html! { (games) },
        html! { (elo) },
        html! { (e_value) },
        html! { (test.priority) },
        html! { (test.number) },
    ]
}

/// The command of a test, and its result in words.
fn details(test: &QueuedTest) -> Markup {
    html! {
        details class="case" {
            summary { (test.name) span class="why" { (test.state) } }
            div class="body" {
                dl {
                    dt { "Command" } dd class="mono" { (test.command) }
                    @if let Some(result) = &test.result { dt { "Result" } dd { (result.conclusion) } }
                    @if let Some(journal) = &test.journal { dt { "Journal" } dd class="mono" { (journal) } }
                    @if let Some(page) = &test.page { dt { "Page" } dd { a href=(page) { (page) } } }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture;

    #[test]
    fn page_links_the_tests_and_has_no_foreign_markup() {
        let mut queue = fixture::queue();
        queue.tests[0].name = "<b>bold</b>".to_owned();
        let page = queue.page();
        assert!(page.contains("<a href=\"tests/2/index.html\">patch-2</a>"), "{page}");
        assert!(page.contains("&lt;b&gt;bold") && !page.contains("<b>bold"), "{page}");
        assert!(page.contains("7 tests: 2 waiting, 3 accepted, 1 rejected, 1 fault"), "{page}");
        assert!(page.contains("at most 5."), "{page}");
    }
}
