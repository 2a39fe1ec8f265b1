use std::io::{self, Write};

pub enum Kind {
    Data = 1,
    Error = 2,
}

pub struct FrameWriter<W: Write> {
    out: W,
    sequence: u64,
}

impl<W: Write> FrameWriter<W> {
    pub fn new(out: W) -> Self {
        FrameWriter { out, sequence: 0 }
    }

    pub fn data(&mut self, payload: &[u8]) -> io::Result<()> {
        self.frame(Kind::Data, payload)
    }

    pub fn error(&mut self, message: &str) -> io::Result<()> {
        self.frame(Kind::Error, message.as_bytes())
    }

    fn frame(&mut self, kind: Kind, payload: &[u8]) -> io::Result<()> {
        let length = u16::try_from(payload.len())
            .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "payload too long"))?;
        self.out.write_all(&[kind as u8])?;
        self.out.write_all(&self.sequence.to_be_bytes())?;
        self.out.write_all(&length.to_be_bytes())?;
        self.out.write_all(payload)?;
        self.out.flush()?;
        self.sequence += 1;
        Ok(())
    }
}
