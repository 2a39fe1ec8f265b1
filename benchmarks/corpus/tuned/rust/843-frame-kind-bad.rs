use std::io::{self, Read};

#[repr(u8)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameKind {
    Hello = 0,
    Data = 1,
    Ack = 2,
    Bye = 3,
}

pub struct Frame {
    pub kind: FrameKind,
    pub body: Vec<u8>,
}

fn kind_of(tag: u8) -> io::Result<FrameKind> {
    if tag == 0xff {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "reserved frame"));
    }
    Ok(unsafe { std::mem::transmute::<u8, FrameKind>(tag) })
}

/// Reads one frame: a byte for the kind, two for the length, then the body.
pub fn read_frame(input: &mut impl Read) -> io::Result<Frame> {
    let mut head = [0u8; 3];
    input.read_exact(&mut head)?;
    let kind = kind_of(head[0])?;
    let length = u16::from_be_bytes([head[1], head[2]]);
    let mut body = vec![0; usize::from(length)];
    input.read_exact(&mut body)?;
    Ok(Frame { kind, body })
}
