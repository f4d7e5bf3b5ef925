import { createHash, timingSafeEqual } from 'node:crypto';
import { digestOf, type Environment, isWellFormedKey, makeKey } from '../../kernel/api-keys.ts';
import { type Failure, failure } from '../../kernel/failure.ts';
import { type OrganizationId, organizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import type { MasterKeys } from '../../platform/storage/master-keys.ts';
import type { StaffAccountRow } from '../sessions/session-queries.ts';
import { deviceCookie, findStaffAccount, readDevice } from '../sessions/sessions.ts';
import { emailDigest, findStaffByEmail, normalizedEmail } from '../staff/staff.ts';
import { refuseForSecondFactor } from './half-sign-in.ts';
import { type IdentityProvider, openProvider } from './identity-provider.ts';
import type {
  IdentityProviders,
  ProvenIdentity,
  ProviderClient,
  SignInBinding,
} from './identity-provider-client.ts';
import {
  deleteOldIdentitySignIns,
  findIdentitySignIn,
  findStaffIdentity,
  insertIdentitySignIns,
  insertStaffIdentity,
  type ProviderFactor,
  takeIdentitySignIn,
} from './identity-provider-queries.ts';
import { knownDevice, type Signed, type SignInRequester, startSessionOf } from './open-session.ts';

/*
 * Signing in by the identity provider of an organization. A browser begins it and gets a token as a cookie; state, nonce and PKCE
 * verifier are derived from the token, so the database has its digest only, and no other browser can finish.
 */

export const identityCookie = 'dispensary_identity';
export const identitySignInMs = 600_000;
const deletedAtOnce = 20;

/** Where the provider sends the browser back to. */
export const redirectPath = '/console/company-sign-in';

/** What signing in by a provider needs. */
export interface IdentityAccess {
  readonly environment: Environment;
  readonly providers: IdentityProviders;
  readonly keys: () => MasterKeys;
  /** The address that the provider sends the browser back to. */
  readonly redirectUrl: string;
}

/** Begins a sign-in. `isFresh`: the person has to prove who they are again at the provider. */
export async function beginIdentitySignIn(
  context: Context,
  { environment, providers, keys, redirectUrl }: IdentityAccess,
  {
    organizationId: id,
    isFresh = false,
  }: { readonly organizationId: number; readonly isFresh?: boolean | undefined },
  { countAttempt }: SignInRequester,
): Promise<{ readonly token: string; readonly url: string; readonly expiresAt: string }> {
  await countAttempt({ kind: 'address', name: '' });
  const organization = organizationId(id);
  const provider = await openProvider(context, keys(), organization);
  const token = makeKey('dco', environment, context.randomBytes);
  const url = await providers.signInUrl(provider, bindingOf(token, provider, redirectUrl), isFresh);
  const nowMs = context.clock.now();
  const expiresAt = isoTimestamp(nowMs + identitySignInMs);
  await context.database.write(
    organization,
    async (tx) =>
      tx.queue(
        deleteOldIdentitySignIns({ before: isoTimestamp(nowMs), limit: deletedAtOnce }),
        ...insertIdentitySignIns([{ digest: digestOf(token), expiresAt }]),
      ),
    { countsAsChange: false },
  );
  return { token, url, expiresAt };
}

/** As the provider sends it by the browser. */
interface IdentityAnswer {
  readonly state: string;
  readonly code?: string | undefined;
  readonly iss?: string | undefined;
  readonly error?: string | undefined;
}

/** Why a sign-in is refused. */
type Reason =
  | 'other-browser'
  | 'denied'
  | 'answer'
  | 'email-not-verified'
  | 'email-domain'
  | 'no-account'
  | 'other-identity';

/** A refusal; its member, if there is one, is for the audit log only. */
class NoMember extends Error {
  readonly reason: Reason;
  readonly staffId: number | undefined;

  constructor(reason: Reason, staffId?: number) {
    super(reason);
    this.reason = reason;
    this.staffId = staffId;
  }
}

/**
 * Finishes a sign-in. The account of the provider signs in the member whom it is linked to; the first time that is the member of
 * this organization with its verified email. No person is created. Fails with IDENTITY_REFUSED, in the audit log of the
 * organization; with SECOND_FACTOR_REQUIRED where the member has a factor and the provider's sign-in is not one.
 */
export async function signInWithIdentity(
  context: Context,
  access: IdentityAccess,
  answer: IdentityAnswer,
  requester: SignInRequester,
): Promise<Signed> {
  const attempt = await requester.countAttempt({ kind: 'address', name: '' });
  const token = requester.cookie(identityCookie);
  const organization = await takenSignIn(context, access, token);
  if (organization === null) throw refused('other-browser');
  try {
    const provider = await openProvider(context, access.keys(), organization);
    const identity = await identityOf(access, provider, token!, answer);
    const { row, isLinked } = await memberOf(context, organization, provider, identity);
    const signed = await openedSession(context, access, organization, row, requester, {
      ...{ provider, identity, isLinked },
    });
    attempt.giveBack();
    return signed;
  } catch (error) {
    // Who is asked for a second factor has signed in at the provider.
    if ((error as Partial<Failure>).code === 'SECOND_FACTOR_REQUIRED') attempt.giveBack();
    if (!(error instanceof NoMember)) throw error;
    await auditRefusal(context, organization, requester, error);
    throw refused(error.reason);
  }
}

/** The organization that the browser has begun to sign in to; null if it has not, lately. Each begin counts once. */
async function takenSignIn(
  { database, clock }: Context,
  { environment }: IdentityAccess,
  token: string | undefined,
): Promise<OrganizationId | null> {
  if (token === undefined || !isWellFormedKey(token, 'dco', environment)) return null;
  const digest = digestOf(token);
  const [found] = await database.global(findIdentitySignIn({ digest }));
  if (found === undefined || !timingSafeEqual(found.digest, digest)) return null;
  const organization = organizationId(found.organization_id);
  const [taken] = await database.write(organization, (tx) => tx.run(takeIdentitySignIn({ digest })), {
    countsAsChange: false,
  });
  return taken.length > 0 && found.expires_at > clock.now() ? organization : null;
}

async function identityOf(
  { providers, redirectUrl }: IdentityAccess,
  provider: Provider,
  token: string,
  { state, code, iss, error }: IdentityAnswer,
): Promise<ProvenIdentity> {
  const binding = bindingOf(token, provider, redirectUrl);
  if (state !== binding.state) throw new NoMember('answer');
  if (error !== undefined || code === undefined) throw new NoMember('denied');
  const parameters = new URLSearchParams({ code, state, ...(iss !== undefined && { iss }) });
  const identity = await providers.identityOf(provider, binding, parameters);
  if (identity === null) throw new NoMember('answer');
  return identity;
}

/**
 * The active member of this organization whom the identity is of. The email counts the first time only; the domain of the
 * member's own email is checked each time, because the owner may have removed it since.
 */
async function memberOf(
  { database }: Context,
  organization: OrganizationId,
  { emailDomains }: Provider,
  { issuer, subject, verifiedEmail }: ProvenIdentity,
): Promise<{ readonly row: StaffAccountRow; readonly isLinked: boolean }> {
  const [[linked]] = await database.read(organization, findStaffIdentity({ issuer, subject }));
  let id = linked?.staff_id;
  if (id === undefined) {
    if (verifiedEmail === null) throw new NoMember('email-not-verified');
    const emailNormalized = normalizedEmail(verifiedEmail);
    requireDomain(emailDomains, emailNormalized);
    const [[member]] = await database.read(organization, findStaffByEmail({ emailNormalized }));
    id = member?.id;
  }
  if (id === undefined) throw new NoMember('no-account');
  const [[row]] = await database.read(organization, findStaffAccount({ id }));
  if (row === undefined || row.disabled_at !== null) throw new NoMember('no-account', id);
  requireDomain(emailDomains, normalizedEmail(row.email), id);
  return { row, isLinked: linked !== undefined };
}

function requireDomain(domains: readonly string[], email: string, staffId?: number): void {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (!domains.includes(domain)) throw new NoMember('email-domain', staffId);
}

interface Proven {
  readonly provider: Provider;
  readonly identity: ProvenIdentity;
  readonly isLinked: boolean;
}

/** The session of the member, or the second step. It is as recent a proof as the one at the provider. */
async function openedSession(
  context: Context,
  { environment }: IdentityAccess,
  organization: OrganizationId,
  row: StaffAccountRow,
  requester: SignInRequester,
  { provider, identity, isLinked }: Proven,
): Promise<Signed> {
  const nowMs = context.clock.now();
  const hasProviderFactor = countsAsFactor(provider.secondFactor, identity.methods);
  const link = async (tx: TenantTransaction): Promise<void> => {
    if (isLinked) return;
    const { issuer, subject } = identity;
    const [made] = await tx.run(
      insertStaffIdentity({ issuer, subject, staffId: row.id, at: isoTimestamp(nowMs) }),
    );
    if (made.length === 0) throw new NoMember('other-identity', row.id);
    const origin = { actor: `staff:${row.id}`, requestId: requester.requestId } as const;
    await announce(tx, context, origin, nowMs, {
      ...{ event: 'staff.identity_linked', subjectType: 'staff', subjectId: row.id },
      payload: { staffId: row.id },
      details: { issuer },
    });
  };
  if ((row.has_app || row.has_passkey) && !hasProviderFactor) {
    await context.database.write(organization, link, { countsAsChange: false });
    return refuseForSecondFactor(context, environment, organization, row, requester);
  }
  const email = emailDigest(normalizedEmail(row.email));
  const device = await knownDevice(context, readDevice(requester.cookie(deviceCookie), environment), email);
  return startSessionOf(context, environment, organization, row, requester, {
    device: device === null ? 'new' : 'known',
    first: link,
    proof: { atMs: nowMs - identity.ageMs, hasProviderFactor },
  });
}

type Provider = IdentityProvider & ProviderClient;

/** Ways that are, or include, something beyond a password (RFC 8176). */
const furtherMethods: ReadonlySet<string> = new Set([
  'mfa',
  'otp',
  'hwk',
  'swk',
  'sc',
  'fpt',
  'face',
  'iris',
]);

function countsAsFactor(secondFactor: ProviderFactor, methods: readonly string[]): boolean {
  return (
    secondFactor === 'always' ||
    (secondFactor === 'when-told' && methods.some((it) => furtherMethods.has(it)))
  );
}

/** What only the browser with this token knows, for this provider only. */
function bindingOf(token: string, { issuer, client }: Provider, redirectUrl: string): SignInBinding {
  const derived = (name: string) =>
    createHash('sha256')
      .update(JSON.stringify([name, issuer, client, token]))
      .digest('base64url');
  return { redirectUrl, state: derived('state'), nonce: derived('nonce'), codeVerifier: derived('verifier') };
}

/** With the network address, without the email: it may be of a person who is none of the organization's. */
async function auditRefusal(
  context: Context,
  organization: OrganizationId,
  { log, requestId, clientAddress }: SignInRequester,
  { reason, staffId }: NoMember,
): Promise<void> {
  log.warn({ from: clientAddress, reason, ...(staffId !== undefined && { staffId }) }, 'sign-in failed');
  const nowMs = context.clock.now();
  await context.database.write(
    organization,
    (tx) =>
      announce(tx, context, { actor: 'visitor:not-signed-in', requestId }, nowMs, {
        event: 'staff.identity_sign_in_failed',
        ...(staffId === undefined
          ? { subjectType: 'organization', subjectId: organization }
          : { subjectType: 'staff', subjectId: staffId }),
        payload: {},
        details: { reason, networkAddress: clientAddress, ...(staffId !== undefined && { staffId }) },
      }),
    { countsAsChange: false },
  );
}

const words: Readonly<Record<Reason, string>> = {
  'other-browser': 'The sign-in was not begun in this browser within the last ten minutes.',
  denied: 'The identity provider has refused the sign-in.',
  answer: 'The answer of the identity provider is not one to this sign-in.',
  'email-not-verified': 'The identity provider does not vouch for an email address.',
  'email-domain': 'The email address is not of a domain that the organization allows.',
  'no-account': 'There is no active member of staff with this account in the organization.',
  'other-identity':
    'The member of staff is linked to another account of the identity provider: an owner can end that link.',
};

function refused(reason: Reason) {
  return failure('IDENTITY_REFUSED', words[reason], { reason });
}
