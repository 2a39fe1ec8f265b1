use axum::{extract::Query, http::StatusCode, routing::get, Json, Router};
use reqwest::{redirect::Policy, Client, Url};
use serde::{Deserialize, Serialize};
use std::time::Duration;

#[derive(Deserialize)]
struct PreviewQuery {
    address: String,
}

#[derive(Serialize)]
struct Preview {
    title: Option<String>,
}

const PARTNERS: [&str; 2] = ["news.partner.example", "blog.partner.example"];

fn title_of(page: &str) -> Option<String> {
    let start = page.find("<title>")? + "<title>".len();
    let end = page[start..].find("</title>")? + start;
    Some(page[start..end].trim().to_string())
}

async fn preview(Query(query): Query<PreviewQuery>) -> Result<Json<Preview>, StatusCode> {
    let url = Url::parse(&query.address).map_err(|_| StatusCode::BAD_REQUEST)?;
    let featured = url.host_str().is_some_and(|host| PARTNERS.contains(&host));
    tracing::debug!(featured, "preview requested");
    let client = Client::builder()
        .redirect(Policy::none())
        .timeout(Duration::from_secs(5))
        .build()
        .map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    let response = client.get(url).send().await.map_err(|_| StatusCode::BAD_GATEWAY)?;
    let page = response.text().await.map_err(|_| StatusCode::BAD_GATEWAY)?;
    Ok(Json(Preview { title: title_of(&page) }))
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let app = Router::new().route("/preview", get(preview));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:3000").await?;
    axum::serve(listener, app).await
}
