import { isIP } from 'node:net';
import { digestOf } from '../../kernel/api-keys.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { StaffCaller } from '../../platform/http/endpoint.ts';
import {
  type ChallengePurpose,
  deleteOldPasskeyChallenges,
  insertOpenChallenge,
  insertPasskeyChallenges,
  type PasskeyRow,
  takePasskeyChallenge,
} from './passkey-queries.ts';

/*
 * What registering and using a passkey have in common (WebAuthn Level 3): the place they are bound to, challenges, and the check
 * of an assertion. Whatever a caller sends is checked here or refused; nothing of it makes a fault.
 */

/** As long as a person needs to find a phone or a key. */
const challengeLifeMs = 300_000;
const deletedAtOnce = 20;

/** The page and the domain that passkeys are bound to. */
export interface PasskeyPlace {
  readonly origin: string;
  readonly rpId: string;
}

/** Where the request was sent. */
interface PasskeyAddresses {
  /** PUBLIC_URL, if it is set. */
  readonly publicUrl: string | undefined;
  /** The address of a page of this service. */
  readonly pageUrl?: ((path: string) => string) | undefined;
}

/**
 * The place of PUBLIC_URL; without one, localhost with the port of the page, which the frame has found to be ours. Browsers
 * allow passkeys by TLS or on localhost, and for names only: otherwise it fails with PASSKEYS_UNAVAILABLE.
 */
export function passkeyPlace(
  { publicUrl, pageUrl }: PasskeyAddresses,
  pageOrigin: string | null,
): PasskeyPlace {
  const url = new URL(publicUrl ?? pageOrigin ?? localOrigin(pageUrl));
  const rpId = url.hostname;
  const isLocal = rpId === 'localhost' || rpId.endsWith('.localhost');
  const isName = isIP(rpId.replace(/^\[|\]$/g, '')) === 0;
  if (!isName || (url.protocol !== 'https:' && !isLocal) || (publicUrl === undefined && !isLocal)) {
    throw failure(
      'PASSKEYS_UNAVAILABLE',
      'Passkeys need the https address of PUBLIC_URL, with a name, or http://localhost.',
    );
  }
  return { origin: url.origin, rpId };
}

function localOrigin(pageUrl: PasskeyAddresses['pageUrl']): string {
  const port = pageUrl === undefined ? '' : new URL(pageUrl('/')).port;
  return `http://localhost${port === '' ? '' : `:${port}`}`;
}

/** Who has to answer a challenge. */
type Member = Pick<StaffCaller, 'organizationId' | 'staffId'>;

/** Covers the member as well: what one was asked, no other can answer. */
export function challengeDigest(challenge: string, of: Member | null): Buffer {
  return digestOf(of === null ? challenge : `${of.organizationId}/${of.staffId} ${challenge}`);
}

interface MadeChallenge {
  readonly challenge: string;
  readonly expiresAt: string;
}

/** Makes a challenge of a member (register, prove), or of a sign-in (`of` null). Only its digest is stored. */
export async function makeChallenge(
  context: Context,
  purpose: ChallengePurpose,
  of: Member | null,
): Promise<MadeChallenge> {
  const challenge = Buffer.from(context.randomBytes(32)).toString('base64url');
  const nowMs = context.clock.now();
  const expiresAt = isoTimestamp(nowMs + challengeLifeMs);
  const digest = challengeDigest(challenge, of);
  await context.database.global(
    deleteOldPasskeyChallenges({ before: isoTimestamp(nowMs), limit: deletedAtOnce }),
  );
  if (of === null) await context.database.global(insertOpenChallenge({ digest, expiresAt }));
  else {
    const { staffId } = of;
    await context.database.write(
      of.organizationId,
      async (tx) => tx.queue(...insertPasskeyChallenges([{ digest, purpose, staffId, expiresAt }])),
      { countsAsChange: false },
    );
  }
  return { challenge, expiresAt };
}

/**
 * The challenge that client data answer, used up with this call; null if they answer none that is open, or come from within a
 * page of another site.
 */
export async function takeChallenge(
  { database, clock }: Context,
  purpose: ChallengePurpose,
  of: Member | null,
  clientDataJSON: string,
): Promise<string | null> {
  const sent = clientDataOf(clientDataJSON);
  if (typeof sent?.challenge !== 'string' || sent.crossOrigin === true) return null;
  const digest = challengeDigest(sent.challenge, of);
  const [taken] = await database.global(takePasskeyChallenge({ digest, purpose }));
  return taken !== undefined && taken.expires_at > clock.now() ? sent.challenge : null;
}

function clientDataOf(encoded: string): { challenge?: unknown; crossOrigin?: unknown } | null {
  try {
    const read: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
    return typeof read === 'object' && read !== null ? read : null;
  } catch {
    return null;
  }
}

/** What an authenticator answers to a challenge, in base64url. */
export interface Assertion {
  /** The id of the passkey. */
  readonly credential: string;
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
}

/**
 * The new counter of a passkey whose assertion is right: signed by it, for this challenge and place, by a person whom the
 * authenticator has verified, with a counter above the last one. Null if anything is not.
 */
export async function counterOfAssertion(
  place: PasskeyPlace,
  passkey: PasskeyRow,
  challenge: string,
  { credential: id, clientDataJSON, authenticatorData, signature }: Assertion,
): Promise<number | null> {
  // Half a second to load: by processes that need it only.
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: challenge,
      expectedOrigin: place.origin,
      expectedRPID: place.rpId,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id.toString('base64url'),
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.counter,
      },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    // The library throws for each thing that is wrong with it.
    return null;
  }
}

/** The handle by which a passkey names its account: sixteen bytes, organization and member. */
export function handleOf(organization: OrganizationId, staffId: number): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64BE(BigInt(organization), 0);
  bytes.writeBigUInt64BE(BigInt(staffId), 8);
  return Uint8Array.from(bytes);
}

/** The account that a handle claims to name; null if it is none. The signature has to prove it. */
export function readHandle(sent: string): { readonly organization: number; readonly staffId: number } | null {
  const bytes = Buffer.from(sent, 'base64url');
  if (bytes.length !== 16) return null;
  const organization = Number(bytes.readBigUInt64BE(0));
  const staffId = Number(bytes.readBigUInt64BE(8));
  return Number.isSafeInteger(organization) && Number.isSafeInteger(staffId) && organization > 0
    ? { organization, staffId }
    : null;
}

/** The refusal of a passkey in a session. */
export function passkeyRefused() {
  return failure(
    'PASSKEY_REFUSED',
    'The answer of the authenticator is not one to an open challenge of this page, or the passkey is not yours: try again.',
  );
}
