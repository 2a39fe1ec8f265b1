use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

pub fn claim(directory: &Path, user: &str) -> io::Result<bool> {
    let lock = directory.join("claim.lock");
    match OpenOptions::new().write(true).create_new(true).open(&lock) {
        Ok(mut file) => file.write_all(user.as_bytes()).map(|()| true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

pub fn release(directory: &Path) -> io::Result<()> {
    fs::remove_file(directory.join("claim.lock"))
}
