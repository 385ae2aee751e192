//! Objects of the server's store.

use std::io::{self, Read};

use async_nats::jetstream::object_store::Object;
use tokio::io::AsyncReadExt;

use crate::broker::{Asked, Broker, BrokerError};

/// The bytes of an object, which arrive while they are read.
pub(super) struct Received<'b> {
    broker: &'b Broker,
    object: Object,
    what: String,
    /// Why the server has not given all.
    error: Option<BrokerError>,
}

impl<'b> Received<'b> {
    /// The object of a name; `what` is what the server is asked for.
    pub(super) fn request(broker: &'b Broker, name: String, what: &str) -> Result<Self, BrokerError> {
        let object = broker.request(async { broker.files().await?.get(name).await.asked(what) })?;
        Ok(Self { broker, object, what: what.to_owned(), error: None })
    }

    /// Has the server given what was read?
    pub(super) fn check(self) -> Result<(), BrokerError> {
        self.error.map_or(Ok(()), Err)
    }
}

impl Read for Received<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.broker.request(async { self.object.read(buffer).await.asked(&self.what) });
        read.map_err(|error| {
            // The reader gets an `io::Error`, which does not show whether the server or the disk is the
            // cause.
            let cause = io::Error::other(error.to_string());
            self.error = Some(error);
            cause
        })
    }
}
