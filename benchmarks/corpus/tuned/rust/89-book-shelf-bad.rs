use axum::{
    extract::{Query, State},
    http::StatusCode,
    routing::get,
    Json, Router,
};
use serde::{Deserialize, Serialize};
use sqlx::{FromRow, PgPool};

#[derive(Deserialize)]
struct Shelf {
    author: String,
    limit: Option<i64>,
}

#[derive(Serialize, FromRow)]
struct Book {
    id: i64,
    title: String,
}

async fn books(
    State(pool): State<PgPool>,
    Query(shelf): Query<Shelf>,
) -> Result<Json<Vec<Book>>, StatusCode> {
    let limit = shelf.limit.unwrap_or(20).clamp(1, 100);
    let sql = format!(
        "SELECT id, title FROM books WHERE author = '{}' ORDER BY title LIMIT {}",
        shelf.author, limit
    );
    let found = sqlx::query_as::<_, Book>(&sql).fetch_all(&pool).await;
    found.map(Json).map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)
}

pub fn router(pool: PgPool) -> Router {
    Router::new().route("/books", get(books)).with_state(pool)
}
