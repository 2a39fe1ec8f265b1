use std::collections::HashMap;

/// Keeps the names of the open channels, each under a small number.
#[derive(Default)]
pub struct NamePool {
    slots: HashMap<u32, *mut String>,
    next: u32,
}

impl NamePool {
    pub fn add(&mut self, name: &str) -> u32 {
        let id = self.next;
        self.next += 1;
        self.slots.insert(id, Box::into_raw(Box::new(name.to_owned())));
        id
    }

    /// Takes a name out of the pool and tells how long it was.
    pub fn remove(&mut self, id: u32) -> Option<usize> {
        let raw = self.slots.remove(&id)?;
        unsafe {
            drop(Box::from_raw(raw));
            Some((&*raw).len())
        }
    }
}

impl Drop for NamePool {
    fn drop(&mut self) {
        for (_, raw) in self.slots.drain() {
            drop(unsafe { Box::from_raw(raw) });
        }
    }
}
