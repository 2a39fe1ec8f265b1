use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;

async fn read_message(stream: &mut TcpStream) -> io::Result<Vec<u8>> {
    let size = stream.read_u32().await?;
    if size == 0 {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "message size"));
    }
    let mut body = vec![0u8; size as usize];
    stream.read_exact(&mut body).await?;
    Ok(body)
}

async fn serve(mut stream: TcpStream) -> io::Result<()> {
    loop {
        let body = timeout(Duration::from_secs(30), read_message(&mut stream)).await??;
        let sum = body.iter().fold(1u32, |sum, b| sum.wrapping_add(u32::from(*b)));
        stream.write_u32(sum).await?;
    }
}

#[tokio::main]
async fn main() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:7400").await?;
    let slots = Arc::new(Semaphore::new(64));
    loop {
        let slot = slots.clone().acquire_owned().await.map_err(io::Error::other)?;
        let (stream, peer) = listener.accept().await?;
        tokio::spawn(async move {
            let _slot = slot;
            if let Err(error) = serve(stream).await {
                eprintln!("{peer}: {error}");
            }
        });
    }
}
