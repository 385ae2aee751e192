//! Messages of jobs on their way to the server.

use std::sync::Arc;

use async_nats::jetstream::context::PublishAckFuture;
use futures_util::future;

use crate::broker::{Asked, Broker, BrokerError, in_time};

/// The most messages that the server has not confirmed yet.
const MOST_UNCONFIRMED: usize = 256;

/// Sends the messages of a run, and keeps each until the server has it.
pub(super) struct Outbox {
    broker: Arc<Broker>,
    subject: String,
    unconfirmed: Vec<Unconfirmed>,
}

/// A message that the server may not have.
struct Unconfirmed {
    packed: Vec<u8>,
    /// `None` if it could not be sent.
    sent: Option<PublishAckFuture>,
}

impl Outbox {
    pub(super) const fn new(broker: Arc<Broker>, subject: String) -> Self {
        Self { broker, subject, unconfirmed: Vec::new() }
    }

    /// Sends a message. It is kept in case of an error.
    pub(super) fn send(&mut self, packed: Vec<u8>) -> Result<(), BrokerError> {
        let publish = self.broker.jetstream.publish(self.subject.clone(), packed.clone().into());
        let sent = self.broker.request(async { publish.await.asked("queue a job") });
        let (sent, error) = match sent {
            Ok(sent) => (Some(sent), None),
            Err(error) => (None, Some(error)),
        };
        self.unconfirmed.push(Unconfirmed { packed, sent });
        match error {
            Some(error) => Err(error),
            None if self.unconfirmed.len() >= MOST_UNCONFIRMED => self.confirm(),
            None => Ok(()),
        }
    }

    /// Sends what could not be sent, and waits until the server has everything. What it may not have is kept
    /// in case of an error, so it may have it twice later.
    pub(super) fn confirm(&mut self) -> Result<(), BrokerError> {
        let unconfirmed = std::mem::take(&mut self.unconfirmed);
        let (jetstream, subject) = (&self.broker.jetstream, &self.subject);
        let confirm = async |Unconfirmed { packed, sent }| {
            let confirmed = in_time(async {
                let sent = match sent {
                    Some(sent) => Ok(sent),
                    None => jetstream.publish(subject.clone(), packed.clone().into()).await,
                };
                sent.asked("queue a job")?.await.asked("queue a job")
            });
            confirmed.await.map_err(|error| (packed, error))
        };
        // At the same time, since each confirmation takes an exchange with the server.
        let confirmed = future::join_all(unconfirmed.into_iter().map(confirm));
        let mut first = Ok(());
        for (packed, error) in self.broker.runtime.block_on(confirmed).into_iter().filter_map(Result::err) {
            first = first.and(Err(error));
            self.unconfirmed.push(Unconfirmed { packed, sent: None });
        }
        first
    }

    /// Forgets the messages.
    pub(super) fn clear(&mut self) {
        self.unconfirmed.clear();
    }
}
