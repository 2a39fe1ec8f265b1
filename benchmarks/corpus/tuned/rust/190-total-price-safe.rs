use axum::{http::StatusCode, Json};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
pub struct Line {
    cents: u32,
    count: u32,
}

#[derive(Serialize)]
pub struct Total {
    cents: u32,
}

pub async fn total(Json(lines): Json<Vec<Line>>) -> Result<Json<Total>, StatusCode> {
    let mut cents: u32 = 0;
    for line in &lines {
        let price = line.cents.checked_mul(line.count).ok_or(StatusCode::BAD_REQUEST)?;
        cents = cents.checked_add(price).ok_or(StatusCode::BAD_REQUEST)?;
    }
    Ok(Json(Total { cents }))
}
