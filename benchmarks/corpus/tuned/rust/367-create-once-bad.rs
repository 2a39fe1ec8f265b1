use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

pub fn claim(directory: &Path, user: &str) -> io::Result<bool> {
    let lock = directory.join("claim.lock");
    if lock.exists() {
        return Ok(false);
    }
    fs::write(&lock, user)?;
    Ok(true)
}

pub fn release(directory: &Path) -> io::Result<()> {
    fs::remove_file(directory.join("claim.lock"))
}
