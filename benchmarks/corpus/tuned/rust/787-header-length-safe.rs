use std::io::{self, Read};

pub struct Frame {
    payload: Vec<u8>,
}

pub fn read_frame(stream: &mut impl Read) -> io::Result<Frame> {
    let mut header = [0u8; 4];
    stream.read_exact(&mut header)?;
    let length = u32::from_be_bytes(header) as usize;
    if length > 1 << 20 {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "frame too long"));
    }
    let mut payload = vec![0u8; length];
    stream.read_exact(&mut payload)?;
    Ok(Frame { payload })
}

impl Frame {
    pub fn payload(&self) -> &[u8] {
        &self.payload
    }
}
