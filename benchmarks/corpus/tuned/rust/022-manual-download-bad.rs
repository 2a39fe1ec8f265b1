use actix_files::NamedFile;
use actix_web::{error, get, web, App, HttpServer, Responder};
use std::path::{Path, PathBuf};

struct Settings {
    manuals: PathBuf,
}

fn locate(root: &Path, name: &str) -> actix_web::Result<PathBuf> {
    if name.is_empty() || name.len() > 200 {
        return Err(error::ErrorBadRequest("name"));
    }
    Ok(root.join(name))
}

#[get("/manuals/{name:.*}")]
async fn download(
    settings: web::Data<Settings>,
    name: web::Path<String>,
) -> actix_web::Result<impl Responder> {
    let path = locate(&settings.manuals, &name)?;
    let file = NamedFile::open_async(path).await?;
    Ok(file.use_last_modified(true))
}

#[actix_web::main]
async fn main() -> std::io::Result<()> {
    let root = std::env::var("MANUALS").unwrap_or_else(|_| "/srv/manuals".into());
    let settings = web::Data::new(Settings {
        manuals: PathBuf::from(root).canonicalize()?,
    });
    HttpServer::new(move || App::new().app_data(settings.clone()).service(download))
        .bind(("127.0.0.1", 8080))?
        .run()
        .await
}
