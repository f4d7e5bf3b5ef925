import { listOrganizations } from '../../access/organizations/organizations.ts';
import { type LawChange, lawChanges } from '../../engines/jurisdictions/law-changes.ts';
import type { LawEdition } from '../../engines/jurisdictions/law-edition.ts';
import { type OrganizationId, organizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { Database } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import type { BoundStatement } from '../../platform/statements/statement.ts';

/** An organization whose law changes. */
export interface ChangedOrganization {
  readonly id: OrganizationId;
  readonly name: string;
  readonly state: string;
  readonly tz: string;
  readonly changes: readonly LawChange[];
}

/** The changes from one edition to another, by state; states without a change have no entry. */
export function changesByState(former: LawEdition, edition: LawEdition): ReadonlyMap<string, LawChange[]> {
  const find = ({ jurisdictions }: LawEdition, state: string) =>
    jurisdictions.find((it) => it.state === state) ?? null;
  const states = new Set([...former.jurisdictions, ...edition.jurisdictions].map(({ state }) => state));
  return new Map(
    [...states].sort().flatMap((state) => {
      const changes = lawChanges(find(former, state), find(edition, state));
      return changes.length === 0 ? [] : [[state, changes] as const];
    }),
  );
}

/** The changes in words, as the row of an import or a release keeps them for the warnings. */
export function changesInWords(changes: ReadonlyMap<string, readonly LawChange[]>): string {
  return JSON.stringify(
    Object.fromEntries([...changes].map(([state, its]) => [state, its.map(({ words }) => words)])),
  );
}

/** The organizations of the states that change. `operator` may list organizations. */
export async function changedOrganizations(
  operator: Database,
  changes: ReadonlyMap<string, readonly LawChange[]>,
): Promise<ChangedOrganization[]> {
  return (await listOrganizations(operator)).flatMap(({ id, name, state, tz }) => {
    const its = changes.get(state);
    return its === undefined ? [] : [{ id: organizationId(id), name, state, tz, changes: its }];
  });
}

/** The maximum number of changes in an event and in the audit entry. */
const announcedChangesMax = 200;

/** What all organizations are told alike. */
interface ToldEdition {
  readonly edition: string;
  readonly formerEdition: string;
  /** False: an edition that the operator imported stays in force. */
  readonly inForce: boolean;
  /** For the audit alone. */
  readonly details: Readonly<Record<string, string | null>>;
}

/** The event and the audit entry of each organization, to be written in the transaction of the edition. */
export async function announcementsTo(
  context: Pick<Context, 'ids' | 'clock'>,
  origin: Origin,
  nowMs: number,
  organizations: readonly ChangedOrganization[],
  { details, ...told }: ToldEdition,
): Promise<ReadonlyMap<OrganizationId, readonly BoundStatement<unknown>[]>> {
  const written = new Map<OrganizationId, readonly BoundStatement<unknown>[]>();
  for (const { id, changes } of organizations) {
    const statements: BoundStatement<unknown>[] = [];
    const payload = { ...told, changes: changes.slice(0, announcedChangesMax) };
    await announce({ queue: (...bound) => void statements.push(...bound) }, context, origin, nowMs, {
      event: 'law.changed',
      subjectType: 'organization',
      subjectId: id,
      payload,
      details: { ...payload, ...details },
    });
    written.set(id, statements);
  }
  return written;
}
