pub struct Handle {
    raw: *mut Vec<u8>,
}

impl Handle {
    pub fn new(data: Vec<u8>) -> Self {
        Self { raw: Box::into_raw(Box::new(data)) }
    }

    pub fn close(&mut self) {
        if !self.raw.is_null() {
            // SAFETY: the pointer comes from Box::into_raw.
            unsafe { drop(Box::from_raw(self.raw)) };
            self.raw = std::ptr::null_mut();
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.close();
    }
}
