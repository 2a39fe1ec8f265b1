use std::path::{Path, PathBuf};

use axum::{extract::Query, http::StatusCode, routing::get, Router};
use serde::Deserialize;

const CACHE: &str = "/var/cache/tiles";

#[derive(Deserialize)]
struct TileQuery {
    name: String,
}

fn tile_path(name: &str) -> Option<PathBuf> {
    let file = Path::new(name).file_name()?;
    Some(Path::new(CACHE).join(file))
}

async fn tile(Query(query): Query<TileQuery>) -> Result<Vec<u8>, StatusCode> {
    let path = tile_path(&query.name).ok_or(StatusCode::BAD_REQUEST)?;
    tokio::fs::read(&path)
        .await
        .map_err(|_| StatusCode::NOT_FOUND)
}

pub fn routes() -> Router {
    Router::new().route("/tile", get(tile))
}
