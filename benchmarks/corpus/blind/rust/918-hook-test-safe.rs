use std::time::Duration;

use actix_web::{post, web, HttpResponse};
use reqwest::{redirect::Policy, Client, Url};
use serde::Deserialize;

#[derive(Deserialize)]
struct HookTest {
    url: String,
}

const PARTNERS: [&str; 2] = ["hooks.bakery.example", "hooks.florist.example"];

#[post("/hooks/test")]
async fn test_hook(form: web::Json<HookTest>) -> HttpResponse {
    let Ok(url) = Url::parse(&form.url) else {
        return HttpResponse::BadRequest().finish();
    };
    if url.scheme() != "https" || !PARTNERS.contains(&url.host_str().unwrap_or("")) {
        return HttpResponse::BadRequest().finish();
    }
    let built = Client::builder()
        .timeout(Duration::from_secs(5))
        .redirect(Policy::none())
        .build();
    let Ok(client) = built else {
        return HttpResponse::InternalServerError().finish();
    };
    match client.post(url).body("{\"ping\":true}").send().await {
        Ok(answer) => HttpResponse::Ok().body(answer.status().to_string()),
        Err(_) => HttpResponse::BadGateway().finish(),
    }
}
