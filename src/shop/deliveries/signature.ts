import { failure } from '../../kernel/failure.ts';

const bytesMax = 20_000;
const pngBegins = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The picture of a signature. Fails with INVALID_PARAMS unless it is base64 of a small PNG. */
export function readSignature(sent: string): Uint8Array {
  const bytes = Buffer.from(sent, 'base64');
  const isPng = bytes.subarray(0, pngBegins.length).equals(pngBegins);
  if (isPng && bytes.length <= bytesMax && bytes.toString('base64') === sent.trim()) return bytes;
  throw failure('INVALID_PARAMS', `signature must be a PNG of at most ${bytesMax} bytes, in base64.`);
}
