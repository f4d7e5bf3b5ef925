import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { selectAllIntegrators } from './integrator-queries.ts';

export interface ListedIntegrator {
  readonly id: number;
  readonly name: string;
  /** The start of its consumer key. */
  readonly keyPrefix: string;
  readonly keyCreatedAt: string;
  /** The end of the previous key after a rotation. */
  readonly previousEndsAt: string | null;
  readonly createdAt: string;
  readonly revokedAt: string | null;
}

/** All integrators, including revoked ones, in the order of registration (operator only). */
export async function listIntegrators(
  context: Pick<Context, 'database' | 'clock'>,
): Promise<readonly ListedIntegrator[]> {
  const time = (atMs: number | null) => (atMs === null ? null : isoTimestamp(atMs));
  const at = isoTimestamp(context.clock.now());
  return (await context.database.global(selectAllIntegrators({ at }))).map((row) => ({
    id: row.id,
    name: row.name,
    keyPrefix: row.key_prefix,
    keyCreatedAt: isoTimestamp(row.key_created_at),
    previousEndsAt: time(row.previous_ends_at),
    createdAt: isoTimestamp(row.created_at),
    revokedAt: time(row.revoked_at),
  }));
}
