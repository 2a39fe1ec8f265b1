use std::mem::MaybeUninit;
use std::ptr;

const CAPACITY: usize = 4096;

pub struct SampleBuffer {
    data: Box<[MaybeUninit<i16>; CAPACITY]>,
    len: usize,
}

impl SampleBuffer {
    pub fn new() -> Self {
        SampleBuffer {
            data: Box::new([MaybeUninit::uninit(); CAPACITY]),
            len: 0,
        }
    }

    pub fn append(&mut self, samples: &[i16]) -> usize {
        let count = samples.len();
        unsafe {
            let end = self.data.as_mut_ptr().add(self.len) as *mut i16;
            ptr::copy_nonoverlapping(samples.as_ptr(), end, count);
        }
        self.len += count;
        count
    }

    pub fn peak(&self) -> u16 {
        self.data[..self.len]
            .iter()
            .map(|s| unsafe { s.assume_init() }.unsigned_abs())
            .max()
            .unwrap_or(0)
    }

    pub fn clear(&mut self) {
        self.len = 0;
    }
}

impl Default for SampleBuffer {
    fn default() -> Self {
        Self::new()
    }
}
