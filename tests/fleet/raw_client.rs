//! A NATS client of a few lines, to send what threefold would not send.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

pub(crate) struct RawClient {
    reader: BufReader<TcpStream>,
}

impl RawClient {
    pub(crate) fn connect(port: u16) -> Self {
        Self::with_options(port, "{\"verbose\":false}")
    }

    pub(crate) fn connect_as(port: u16, user: &str, password: &str) -> Self {
        Self::with_options(
            port,
            &format!("{{\"verbose\":false,\"user\":\"{user}\",\"pass\":\"{password}\"}}"),
        )
    }

    fn with_options(port: u16, options: &str) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_millis(200))).expect("a socket");
        let mut client = Self { reader: BufReader::new(stream) };
        let mut greeting = String::new();
        client.reader.read_line(&mut greeting).expect("a greeting");
        client.send(format!("CONNECT {options}\r\n").as_bytes());
        client
    }

    fn send(&mut self, bytes: &[u8]) {
        self.reader.get_mut().write_all(bytes).expect("the server listens");
    }

    pub(crate) fn publish(&mut self, subject: &str, payload: &[u8]) {
        self.send(&message(subject, payload));
    }

    /// Publishes more than the server takes. It closes the connection once it has read the size, perhaps
    /// before all is sent.
    pub(crate) fn publish_too_much(mut self, subject: &str, payload: &[u8]) {
        _ = self.reader.get_mut().write_all(&message(subject, payload));
    }

    /// Publishes a request whose answers go to a subject.
    pub(crate) fn request(&mut self, subject: &str, answers: &str, payload: &str) {
        self.send(format!("PUB {subject} {answers} {}\r\n{payload}\r\n", payload.len()).as_bytes());
    }

    pub(crate) fn subscribe(&mut self, subject: &str) {
        self.send(format!("SUB {subject} 1\r\n").as_bytes());
    }

    /// The next error of the server; `None` after some time without one.
    pub(crate) fn error(&mut self) -> Option<String> {
        for _ in 0..20 {
            let mut line = String::new();
            if self.reader.read_line(&mut line).is_ok() && line.starts_with("-ERR") {
                return Some(line);
            }
        }
        None
    }

    /// The next message: subject and payload; `None` after some time without one.
    pub(crate) fn next(&mut self) -> Option<(String, Vec<u8>)> {
        loop {
            let mut line = String::new();
            self.reader.read_line(&mut line).ok().filter(|&read| read > 0)?;
            if line.starts_with("PING") {
                self.send(b"PONG\r\n");
            }
            let words: Vec<&str> = line.split_whitespace().collect();
            let [kind, subject, ..] = words.as_slice() else { continue };
            let headers = match *kind {
                "MSG" => 0,
                "HMSG" => words[words.len() - 2].parse().ok()?,
                _ => continue,
            };
            let size: usize = words.last()?.parse().ok()?;
            let mut payload = vec![0; size + 2];
            self.reader.read_exact(&mut payload).ok()?;
            return Some(((*subject).to_owned(), payload[headers..size].to_vec()));
        }
    }
}

/// What publishes this payload.
fn message(subject: &str, payload: &[u8]) -> Vec<u8> {
    let mut bytes = format!("PUB {subject} {}\r\n", payload.len()).into_bytes();
    bytes.extend_from_slice(payload);
    bytes.extend_from_slice(b"\r\n");
    bytes
}
