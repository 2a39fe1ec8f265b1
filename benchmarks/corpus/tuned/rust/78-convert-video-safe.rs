use axum::{extract::Multipart, http::StatusCode};
use tokio::process::Command;

pub async fn convert(mut form: Multipart) -> Result<String, StatusCode> {
    let mut quality = String::from("23");
    while let Some(field) = form.next_field().await.map_err(|_| StatusCode::BAD_REQUEST)? {
        if field.name() == Some("quality") {
            quality = field.text().await.map_err(|_| StatusCode::BAD_REQUEST)?;
        }
    }
    let level: u8 = quality.parse().map_err(|_| StatusCode::BAD_REQUEST)?;
    let status = Command::new("ffmpeg")
        .args(["-i", "/srv/in.mp4", "-crf", &level.to_string(), "/srv/out.mp4"])
        .status()
        .await;
    match status {
        Ok(status) if status.success() => Ok("done".into()),
        _ => Err(StatusCode::INTERNAL_SERVER_ERROR),
    }
}
