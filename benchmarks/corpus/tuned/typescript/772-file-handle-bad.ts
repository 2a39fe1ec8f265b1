import { open, FileHandle } from 'node:fs/promises';

export async function readHeader(file: string): Promise<{ magic: string; version: number } | null> {
  const handle: FileHandle = await open(file, 'r');
  const buffer = Buffer.alloc(8);
  const { bytesRead } = await handle.read(buffer, 0, 8, 0);
  if (bytesRead < 8) {
    return null;
  }
  const header = { magic: buffer.toString('ascii', 0, 4), version: buffer.readUInt32BE(4) };
  await handle.close();
  return header;
}
