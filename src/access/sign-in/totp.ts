import { Secret, TOTP } from 'otpauth';
import type { OrganizationId } from '../../kernel/ids.ts';
import { type MasterKey, unwrapKey, type WrappedKey, wrapKey } from '../../platform/storage/envelope.ts';
import type { MasterKeys } from '../../platform/storage/master-keys.ts';

/*
 * Codes of authenticator apps (RFC 6238): six digits of HMAC-SHA-1 over steps of 30 seconds, which every app understands.
 */

/** As long as the hash, as RFC 4226 recommends. */
const secretBytes = 20;
const stepSeconds = 30;
/** The step before and the one after are accepted: clocks of phones differ, and people need time to type. */
const stepsAround = 1;

type RandomBytes = (count: number) => Uint8Array;

/** A secret is valid for its member of staff only. */
const labelOf = (organization: OrganizationId, staffId: number): string =>
  `totp secret ${organization}/${staffId}`;

const codesOf = (secret: Uint8Array, issuer = '', account = ''): TOTP =>
  new TOTP({
    issuer,
    label: account,
    issuerInLabel: true,
    algorithm: 'SHA1',
    digits: 6,
    period: stepSeconds,
    // Its bytes alone: a Buffer may be part of a larger block of memory.
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
  });

interface NewTotpSecret {
  /** To type, in Base32. */
  readonly text: string;
  /** To show as a QR code. */
  readonly uri: string;
  /** For the database. */
  readonly sealed: WrappedKey;
}

/** Makes a secret: what the app of the person gets, and its sealed form. */
export async function makeTotpSecret(
  keys: MasterKeys,
  randomBytes: RandomBytes,
  organization: { readonly id: OrganizationId; readonly name: string },
  staff: { readonly staffId: number; readonly email: string },
): Promise<NewTotpSecret> {
  const [present] = await keys.load(randomBytes);
  const secret = randomBytes(secretBytes);
  // A colon parts issuer and account.
  const codes = codesOf(secret, organization.name.replaceAll(':', ' '), staff.email);
  return {
    text: codes.secret.base32,
    uri: codes.toString(),
    sealed: wrapKey(present, secret, labelOf(organization.id, staff.staffId), randomBytes),
  };
}

/**
 * The step that a code belongs to, of those around now; null if it is of none, or of the last accepted step or one before it: a code is accepted once. The library compares in
 * constant time.
 */
export function stepOfCode(
  masters: readonly MasterKey[],
  organization: OrganizationId,
  staffId: number,
  { sealed, lastStep }: { readonly sealed: WrappedKey; readonly lastStep: number },
  code: string,
  nowMs: number,
): number | null {
  // The library throws for six characters that are more than six bytes.
  if (!/^[0-9]{6}$/.test(code)) return null;
  const secret = unwrapKey(masters, sealed, labelOf(organization, staffId));
  const delta = codesOf(secret).validate({ token: code, timestamp: nowMs, window: stepsAround });
  secret.fill(0);
  if (delta === null) return null;
  const step = Math.floor(nowMs / 1_000 / stepSeconds) + delta;
  return step > lastStep ? step : null;
}

/** The same secret, sealed with the present master key. */
export function resealTotpSecret(
  masters: readonly [MasterKey, ...MasterKey[]],
  randomBytes: RandomBytes,
  organization: OrganizationId,
  staffId: number,
  sealed: WrappedKey,
): WrappedKey {
  const label = labelOf(organization, staffId);
  return wrapKey(masters[0], unwrapKey(masters, sealed, label), label, randomBytes);
}
