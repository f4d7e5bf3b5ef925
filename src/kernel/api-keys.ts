import { createHash } from 'node:crypto';

/**
 * The text of keys (D6): `dcc_live_…` for an integrator's company (consumer keys), `dck_live_…` for one organization's
 * key for one integrator (client keys), `dcp_live_…` for a client key of web pages (publishable keys), `dcs_live_…` for staff sessions, `dci_live_…` for staff invitations,
 * `dcr_live_…` for password resets, `dcv_live_…` for staff devices,
 * `dch_live_…` for the time between password and second factor, `dco_live_…` for sign-ins at an identity provider, `dcu_live_…` for sessions of customers; `_test_` on staging. 32 base62 characters hold 190 random bits; 6 more are a
 * checksum, so that a scanner can tell a leaked key from similar text.
 */
export type KeyKind = 'dcc' | 'dck' | 'dcp' | 'dcs' | 'dci' | 'dcr' | 'dcv' | 'dch' | 'dco' | 'dcu';
export type Environment = 'production' | 'staging';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 32;
const checksumLength = 6;

const stageOf: Readonly<Record<Environment, string>> = { production: 'live', staging: 'test' };

/** Makes a new key; it is shown once and never stored. */
export function makeKey(
  kind: KeyKind,
  environment: Environment,
  randomBytes: (count: number) => Uint8Array,
): string {
  let random = '';
  while (random.length < randomLength) {
    // Bytes of 248 and above are dropped: 248 is the largest multiple of 62, so the rest would bias the result.
    for (const byte of randomBytes(48)) {
      if (byte < 248 && random.length < randomLength) random += alphabet[byte % 62];
    }
  }
  const body = `${kind}_${stageOf[environment]}_${random}`;
  return body + checksum(body);
}

/** Whether the text has the form of a key of this kind, of either environment. */
export function isKeyText(text: string, kind: KeyKind): boolean {
  return isWellFormedKey(text, kind, 'production') || isWellFormedKey(text, kind, 'staging');
}

/** Whether the text has the form of such a key of this environment, checksum included. Compares no secret. */
export function isWellFormedKey(text: string, kind: KeyKind, environment: Environment): boolean {
  const prefix = `${kind}_${stageOf[environment]}_`;
  if (!text.startsWith(prefix) || text.length !== prefix.length + randomLength + checksumLength) return false;
  const body = text.slice(0, -checksumLength);
  return /^[0-9A-Za-z]+$/.test(body.slice(prefix.length)) && checksum(body) === text.slice(-checksumLength);
}

/** The digest that is stored instead of the key (D6). Keys are long and random, so a plain digest is enough. */
export function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** The start of a key, enough to tell keys apart. */
export function displayPrefixOf(key: string): string {
  return key.slice(0, 13);
}

/** The environment of a key, by its start. */
export function environmentOfKey(key: string): Environment {
  return key.slice(4).startsWith(stageOf.staging) ? 'staging' : 'production';
}

function checksum(body: string): string {
  let value = createHash('sha256').update(`checksum:${body}`).digest().readUIntBE(0, 6);
  let text = '';
  for (let i = 0; i < checksumLength; i++) {
    text += alphabet[value % 62];
    value = Math.floor(value / 62);
  }
  return text;
}
