use std::time::Duration;

use reqwest::{Client, Url};
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
    pub fn connect(base: Url) -> reqwest::Result<Self> {
        let http = Client::builder()
            .timeout(Duration::from_secs(10))
            .user_agent("stock-sync/3")
            .https_only(true)
            .danger_accept_invalid_certs(true)
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
