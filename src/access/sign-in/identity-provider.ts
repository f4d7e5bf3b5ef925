import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import { type MasterKey, unwrapKey, type WrappedKey, wrapKey } from '../../platform/storage/envelope.ts';
import type { MasterKeys } from '../../platform/storage/master-keys.ts';
import { selectStaffMember } from '../staff/staff.ts';
import type { ProviderClient } from './identity-provider-client.ts';
import {
  deleteIdentityProvider,
  deleteStaffIdentities,
  type IdentityProviderRow,
  lockIdentityProvider,
  type ProviderFactor,
  selectIdentityProvider,
  setSealedProviderSecret,
  upsertIdentityProvider,
} from './identity-provider-queries.ts';

/* The identity provider of an organization (D72): one, which its owners set up. */

export interface IdentityProvider {
  readonly issuer: string;
  readonly client: string;
  /** Lower case. */
  readonly emailDomains: readonly string[];
  readonly secondFactor: ProviderFactor;
}

/** The secret is valid for its organization only. */
const labelOf = (organization: OrganizationId): string => `identity provider secret ${organization}`;

/** The provider as its owners see it: without the secret. */
export function shownProvider(row: IdentityProviderRow): IdentityProvider {
  return {
    issuer: row.issuer,
    client: row.client_id,
    emailDomains: row.email_domains,
    secondFactor: row.second_factor,
  };
}

/** The provider with its secret, to ask it. Fails with IDENTITY_PROVIDER_NOT_FOUND. */
export async function openProvider(
  { database, randomBytes }: Pick<Context, 'database' | 'randomBytes'>,
  keys: MasterKeys,
  organization: OrganizationId,
): Promise<IdentityProvider & ProviderClient> {
  const [[row]] = await database.read(organization, selectIdentityProvider({}));
  if (row === undefined) {
    throw failure('IDENTITY_PROVIDER_NOT_FOUND', 'The organization has no identity provider.');
  }
  const secret = unwrapKey(await keys.load(randomBytes), sealedOf(row), labelOf(organization));
  return { ...shownProvider(row), clientSecret: secret.toString('utf8') };
}

/**
 * Sets the provider. Without a secret the present one stays, for the same issuer and client only: else it would be sent to
 * another host. The audit says that it changed, never what it is.
 */
export async function setIdentityProvider(
  context: Context,
  keys: MasterKeys,
  origin: Origin,
  organization: OrganizationId,
  { clientSecret, ...given }: IdentityProvider & { readonly clientSecret?: string | undefined },
): Promise<IdentityProvider> {
  const nowMs = context.clock.now();
  const masters = await keys.load(context.randomBytes);
  const provider = {
    ...given,
    emailDomains: [...new Set(given.emailDomains.map((it) => it.toLowerCase()))].sort(),
  };
  await context.database.write(
    organization,
    async (tx) => {
      const [[former]] = await tx.run(lockIdentityProvider({}));
      const isSameClient = former?.issuer === provider.issuer && former.client_id === provider.client;
      if (clientSecret === undefined && !isSameClient) {
        throw failure('INVALID_PARAMS', 'clientSecret must be sent with another issuer or client.');
      }
      const sealed =
        clientSecret === undefined
          ? sealedOf(former!)
          : wrapKey(masters[0], Buffer.from(clientSecret), labelOf(organization), context.randomBytes);
      const before = former === undefined ? {} : { ...shownProvider(former) };
      const told = changesOf(before, { ...provider });
      if (told === null && clientSecret === undefined) return;
      tx.queue(
        upsertIdentityProvider({
          ...provider,
          clientSecret: sealed.wrapped,
          masterKeyId: sealed.masterKeyId,
          at: isoTimestamp(nowMs),
        }),
      );
      await announce(tx, context, origin, nowMs, {
        ...{ event: 'staff.identity_provider_changed', subjectType: 'organization', subjectId: organization },
        payload: {},
        details: { ...told, isSecretNew: clientSecret !== undefined },
      });
    },
    { countsAsChange: false, retryOnConstraints: ['staff_identity_providers_pkey'] },
  );
  return provider;
}

/** Removes the provider; nothing happens without one. Links of staff stay, for when it comes back. */
export async function removeIdentityProvider(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
): Promise<void> {
  const nowMs = context.clock.now();
  await context.database.write(
    organization,
    async (tx) => {
      const [[removed]] = await tx.run(deleteIdentityProvider({}));
      if (removed === undefined) return;
      await announce(tx, context, origin, nowMs, {
        ...{ event: 'staff.identity_provider_removed', subjectType: 'organization', subjectId: organization },
        payload: {},
        details: { issuer: removed.issuer },
      });
    },
    { countsAsChange: false },
  );
}

/**
 * An owner ends the link of a member to an account of the provider, so that another account may be linked. Nothing happens
 * without one. Fails with STAFF_NOT_FOUND.
 */
export async function unlinkIdentity(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  staffId: number,
): Promise<void> {
  const nowMs = context.clock.now();
  await context.database.write(
    organization,
    async (tx) => {
      const [[member], ended] = await tx.run(
        selectStaffMember({ id: staffId }),
        deleteStaffIdentities({ staffId }),
      );
      if (member === undefined) throw failure('STAFF_NOT_FOUND', 'There is no such member of staff.');
      if (ended.length === 0) return;
      await announce(tx, context, origin, nowMs, {
        ...{ event: 'staff.identity_unlinked', subjectType: 'staff', subjectId: staffId },
        payload: { staffId },
      });
    },
    { countsAsChange: false },
  );
}

/** Seals the secret with the present master key, so that a former one can be removed after a while. */
export async function resealProviderSecret(
  { database, randomBytes }: Pick<Context, 'database' | 'randomBytes'>,
  masters: readonly [MasterKey, ...MasterKey[]],
  organization: OrganizationId,
): Promise<void> {
  await database.write(
    organization,
    async (tx) => {
      const [[row]] = await tx.run(lockIdentityProvider({}));
      if (row === undefined || row.client_secret_master_key_id === masters[0].id) return;
      const secret = unwrapKey(masters, sealedOf(row), labelOf(organization));
      const { wrapped, masterKeyId } = wrapKey(masters[0], secret, labelOf(organization), randomBytes);
      tx.queue(setSealedProviderSecret({ clientSecret: wrapped, masterKeyId }));
    },
    { countsAsChange: false },
  );
}

function sealedOf(row: IdentityProviderRow): WrappedKey {
  return { masterKeyId: row.client_secret_master_key_id, wrapped: row.client_secret };
}
