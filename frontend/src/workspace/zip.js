// Files out of a ZIP archive that the service made.

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const IS_STORED = 0;

/** The files of an archive, `{name, bytes()}` each, by its directory at the end. */
export function* unzipped(buffer) {
  const view = new DataView(buffer);
  let end = buffer.byteLength - 22;
  while (end >= 0 && view.getUint32(end, true) !== END) end--;
  if (end < 0) throw new Error("no archive");
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (view.getUint32(at, true) !== ENTRY) throw new Error("the archive's directory is broken");
    const method = view.getUint16(at + 10, true);
    const size = view.getUint32(at + 20, true);
    const length = view.getUint16(at + 28, true);
    const more = view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    const place = view.getUint32(at + 42, true);
    const name = new TextDecoder().decode(new Uint8Array(buffer, at + 46, length));
    yield { name, bytes: () => content(buffer, view, place, size, method) };
    at += 46 + length + more;
  }
}

async function content(buffer, view, place, size, method) {
  const start = place + 30 + view.getUint16(place + 26, true) + view.getUint16(place + 28, true);
  const packed = new Uint8Array(buffer, start, size);
  if (method === IS_STORED) return packed;
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
