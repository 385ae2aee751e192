//! The processes of a fleet, in a temporary folder.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::TempDir;

/// Time limit of every wait, far more than needed, so that a hang is a failure.
const DEADLINE: Duration = Duration::from_mins(3);

/// A server with its workers; all end with it.
pub(crate) struct Fleet {
    folder: TempDir,
    port: u16,
    config: Option<PathBuf>,
    server: Option<Child>,
    workers: Vec<Option<Child>>,
}

/// The end of a command.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    /// Standard output and standard error.
    pub(crate) text: String,
}

/// Is there a server? Its absence is a failure in CI.
pub(crate) fn is_there() -> bool {
    let found = Command::new("nats-server").arg("--version").stdout(Stdio::null()).status().is_ok();
    assert!(found || std::env::var_os("CI").is_none(), "nats-server is not installed; CI needs it");
    found
}

/// A free address.
pub(crate) fn free_address() -> String {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port");
    free.to_string()
}

/// The answer to a request such as `GET /`; empty without one.
pub(crate) fn http(address: &str, request: &str) -> String {
    let ask = || -> std::io::Result<String> {
        let mut stream = TcpStream::connect(address)?;
        write!(stream, "{request} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        Ok(String::from_utf8_lossy(&answer).into_owned())
    };
    ask().unwrap_or_default()
}

impl Fleet {
    /// A server without workers.
    pub(crate) fn new() -> Self {
        Self::with_config(None)
    }

    /// A server with a configuration, in which `PORT` and `STORE` are replaced.
    pub(crate) fn with_config(config: Option<&str>) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let port =
            TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
        let config = config.map(|text| {
            let file = folder.path().join("server.conf");
            let store = folder.path().join("store").display().to_string();
            fs::write(&file, text.replace("PORT", &port.to_string()).replace("STORE", &store))
                .expect("space");
            file
        });
        let mut fleet = Self { folder, port, config, server: None, workers: Vec::new() };
        fleet.start_server();
        fleet
    }

    /// A port on which no server listens.
    pub(crate) fn unstarted() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self { folder, port: 1, config: None, server: None, workers: Vec::new() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// The address with a user's password, if the server has users.
    pub(crate) fn url_of(&self, user: &str) -> String {
        match &self.config {
            Some(_) => format!("nats://{user}:{}-PASSWORD@127.0.0.1:{}", user.to_uppercase(), self.port),
            None => self.url(),
        }
    }

    pub(crate) const fn port(&self) -> u16 {
        self.port
    }

    fn log(&self, name: &str) -> File {
        File::options().append(true).create(true).open(self.path(name)).expect("a writable folder")
    }

    pub(crate) fn start_server(&mut self) {
        let mut command = Command::new("nats-server");
        match &self.config {
            Some(config) => command.arg("-c").arg(config),
            None => command
                .args(["-js", "-a", "127.0.0.1", "-p", &self.port.to_string(), "-sd"])
                .arg(self.path("store")),
        };
        let log = self.log("server.log");
        self.server = Some(command.stdout(Stdio::null()).stderr(log).spawn().expect("nats-server starts"));
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(begun.elapsed() < DEADLINE, "the server does not listen: {}", self.text("server.log"));
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Kills the server without warning.
    pub(crate) fn kill_server(&mut self) {
        end(self.server.take(), Signal::SIGKILL);
    }

    /// Starts a worker with one job at a time; returns its index.
    pub(crate) fn start_worker(&mut self, options: &str) -> usize {
        let url = self.url_of("worker");
        self.start_worker_at(&url, options)
    }

    /// The same with another address of the server.
    pub(crate) fn start_worker_at(&mut self, url: &str, options: &str) -> usize {
        let number = self.workers.len();
        let log = self.log("workers.log");
        let child = threefold(&self.path(""))
            .args(["fleet", "work", "--nats", url, "-j", "1", "--name", &format!("w{number}")])
            .args(options.split_whitespace())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn();
        self.workers.push(Some(child.expect("the program starts")));
        number
    }

    pub(crate) fn signal_worker(&self, number: usize, signal: Signal) {
        let worker = self.workers[number].as_ref().expect("a running worker");
        kill(pid(worker), signal).expect("its own child");
    }

    /// Kills a worker without warning.
    pub(crate) fn kill_worker(&mut self, number: usize) {
        end(self.workers[number].take(), Signal::SIGKILL);
    }

    /// Submits a command from a folder of its own, in which it writes.
    pub(crate) fn submit(&self, folder: &str, command: &str) -> Submitted {
        let place = self.path(folder);
        fs::create_dir_all(&place).expect("a writable folder");
        let log = place.join("log");
        let file = File::create(&log).expect("a writable folder");
        let child = threefold(&place)
            .args(["fleet", "submit", "--nats", &self.url_of("coordinator")])
            .args(command.split_whitespace())
            .stdout(file.try_clone().expect("a handle"))
            .stderr(file)
            .spawn()
            .expect("the program starts");
        Submitted { child: Some(child), log }
    }

    /// Runs a command without the fleet.
    pub(crate) fn locally(&self, folder: &str, command: &str) -> Ended {
        let place = self.path(folder);
        fs::create_dir_all(&place).expect("a writable folder");
        let output = threefold(&place).args(command.split_whitespace()).output().expect("the program starts");
        let text = [output.stdout, output.stderr].concat();
        Ended { code: output.status.code(), text: String::from_utf8_lossy(&text).into_owned() }
    }

    /// A log, or what was reported.
    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        for worker in self.workers.drain(..) {
            end(worker, Signal::SIGKILL);
        }
        self.kill_server();
    }
}

/// A command that was submitted.
pub(crate) struct Submitted {
    child: Option<Child>,
    log: PathBuf,
}

impl Submitted {
    /// Waits until it ends.
    pub(crate) fn wait(mut self) -> Ended {
        let mut child = self.child.take().expect("not ended");
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().expect("its own child") {
                break status;
            }
            if begun.elapsed() > DEADLINE {
                end(Some(child), Signal::SIGKILL);
                panic!("no end: {}", fs::read_to_string(&self.log).unwrap_or_default());
            }
            thread::sleep(Duration::from_millis(20));
        };
        Ended { code: status.code(), text: fs::read_to_string(&self.log).unwrap_or_default() }
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        let child = self.child.as_mut().expect("not ended");
        child.try_wait().expect("its own child").is_some()
    }

    /// What it has printed so far.
    pub(crate) fn text(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// The most memory that it has had so far, in kibibytes; 0 if the system does not say.
    pub(crate) fn most_memory(&self) -> u64 {
        let id = self.child.as_ref().expect("not ended").id();
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
        line.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or_default()
    }

    /// Kills it without warning.
    pub(crate) fn kill(mut self) {
        end(self.child.take(), Signal::SIGKILL);
    }

    pub(crate) fn interrupt(&self) {
        let child = self.child.as_ref().expect("not ended");
        kill(pid(child), Signal::SIGINT).expect("its own child");
    }
}

impl Drop for Submitted {
    fn drop(&mut self) {
        end(self.child.take(), Signal::SIGKILL);
    }
}

fn threefold(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threefold"));
    command.current_dir(folder).stdin(Stdio::null());
    command
}

fn pid(child: &Child) -> Pid {
    Pid::from_raw(i32::try_from(child.id()).expect("a process id"))
}

fn end(child: Option<Child>, signal: Signal) {
    if let Some(mut child) = child {
        _ = kill(pid(&child), signal);
        _ = child.wait();
    }
}
