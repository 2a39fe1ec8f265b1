use aes_gcm::aead::{Aead, KeyInit, OsRng};
use aes_gcm::{AeadCore, Aes256Gcm};

pub fn seal(key: &[u8; 32], message: &[u8]) -> Result<Vec<u8>, &'static str> {
    if message.is_empty() {
        return Err("nothing to seal");
    }
    let cipher = Aes256Gcm::new_from_slice(key).map_err(|_| "key")?;
    let nonce = Aes256Gcm::generate_nonce(&mut OsRng);
    let sealed = cipher.encrypt(&nonce, message).map_err(|_| "seal")?;
    Ok([nonce.as_slice(), &sealed].concat())
}
