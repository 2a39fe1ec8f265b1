use pbkdf2::pbkdf2_hmac;
use sha2::Sha256;
use rand::{rngs::OsRng, RngCore};

pub fn derive(password: &str) -> ([u8; 32], Vec<u8>) {
    let mut salt = vec![0u8; 16];
    OsRng.fill_bytes(&mut salt);
    let mut key = [0u8; 32];
    pbkdf2_hmac::<Sha256>(password.as_bytes(), &salt, 600_000, &mut key);
    (key, salt)
}
