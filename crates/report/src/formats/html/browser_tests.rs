//! The page in a headless Chromium, driven over the `DevTools` protocol: links, filter and steps work,
//! without an error on the console and without a request.
//!
//! The protocol's messages pass through pipes, as JSON that ends with a null byte
//! (`--remote-debugging-pipe`), so the test needs no library for web sockets. Chromium reads them from
//! descriptor 3 and writes them to 4; a shell connects these with the standard input and output of the child
//! process.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use super::FORMAT;
use crate::formats::folder;
use crate::model::coupling::{self, Coupling};
use crate::model::fixture;
use threefold_player::output_file::IfThere;
use threefold_stats::GameResult;

const PROGRAMS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The first of the known programs on the path.
fn chromium() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let on_the_path =
        |program: &&str| folders.iter().map(|folder| folder.join(program)).find(|file| file.is_file());
    PROGRAMS.iter().find_map(on_the_path)
}

/// A browser with one page.
struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    session: Option<String>,
    last: u64,
    /// Events that arrived so far.
    events: Vec<Value>,
}

impl Browser {
    fn launch(program: &Path, profile: &Path) -> Self {
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null"])
            .arg(program)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
            .args(["--no-first-run", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell");
        let (to, from) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        let (from, events) = (BufReader::new(from), Vec::new());
        let mut browser = Self { child, to, from, session: None, last: 0, events };
        let target = browser.call("Target.createTarget", &json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.call("Target.attachToTarget", &attach);
        browser.session = Some(attached["sessionId"].as_str().expect("a session").to_owned());
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), &json!({}));
        }
        browser
    }

    fn receive(&mut self) -> Value {
        let mut message = Vec::new();
        self.from.read_until(0, &mut message).expect("readable");
        assert_eq!(message.pop(), Some(0), "the browser ended");
        serde_json::from_slice(&message).expect("JSON")
    }

    /// Sends a command and returns its result. Events before it are kept.
    fn call(&mut self, method: &str, parameters: &Value) -> Value {
        self.last += 1;
        let mut message = json!({ "id": self.last, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        write!(self.to, "{message}\0").and_then(|()| self.to.flush()).expect("the browser runs");
        loop {
            let mut reply = self.receive();
            if reply["id"] == self.last {
                assert!(reply["error"].is_null(), "{method}: {reply}");
                return reply["result"].take();
            }
            self.events.push(reply);
        }
    }

    fn open(&mut self, url: &str) {
        self.call("Page.navigate", &json!({ "url": url }));
        self.wait_for("Page.loadEventFired");
    }

    fn wait_for(&mut self, event: &str) {
        while !self.events.iter().any(|known| known["method"] == event) {
            let event = self.receive();
            self.events.push(event);
        }
    }

    /// The value of an expression; a promise is awaited.
    fn value(&mut self, expression: &str) -> Value {
        let parameters = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let mut result = self.call("Runtime.evaluate", &parameters);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {result}");
        result["result"]["value"].take()
    }

    /// Presses a key that has no letter.
    fn press(&mut self, key: &str) {
        self.call("Input.dispatchKeyEvent", &json!({ "type": "keyDown", "key": key }));
        self.call("Input.dispatchKeyEvent", &json!({ "type": "keyUp", "key": key }));
    }

    /// The URLs of all requests except those that are files.
    fn requests(&self) -> Vec<String> {
        let sent = self.events.iter().filter(|event| event["method"] == "Network.requestWillBeSent");
        let urls = sent.filter_map(|event| event["params"]["request"]["url"].as_str());
        urls.filter(|url| !url.ends_with("/index.html")).map(str::to_owned).collect()
    }

    /// Entries of the console and the log.
    fn complaints(&self) -> Vec<&Value> {
        let kinds = ["Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"];
        self.events.iter().filter(|event| kinds.iter().any(|method| event["method"] == *method)).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until the page has handled what was done to it.
const SETTLED: &str =
    "new Promise(done => setTimeout(() => requestAnimationFrame(() => setTimeout(done, 50)), 50))";

fn count(browser: &mut Browser, selector: &str) -> Value {
    browser.value(&format!("document.querySelectorAll({selector:?}).length"))
}

#[test]
fn page_works_in_a_browser() {
    let Some(program) = chromium() else {
        assert!(env::var_os("CI").is_none(), "CI needs one of {}", PROGRAMS.join(", "));
        eprintln!("skipped: none of {} is on the path", PROGRAMS.join(", "));
        return;
    };
    let place = tempfile::tempdir().expect("a temporary folder");
    let mut report = fixture::report();
    let mut coupling = Coupling { pairs: 1, ..Coupling::default() };
    coupling.add(coupling::tests::difference(1, [GameResult::Win, GameResult::Loss]), 40.0);
    report.matches[0].coupling = Some(coupling);
    folder::write_all(place.path(), &report, &[FORMAT], IfThere::Refuse).expect("writable");
    let mut browser = Browser::launch(&program, &place.path().join("profile"));
    browser.open(&format!("file://{}", place.path().join("index.html").display()));

    warnings_are_shown(&mut browser);
    differences_open(&mut browser);
    links_open_their_cases(&mut browser);
    arrows_step_through_the_moves(&mut browser);
    the_filter_hides_what_is_not_asked_for(&mut browser);

    everything_is_there_without_the_script(&mut browser);

    assert_eq!(browser.requests(), [""; 0], "nothing is loaded");
    assert_eq!(browser.complaints(), [&Value::Null; 0], "nothing is logged to the console");
}

/// The filter hides groups without a case that it shows, but no others.
fn warnings_are_shown(browser: &mut Browser) {
    assert_eq!(count(browser, "#warnings ~ details.group:not([hidden])"), 1);
}

/// A position in which two engines differ has no anchor and no moves to step through, but a FEN.
fn differences_open(browser: &mut Browser) {
    const CARD: &str = "document.querySelector('details.case:not([id])')";
    browser.value(&format!("{CARD}.querySelector('summary').click()"));
    browser.value(SETTLED);
    assert_eq!(browser.value(&format!("{CARD}.querySelector('.fen + button').textContent")), "copy FEN");
}

/// The square of a case leads to its card, which is in a closed group.
fn links_open_their_cases(browser: &mut Browser) {
    const CARD: &str = "document.getElementById('case-repetition--walk_back')";
    assert_eq!(browser.value(&format!("{CARD}.open || {CARD}.closest('.group').open")), false);
    browser.value("document.querySelector('.squares a[href=\"#case-repetition--walk_back\"]').click()");
    browser.value(SETTLED);
    assert_eq!(browser.value(&format!("{CARD}.open && {CARD}.closest('.group').open")), true);
    assert_eq!(browser.value(&format!("document.activeElement === {CARD}.querySelector('summary')")), true);
    assert_eq!(
        browser.value("document.querySelector('#case-repetition--walk_back .fen + button').textContent"),
        "copy FEN"
    );
}

fn arrows_step_through_the_moves(browser: &mut Browser) {
    const LABEL: &str = "document.querySelector('#case-repetition--walk_back .steps span').textContent";
    const ROOK: &str = "[...document.querySelectorAll('#case-repetition--walk_back .pieces use[href=\"#piece-R\"]')].map(use => use.getAttribute('x') + ',' + use.getAttribute('y')).join()";
    assert_eq!(browser.value(LABEL), "this position");
    assert_eq!(browser.value(ROOK), "34,270", "on a1");
    for (key, label, rook) in [
        ("ArrowLeft", "history: 31. Ra1", "34,270"),
        ("ArrowLeft", "history: 30… Kf8", "70,270"),
        ("ArrowRight", "history: 31. Ra1", "34,270"),
        ("ArrowRight", "this position", "34,270"),
        ("ArrowRight", "engine’s line: 32. Ra7", "34,54"),
        ("ArrowRight", "engine’s line: 32… Kh8", "34,54"),
        ("ArrowRight", "engine’s line: 32… Kh8", "34,54"),
    ] {
        browser.press(key);
        browser.value(SETTLED);
        assert_eq!((browser.value(LABEL), browser.value(ROOK)), (json!(label), json!(rook)), "after {key}");
    }
    let arrows = browser.value("document.querySelector('#case-repetition--walk_back .arrows').style.display");
    assert_eq!(arrows, "none", "the arrows belong to the case's position");
}

fn the_filter_hides_what_is_not_asked_for(browser: &mut Browser) {
    const SHOWN: &str = ".suite-cases details.case:not([hidden])";
    assert_eq!(count(browser, SHOWN), 5);
    browser.value("document.querySelector('#filter input[value=lost]').click()");
    browser.value(SETTLED);
    assert_eq!(count(browser, SHOWN), 2);
    assert_eq!(count(browser, ".suite-cases:not([hidden])"), 1, "the other suite has no such case");
    assert_eq!(browser.value("document.querySelector('#filter output').textContent"), "2 of 5 cases");
    browser.value("document.querySelector('#filter input[type=search]').focus()");
    browser.call("Input.insertText", &json!({ "text": "DAWDLE" }));
    browser.value(SETTLED);
    assert_eq!(count(browser, SHOWN), 1);
    // A link to a case that the filter hides shows everything.
    browser.value("location.hash = '#case-mate-old-dc2f7c69--ladder_2'");
    browser.value(SETTLED);
    assert_eq!(count(browser, SHOWN), 5);
    assert_eq!(browser.value("document.getElementById('case-mate-old-dc2f7c69--ladder_2').open"), true);
    let choose = "const { suite } = document.getElementById('filter').elements; suite.value = 'suite-mate-old-dc2f7c69'; \
         suite.dispatchEvent(new Event('input', { bubbles: true }))";
    browser.value(choose);
    browser.value(SETTLED);
    assert_eq!(count(browser, SHOWN), 1);
}

/// Cases, boards and facts are in the page; only the filter is not shown.
fn everything_is_there_without_the_script(browser: &mut Browser) {
    browser.call("Emulation.setScriptExecutionDisabled", &json!({ "value": true }));
    browser.events.retain(|event| event["method"] != "Page.loadEventFired");
    browser.call("Page.reload", &json!({}));
    browser.wait_for("Page.loadEventFired");
    assert_eq!(browser.value("getComputedStyle(document.getElementById('filter')).display"), "none");
    assert_eq!(count(browser, ".suite-cases details.case svg.board"), 5);
    assert_eq!(count(browser, "details.case button"), 0, "no button without an effect");
    assert_eq!(
        browser.value("document.querySelector('#case-repetition--dawdle .fen').textContent.length > 20"),
        true
    );
}
