import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);

/** How an authenticator may misbehave. */
export interface Oddity {
  readonly counter?: number;
  /** The person was not verified. */
  readonly unverified?: boolean;
  readonly type?: string;
  readonly crossOrigin?: boolean;
}

/** An authenticator in software: one discoverable ES256 passkey (WebAuthn Level 3), without attestation. */
export class SoftPasskey {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #id = randomBytes(20);
  #counter = 0;
  userHandle = '';

  get id(): string {
    return this.#id.toString('base64url');
  }

  /** {1: EC2, 3: ES256, -1: P-256, -2: x, -3: y} in CBOR. */
  get coseKey(): Buffer {
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' });
    return Buffer.concat([
      ...[Buffer.from('a5010203262001215820', 'hex'), Buffer.from(x!, 'base64url')],
      ...[Buffer.from('225820', 'hex'), Buffer.from(y!, 'base64url')],
    ]);
  }

  /** The answer to a challenge of registration. */
  register(
    { challenge, rpId, userHandle }: { challenge: string; rpId: string; userHandle: string },
    origin: string,
    oddity: Oddity = {},
  ) {
    this.userHandle = userHandle;
    const length = Buffer.from([0, this.#id.length]);
    const data = Buffer.concat([
      ...[this.#authenticatorData(rpId, 0x40, oddity), Buffer.alloc(16), length, this.#id, this.coseKey],
    ]);
    const attestationObject = Buffer.concat([
      ...[Buffer.from([0xa3]), text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0])],
      ...[text('authData'), Buffer.from([0x58, data.length]), data],
    ]);
    return {
      credential: this.id,
      clientDataJSON: clientData('webauthn.create', challenge, origin, oddity).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    };
  }

  /** The answer to a challenge of signing in or of a proof. */
  assert({ challenge, rpId }: { challenge: string; rpId: string }, origin: string, oddity: Oddity = {}) {
    this.#counter = oddity.counter ?? this.#counter + 1;
    const client = clientData('webauthn.get', challenge, origin, oddity);
    const data = this.#authenticatorData(rpId, 0, oddity);
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), this.#keys.privateKey);
    return {
      credential: this.id,
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
    };
  }

  #authenticatorData(rpId: string, flags: number, { unverified }: Oddity): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    // The person was present, and verified.
    return Buffer.concat([sha256(rpId), Buffer.from([flags | (unverified ? 0x01 : 0x05)]), counter]);
  }
}

function clientData(type: string, challenge: string, origin: string, oddity: Oddity): Buffer {
  const { crossOrigin = false } = oddity;
  return Buffer.from(JSON.stringify({ type: oddity.type ?? type, challenge, origin, crossOrigin }));
}
