import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

/* Signatures of edition files: Ed25519 over the exact bytes, in a separate file. */

/** The id of a key: the first half of the digest of the public key, in hex. */
export function keyIdOf(publicKey: Uint8Array): string {
  return createHash('sha256').update(publicKey).digest('hex').slice(0, 16);
}

/** A new key pair: the private key as PEM for a file, the public key as its bytes. */
export function makeSigningKey(): { readonly privateKeyPem: string; readonly publicKey: Uint8Array } {
  const { privateKey } = generateKeyPairSync('ed25519');
  const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { privateKeyPem, publicKey: rawPublicKey(privateKey) };
}

/**
 * The text of a signature file: algorithm, id of the key, signature in Base64. Throws when the PEM contains no such
 * key.
 */
export function signEdition(bytes: Uint8Array, privateKeyPem: string): string {
  const key = createPrivateKey(privateKeyPem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('the key must be an Ed25519 key');
  return `ed25519 ${keyIdOf(rawPublicKey(key))} ${sign(null, bytes, key).toString('base64')}\n`;
}

/**
 * The id of the trusted key that signed these bytes. Null: the text is not a signature file, its key is not trusted,
 * or the bytes differ from the signed ones.
 */
export function findSigner(
  bytes: Uint8Array,
  signatureText: string,
  trustedKeys: readonly Uint8Array[],
): string | null {
  const match = /^ed25519 ([0-9a-f]{16}) ([A-Za-z0-9+/]{86}==)\s*$/.exec(signatureText);
  if (match === null) return null;
  const [, keyId, signature] = match;
  const trusted = trustedKeys.find((key) => keyIdOf(key) === keyId);
  if (trusted === undefined) return null;
  const key = createPublicKey({
    format: 'jwk',
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(trusted).toString('base64url') },
  });
  return verify(null, bytes, key, Buffer.from(signature!, 'base64')) ? keyId! : null;
}

function rawPublicKey(privateKey: KeyObject): Uint8Array {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  return Buffer.from(x!, 'base64url');
}
