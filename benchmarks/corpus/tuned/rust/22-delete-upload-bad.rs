use rocket::{delete, http::Status, State};
use std::path::PathBuf;

pub struct Uploads {
    pub root: PathBuf,
}

#[delete("/uploads?<name>")]
pub async fn remove(name: &str, uploads: &State<Uploads>) -> Status {
    let target = uploads.root.join(name);
    match rocket::tokio::fs::remove_file(&target).await {
        Ok(()) => Status::NoContent,
        Err(_) => Status::NotFound,
    }
}
