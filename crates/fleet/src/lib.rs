//! Runs the jobs of a run on many machines, through NATS JetStream.
