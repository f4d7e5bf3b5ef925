import type { SourceFile } from './file-text.ts';

const pieceBytes = 65_536;

/** A file that was uploaded. Its pieces are small, so that other requests have their turn while it is read. */
export function uploadedFile(name: string, content: Buffer): SourceFile {
  return {
    name,
    size: async () => content.length,
    bytes: async function* () {
      for (let start = 0; start < content.length; start += pieceBytes) {
        yield content.subarray(start, start + pieceBytes);
        await new Promise(setImmediate);
      }
    },
  };
}
