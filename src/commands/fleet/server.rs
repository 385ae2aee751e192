//! Options of the connection to the NATS server.

use std::path::PathBuf;

use clap::Args;

use crate::files;
use threefold_fleet::broker::ServerOptions;

/// How to reach the NATS server.
#[derive(Debug, Clone, Args)]
pub struct ServerArgs {
    /// Address of the NATS server, such as `nats://localhost:4222` or `tls://fleet.example:4222`
    #[arg(long, value_name = "URL")]
    pub nats: String,
    /// File with the user's JWT and seed, as `nsc` writes it
    #[arg(long, value_name = "FILE")]
    pub creds: Option<PathBuf>,
    /// File with the seed of the user's nkey
    #[arg(long, value_name = "FILE", conflicts_with = "creds")]
    pub nkey: Option<PathBuf>,
    /// File with the certificates of the authority that signed the server's certificate
    #[arg(long, value_name = "FILE")]
    pub tls_ca: Option<PathBuf>,
    /// File with the client's certificate
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// File with the key of the client's certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
}

impl ServerArgs {
    /// The options of the connection, with the secrets from their files.
    ///
    /// # Errors
    ///
    /// If a file can't be read.
    pub fn options(&self) -> anyhow::Result<ServerOptions> {
        Ok(ServerOptions {
            url: self.nats.clone(),
            credentials: self.creds.as_deref().map(files::text).transpose()?,
            nkey: self.nkey.as_deref().map(files::text).transpose()?,
            tls_ca: self.tls_ca.clone(),
            tls_client: self.tls_cert.clone().zip(self.tls_key.clone()),
        })
    }
}
