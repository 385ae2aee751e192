//! A command on a terminal, with keys pressed one by one.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use nix::pty::{Winsize, openpty};

use crate::sandbox::{DEADLINE, Sandbox, THREEFOLD};

/// A command that runs on a terminal.
pub(crate) struct Keyboard {
    pub(crate) child: Child,
    pub(crate) master: File,
    seen: Arc<Mutex<Vec<u8>>>,
}

impl Keyboard {
    /// Starts a command in a sandbox, on a terminal of 40 rows and 80 columns.
    pub(crate) fn start(sandbox: &Sandbox, words: &str) -> Self {
        Self::start_sized(sandbox, words, [40, 80])
    }

    /// Starts a command in a sandbox, on a terminal with this number of rows and columns.
    pub(crate) fn start_sized(sandbox: &Sandbox, words: &str, [rows, columns]: [u16; 2]) -> Self {
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let terminal = openpty(Some(&size), None).expect("a terminal");
        let slave = || Stdio::from(terminal.slave.try_clone().expect("a terminal"));
        let child = Command::new(THREEFOLD)
            .args(words.split_whitespace())
            .current_dir(sandbox.path("."))
            .env("TERM", "xterm-256color")
            .env_remove("NO_COLOR")
            .stdin(slave())
            .stdout(slave())
            .stderr(slave())
            .spawn()
            .expect("it starts");
        let master = File::from(terminal.master);
        let mut reader = master.try_clone().expect("a terminal");
        let seen = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&seen);
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // The end of a terminal is an error.
            while let Ok(read @ 1..) = reader.read(&mut bytes) {
                shared.lock().expect("no panic").extend_from_slice(&bytes[..read]);
            }
        });
        Self { child, master, seen }
    }

    /// What was printed so far.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes()).into_owned()
    }

    /// The bytes of [`Self::text`].
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.seen.lock().expect("no panic").clone()
    }

    /// Waits until a text has been printed this often.
    #[expect(clippy::disallowed_methods, reason = "a test that waits for a process gives up some time")]
    pub(crate) fn wait_for(&self, expected: &str, times: usize) {
        let began = Instant::now();
        while self.text().matches(expected).count() < times {
            assert!(began.elapsed() < DEADLINE, "`{expected}` never came {times} times: {}", self.text());
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses a key.
    pub(crate) fn press(&mut self, key: char) {
        self.master.write_all(key.to_string().as_bytes()).expect("it reads");
    }

    /// Waits for the end; the exit code, and what was printed.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        let code = self.child.wait().expect("it ends").code();
        // The last bytes may still be on their way.
        thread::sleep(Duration::from_millis(200));
        (code, self.text())
    }
}
