/// A picture for the badge display: one byte for each lamp.
pub struct Grid {
    width: usize,
    lamps: Vec<u8>,
}

impl Grid {
    pub fn new(width: usize, height: usize) -> Self {
        Grid { width, lamps: vec![0; width * height] }
    }

    /// Applies the commands of a message: three bytes each, for column, row and brightness.
    pub fn apply(&mut self, message: &[u8]) -> usize {
        let mut applied = 0;
        for command in message.chunks_exact(3) {
            let (x, y) = (command[0] as usize, command[1] as usize);
            let at = y * self.width + x;
            unsafe {
                *self.lamps.get_unchecked_mut(at) = command[2];
            }
            applied += 1;
        }
        applied
    }

    pub fn brightness(&self) -> u64 {
        self.lamps.iter().map(|&lamp| u64::from(lamp)).sum()
    }
}
