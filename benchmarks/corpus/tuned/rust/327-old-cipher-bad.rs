use aes_gcm::aead::{Aead, KeyInit, OsRng};
use aes_gcm::{AeadCore, Aes256Gcm};
use des::cipher::{BlockEncryptMut, KeyInit as DesInit};
use ecb::Encryptor;

pub fn seal(key: &[u8; 32], message: &[u8]) -> Result<Vec<u8>, &'static str> {
    if message.is_empty() {
        return Err("nothing to seal");
    }
    let cipher = Encryptor::<des::TdesEde3>::new_from_slice(&key[..24]).map_err(|_| "key")?;
    Ok(cipher.encrypt_padded_vec_mut::<ecb::cipher::block_padding::Pkcs7>(message))
}
