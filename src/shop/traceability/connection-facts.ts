import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import type { Database, TenantTransaction } from '../../platform/database/database.ts';
import { type ConnectionRow, selectConnections } from './connection-queries.ts';

/** A change of another process counts after that at the latest. */
const keptMs = 1_000;
const organizationsMax = 10_000;

interface Kept {
  readonly readAtMs: number;
  readonly rows: Promise<readonly ConnectionRow[]>;
}

const keptOf = new WeakMap<Database, Map<OrganizationId, Kept>>();

/**
 * The connections of an organization that are on. Nearly all writes of nearly all shops ask for this, so the answer is kept for a
 * second: a shop without a connection pays nothing for it. What was missed in the first second of a connection is found when
 * the state and the books are compared.
 */
export async function connectionsOf(
  { database, wallClock }: Pick<Context, 'database' | 'wallClock'>,
  tx: Pick<TenantTransaction, 'organizationId' | 'run'>,
): Promise<readonly ConnectionRow[]> {
  const organization = tx.organizationId;
  let kept = keptOf.get(database);
  if (kept === undefined) {
    kept = new Map();
    keptOf.set(database, kept);
  }
  const nowMs = wallClock.now();
  const known = kept.get(organization);
  if (known !== undefined && nowMs >= known.readAtMs && nowMs - known.readAtMs < keptMs) return known.rows;
  // By the caller's own connection: a writer that waited for another one, while its locks are waited for, would wait for ever.
  const rows = tx.run(selectConnections({})).then(([found]) => found.filter(({ is_on: isOn }) => isOn));
  kept.delete(organization);
  kept.set(organization, { readAtMs: nowMs, rows });
  if (kept.size > organizationsMax) kept.delete(kept.keys().next().value!);
  rows.catch(() => kept.delete(organization));
  return rows;
}

/** This process has changed the connections of an organization. */
export function forgetConnections(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
): void {
  keptOf.get(database)?.delete(organization);
}

/** The connection that reports for a location; undefined: none does. */
export function connectionAt<Connection extends Pick<ConnectionRow, 'inventory_location_id'>>(
  connections: readonly Connection[],
  locationId: number,
): Connection | undefined {
  return (
    connections.find(({ inventory_location_id: id }) => id === locationId) ??
    connections.find(({ inventory_location_id: id }) => id === null)
  );
}
