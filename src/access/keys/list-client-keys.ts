import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { customersOf, selectClientKeys } from './client-key-queries.ts';

export interface ListedClientKey {
  readonly id: number;
  readonly integratorId: number;
  readonly integratorName: string;
  readonly name: string;
  /** The start of the key. */
  readonly keyPrefix: string;
  readonly permissions: readonly string[];
  /** Unknown names in bodies and queries are refused (D5). */
  readonly strict: boolean;
  /** Empty: any address may use it. */
  readonly allowedAddresses: readonly string[];
  /** The origins of a publishable key (D67); empty: a secret key. */
  readonly origins: readonly string[];
  /** Whose word counts for who the customer is (D62). */
  readonly customers: 'vouched' | 'proven';
  readonly state: 'active' | 'expired' | 'revoked';
  readonly createdAt: string;
  /** Accurate to two minutes. */
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

/** All client keys of an organization, including ended ones, in the order of creation. */
export async function listClientKeys(
  context: Pick<Context, 'database' | 'clock'>,
  organization: OrganizationId,
): Promise<readonly ListedClientKey[]> {
  const time = (atMs: number | null) => (atMs === null ? null : isoTimestamp(atMs));
  const nowMs = context.clock.now();
  const [rows] = await context.database.read(organization, selectClientKeys({ at: isoTimestamp(nowMs) }));
  return rows.map((row) => ({
    id: row.id,
    integratorId: row.integrator_id,
    integratorName: row.integrator_name,
    name: row.name,
    keyPrefix: row.key_prefix,
    permissions: row.permissions,
    strict: row.strict,
    allowedAddresses: row.allowed_addresses,
    origins: row.origins,
    customers: customersOf(row),
    state:
      row.revoked_at !== null
        ? 'revoked'
        : row.expires_at !== null && row.expires_at <= nowMs
          ? 'expired'
          : 'active',
    createdAt: isoTimestamp(row.created_at),
    lastUsedAt: time(row.last_used_at),
    expiresAt: time(row.expires_at),
    revokedAt: time(row.revoked_at),
  }));
}
