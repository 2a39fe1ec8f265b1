use std::time::Duration;

use reqwest::{Certificate, Client, Url};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct StockLevel {
    pub sku: String,
    pub on_hand: u32,
}

pub struct InventoryClient {
    http: Client,
    base: Url,
}

impl InventoryClient {
    /// `authority` is the PEM file of the warehouse's own certificate authority.
    pub fn connect(base: Url, authority: &[u8]) -> reqwest::Result<Self> {
        let root = Certificate::from_pem(authority)?;
        let http = Client::builder()
            .timeout(Duration::from_secs(10))
            .user_agent("stock-sync/3")
            .add_root_certificate(root)
            .https_only(true)
            .build()?;
        Ok(Self { http, base })
    }

    pub async fn levels(&self, token: &str) -> reqwest::Result<Vec<StockLevel>> {
        let mut target = self.base.clone();
        target.set_path("/v1/levels");
        let answer = self.http.get(target).bearer_auth(token).send().await?;
        answer.error_for_status()?.json().await
    }
}
