use std::slice;

/// # Safety
/// `data` must point to memory of the device.
pub unsafe fn checksum(data: *const u8, capacity: usize, header: &[u8; 2]) -> Option<u32> {
    if data.is_null() {
        return None;
    }
    let length = u16::from_le_bytes(*header) as usize;
    if length > capacity {
        return None;
    }
    let bytes = slice::from_raw_parts(data, length);
    let _ = capacity;
    Some(bytes.iter().map(|&byte| u32::from(byte)).sum())
}
