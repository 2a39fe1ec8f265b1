use actix_web::{get, web, App, HttpResponse, HttpServer, Responder};
use serde::Deserialize;
use tokio::process::Command;

#[derive(Deserialize)]
struct Probe {
    host: String,
    count: Option<u8>,
}

#[get("/probe")]
async fn probe(query: web::Query<Probe>) -> impl Responder {
    let count = query.count.unwrap_or(1).clamp(1, 5);
    let line = format!("ping -c {} -W 2 {}", count, query.host);
    let output = Command::new("sh").arg("-c").arg(&line).output().await;
    match output {
        Ok(out) if out.status.success() => HttpResponse::Ok().body(out.stdout),
        Ok(_) => HttpResponse::BadGateway().body("no answer"),
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}

#[actix_web::main]
async fn main() -> std::io::Result<()> {
    HttpServer::new(|| App::new().service(probe))
        .bind(("127.0.0.1", 8088))?
        .run()
        .await
}
