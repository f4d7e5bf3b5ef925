import type { Client } from 'pg';
import type { Database } from '../../platform/database/database.ts';
import { statement } from '../../platform/statements/statement.ts';
import type { SuspendedBecause } from './organization-queries.ts';

interface ListedOrganization {
  readonly id: number;
  readonly name: string;
  readonly state: string;
  readonly tz: string;
  /** Null: it trades. */
  readonly suspended_at: number | null;
  readonly suspended_because: SuspendedBecause | null;
  /** Null: it stays. */
  readonly ends_at: number | null;
}

/** The one statement that reads all organizations: only the operator's role sees any rows. */
const selectAllOrganizations = statement<Record<never, never>, ListedOrganization>(
  'select_all_organizations',
  `select id, name, state, tz, suspended_at, suspended_because, ends_at from organizations order by id`,
);

/** All organizations of the deployment, for the operator: `operator` is connected as the owner. */
export function listOrganizations(operator: Database): Promise<ListedOrganization[]> {
  return operator.global(selectAllOrganizations({}));
}

/** Whether the deployment has an organization: `owner` is a session of the database's owner. */
export async function hasOrganization(owner: Client): Promise<boolean> {
  return (await owner.query('select 1 from organizations limit 1')).rows.length > 0;
}
