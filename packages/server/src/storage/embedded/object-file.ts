import type { FileHandle } from 'node:fs/promises';
import { z } from 'zod';

const schema = z.object({
  /** In hexadecimal; the ETag of the object. */
  md5: z.string(),
  /** Content type and what else was given with the object, by lower-case name. */
  headers: z.record(z.string(), z.string()),
});

/** What is stored with the bytes of an object. */
export type ObjectNotes = z.infer<typeof schema>;

/** An object's file: the bytes, then the notes, then the length of the notes and this mark. */
const mark = 'ADX1';
const endLength = 4 + mark.length;
/** Notes are read in one go where they are not longer. */
const usualLength = 4096;

/**
 * The end of an object's file. Bytes and notes are one file, so that they appear, are replaced and
 * vanish together.
 */
export function endOfObjectFile(notes: ObjectNotes): Buffer {
  const text = Buffer.from(JSON.stringify(notes));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([text, length, Buffer.from(mark)]);
}

/**
 * Reads the notes of an object from its file.
 *
 * @returns the notes, and the size of the object in bytes
 * @throws Error when the file is no object's
 */
export async function readObjectNotes(
  file: FileHandle,
): Promise<{ notes: ObjectNotes; size: number; modified: Date }> {
  const { size: fileSize, mtime: modified } = await file.stat();
  const start = Math.max(0, fileSize - usualLength);
  const end = await readFrom(file, start, fileSize - start);
  if (end.subarray(-mark.length).toString() !== mark) throw new Error('This is no object');
  const length = end.readUInt32BE(end.length - endLength);
  const size = fileSize - endLength - length;
  const text =
    size >= start
      ? end.subarray(size - start, end.length - endLength)
      : await readFrom(file, size, length);
  return { notes: schema.parse(JSON.parse(text.toString())), size, modified };
}

async function readFrom(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}
