use actix_web::{get, web, HttpResponse};
use serde::Deserialize;

#[derive(Deserialize)]
struct Visitor {
    name: Option<String>,
    floor: Option<u8>,
}

#[get("/welcome")]
async fn welcome(visitor: web::Query<Visitor>) -> HttpResponse {
    let name = visitor.name.as_deref().unwrap_or("visitor");
    let floor = visitor.floor.unwrap_or(0);
    let page = format!(
        "<!doctype html><h1>Welcome, {}!</h1><p>Please take the lift to floor {}.</p>",
        name, floor
    );
    HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .body(page)
}
