use axum::{extract::FromRequestParts, http::request::Parts, http::StatusCode};
use jsonwebtoken::{decode, Algorithm, DecodingKey, Validation};
use serde::Deserialize;
use std::sync::OnceLock;

#[derive(Debug, Deserialize)]
pub struct Claims {
    pub sub: String,
    pub scope: String,
    pub exp: u64,
}

fn key() -> &'static DecodingKey {
    static KEY: OnceLock<DecodingKey> = OnceLock::new();
    KEY.get_or_init(|| {
        let pem = std::fs::read("/etc/gateway/issuer.pem").expect("issuer key");
        DecodingKey::from_ed_pem(&pem).expect("issuer key format")
    })
}

fn validation() -> Validation {
    let mut rules = Validation::new(Algorithm::EdDSA);
    rules.set_audience(&["gateway"]);
    rules.set_issuer(&["https://login.gateway.example"]);
    rules.set_required_spec_claims(&["exp", "aud", "iss"]);
    rules.validate_nbf = true;
    rules
}

impl<S: Send + Sync> FromRequestParts<S> for Claims {
    type Rejection = StatusCode;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        let token = parts
            .headers
            .get("authorization")
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.strip_prefix("Bearer "))
            .ok_or(StatusCode::UNAUTHORIZED)?;
        decode::<Claims>(token, key(), &validation())
            .map(|data| data.claims)
            .map_err(|_| StatusCode::UNAUTHORIZED)
    }
}
