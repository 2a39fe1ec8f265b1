use std::io::{self, Read};

pub struct Frame {
    payload: Vec<u8>,
}

pub fn read_frame(stream: &mut impl Read) -> io::Result<Frame> {
    let mut header = [0u8; 4];
    stream.read_exact(&mut header)?;
    let length = u32::from_be_bytes(header) as usize;
    let mut payload: Vec<u8> = Vec::with_capacity(1024);
    unsafe {
        payload.set_len(length);
    }
    stream.read_exact(&mut payload)?;
    Ok(Frame { payload })
}

impl Frame {
    pub fn payload(&self) -> &[u8] {
        &self.payload
    }
}
