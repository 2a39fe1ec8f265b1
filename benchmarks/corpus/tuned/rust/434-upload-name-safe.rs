use actix_multipart::form::{tempfile::TempFile, MultipartForm};
use actix_web::{post, HttpResponse};
use uuid::Uuid;

#[derive(MultipartForm)]
struct Upload {
    picture: TempFile,
}

#[post("/picture")]
async fn picture(MultipartForm(form): MultipartForm<Upload>) -> HttpResponse {
    let original = form.picture.file_name.as_deref().unwrap_or("picture.png");
    let extension = original.rsplit('.').next().unwrap_or("png");
    if !["png", "jpg"].contains(&extension) {
        return HttpResponse::BadRequest().finish();
    }
    let target = format!("/srv/www/pictures/{}.{}", Uuid::new_v4(), extension);
    match form.picture.file.persist(&target) {
        Ok(_) => HttpResponse::Created().finish(),
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}
