/**
 * Saves nothing, because there is no file system. `src/node/save-file.ts` takes its place in Node.
 */
export function saveFile(
  _path: string,
  _id: string,
  _content: () => Promise<Uint8Array>,
): Promise<string> {
  throw new TypeError(
    'save needs the file system of Node; use bytes() here, or bundle with the condition node',
  );
}
