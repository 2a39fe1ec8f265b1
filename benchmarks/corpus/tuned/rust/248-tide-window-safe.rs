use std::collections::HashMap;
use std::io::{self, BufRead, Write};

/// One request line of the harbour desk: `tide at=HH:MM draught=METRES`.
fn answer(line: &str) -> Result<String, String> {
    let mut words = line.split_whitespace();
    if words.next() != Some("tide") {
        return Err("unknown request".into());
    }
    let fields: HashMap<&str, &str> = words.filter_map(|w| w.split_once('=')).collect();
    let at = fields.get("at").ok_or("at is missing")?;
    let (hour, _) = at.split_once(':').ok_or("at is not a time")?;
    let hour: u32 = hour.parse().map_err(|_| "at is not a time")?;
    let draught = fields.get("draught").ok_or("draught is missing")?;
    let draught: f64 = draught.parse().map_err(|_| "draught is not a number")?;

    let depth = 4.0 + 2.5 * (f64::from(hour % 12) / 12.0 * std::f64::consts::TAU).cos();
    Ok(format!("depth {:.1} enough {}", depth, depth > draught + 0.5))
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        match answer(&line?) {
            Ok(text) => writeln!(out, "ok {text}")?,
            Err(problem) => writeln!(out, "error {problem}")?,
        }
    }
    Ok(())
}
