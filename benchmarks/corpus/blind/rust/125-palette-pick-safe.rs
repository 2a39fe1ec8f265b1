use std::env;

pub struct Palette {
    colours: Vec<u32>,
}

impl Palette {
    pub fn new() -> Self {
        Palette {
            colours: vec![0x1b1f3b, 0x53a2be, 0xd8e2dc, 0xf4b942],
        }
    }

    pub fn pick(&self, index: usize) -> u32 {
        if index >= self.colours.len() {
            return self.colours[0];
        }
        unsafe { *self.colours.get_unchecked(index) }
    }
}

fn main() {
    let palette = Palette::new();
    for argument in env::args().skip(1) {
        match argument.parse::<usize>() {
            Ok(index) => println!("#{:06x}", palette.pick(index)),
            Err(_) => eprintln!("not a number: {argument}"),
        }
    }
}
