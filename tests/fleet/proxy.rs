//! A connection that can be cut: a proxy between a worker and the server.

use std::io::copy;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

pub(crate) struct Proxy {
    port: u16,
    is_cut: Arc<AtomicBool>,
    streams: Arc<Mutex<Vec<TcpStream>>>,
}

impl Proxy {
    /// A proxy to a port of this machine. Its threads end with the test.
    pub(crate) fn to(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("bound").port();
        let proxy = Self { port, is_cut: Arc::default(), streams: Arc::default() };
        let (is_cut, streams) = (Arc::clone(&proxy.is_cut), Arc::clone(&proxy.streams));
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let server = TcpStream::connect(("127.0.0.1", server));
                let Ok(server) = server.and_then(|server| server.set_nodelay(true).map(|()| server)) else {
                    continue;
                };
                // While it is cut, a connection is closed at once.
                if is_cut.load(Ordering::Relaxed) {
                    continue;
                }
                let pair = [&client, &server].map(|stream| stream.try_clone().expect("a handle"));
                streams.lock().expect("no panic").extend(pair);
                for (mut from, mut to) in [
                    (client.try_clone().expect("a handle"), server.try_clone().expect("a handle")),
                    (server, client),
                ] {
                    thread::spawn(move || copy(&mut from, &mut to));
                }
            }
        });
        proxy
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Cuts all connections, and refuses others until [`Self::mend`].
    pub(crate) fn cut(&self) {
        self.is_cut.store(true, Ordering::Relaxed);
        for stream in self.streams.lock().expect("no panic").drain(..) {
            _ = stream.shutdown(Shutdown::Both);
        }
    }

    pub(crate) fn mend(&self) {
        self.is_cut.store(false, Ordering::Relaxed);
    }
}
