//! The program that tries what a limit forbids, and prints what came of it.

use std::fs;
use std::io::{self, Write as _};
use std::net::{TcpStream, UdpSocket};
use std::os::unix::net::UnixDatagram;
use std::process::Command;
use std::thread;

use nix::sys::signal::kill;
use nix::unistd::Pid;

/// Printed if the attempt succeeded.
pub(crate) const DONE: &str = "done";

/// Makes the attempt of these words. Returns `done`, or the error.
pub(crate) fn attempt(words: &[&str]) -> String {
    let tried: io::Result<()> = match words {
        ["read", path] => fs::read(path).map(drop),
        ["write", path] => fs::File::create(path).and_then(|mut file| file.write_all(b"text")),
        ["udp"] => UdpSocket::bind("127.0.0.1:0").map(drop),
        ["tcp", address] => TcpStream::connect(address).map(drop),
        ["unix socket"] => UnixDatagram::unbound().map(drop),
        ["start"] => std::env::current_exe()
            .and_then(|own| Command::new(own).args(["attempt", "none"]).status())
            .map(drop),
        ["thread"] => thread::Builder::new().spawn(|| ()).map(drop),
        ["signal"] => kill(Pid::parent(), None).map_err(io::Error::from),
        ["allocate", mebibytes] => {
            let size = mebibytes.parse::<usize>().expect("a number") << 20;
            Vec::<u8>::new().try_reserve_exact(size).map_err(io::Error::other)
        }
        ["variable", name] => std::env::var_os(name).map(drop).ok_or_else(|| io::Error::other("not set")),
        ["gain privileges"] => {
            let status = fs::read_to_string("/proc/self/status").expect("Linux has it");
            if status.contains("NoNewPrivs:\t1") {
                Err(io::Error::other("no new privileges"))
            } else {
                Ok(())
            }
        }
        _ => panic!("no attempt: {words:?}"),
    };
    tried.map_or_else(|error| error.to_string(), |()| DONE.to_owned())
}
