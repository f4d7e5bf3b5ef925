import {
  percentOf,
  readLabResult,
  readStatePackage,
  type StateBlock,
  type StatePackage,
} from '../../engines/state-reports/state-package.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { StateFacts } from '../inventory/apply-state-facts.ts';
import { applyStateFacts, selectLabelledPackages } from '../inventory/stock.ts';
import { setPackagesRead } from './connection-queries.ts';
import type { LaneParts } from './lane-parts.ts';
import { type IncomingGoods, keepIncoming, readIncoming } from './read-transfers.ts';
import { nextWindow, type StateWindow, windowQuery } from './read-windows.ts';
import { stateOrigin } from './state-origin.ts';
import {
  keepStatePackages,
  selectBlocks,
  selectUnreadLabResults,
  setLabResults,
} from './state-package-queries.ts';

/** How often packages and transfers are read in. */
export const packagesEveryMs = 5 * 60_000;
const labResultsAtOnce = 200;

/** A package as it is kept. */
export type KeptPackage = Omit<StatePackage, 'id' | 'isEnded' | 'receivedAt' | 'lastModified'> & {
  readonly id: number | null;
  readonly place: 'active' | 'ended' | 'coming' | 'absent';
  readonly receivedAt: string | null;
  readonly lastModified: string | null;
};

/**
 * Reads in the packages and transfers that changed at the state, oldest first, in windows that overlap, and keeps from sale what
 * the state does not let be sold. What could not be read is read next time. Resolves to whether all was read now.
 */
export async function readPackages(parts: LaneParts, readUntilMs: number | null): Promise<boolean> {
  const { connection, context, organization } = parts;
  const nowMs = context.clock.now();
  if (readUntilMs !== null && nowMs - readUntilMs < packagesEveryMs) return false;
  let window = nextWindow(readUntilMs ?? connection.created_at, nowMs);
  while (window !== null) {
    const [incoming, packages] = await Promise.all([readIncoming(parts, window), packagesIn(parts, window)]);
    if (packages === null || incoming === null) return false;
    await keepIncoming(parts, incoming);
    parts.beat('before the packages');
    await keepPackages(parts, [...comingOf(incoming), ...packages], { checked: false, until: window.endMs });
    window = window.endMs >= nowMs ? null : nextWindow(window.endMs, nowMs);
  }
  await applyBlocks(parts);
  await readLabResults(parts, organization);
  return true;
}

/** The packages that changed in a window; null: a list could not be read. */
export async function packagesIn(
  { client }: Pick<LaneParts, 'client'>,
  window: StateWindow,
): Promise<KeptPackage[] | null> {
  const lists = await Promise.all(
    ['inactive', 'active', 'onhold'].map((list) => client.list(`/packages/v2/${list}`, windowQuery(window))),
  );
  const found = new Map<string, KeptPackage>();
  for (const listed of lists) {
    if (listed.kind !== 'rows') return null;
    for (const row of listed.rows) {
      const read = readStatePackage(row);
      if (read !== null) found.set(read.label, keptOf(read));
    }
  }
  return [...found.values()];
}

function keptOf({ isEnded, ...read }: StatePackage): KeptPackage {
  return { ...read, place: isEnded ? 'ended' : 'active' };
}

/** Keeps packages as they were read, and what they mean for packages here, in one write. Of one that stands there twice the last counts. */
export async function keepPackages(
  { context, organization, connection }: LaneParts,
  read: readonly KeptPackage[],
  { checked, until }: { readonly checked: boolean; readonly until: number | null },
): Promise<void> {
  const packages = [...new Map(read.map((it) => [it.label, it])).values()];
  const at = isoTimestamp(context.clock.now());
  const rows = packages.map((it) => ({
    ...{ label: it.label, state_record_id: it.id, place: it.place, quantity: it.quantity, unit: it.unit },
    ...{ item: it.item, category: it.category, lab_state: it.labState, block: it.block },
    ...{ manifest_number: it.manifestNumber, received_at: it.receivedAt, last_modified: it.lastModified },
  }));
  const facts = packages.map(({ label, block }): StateFacts => ({ label, block }));
  await context.database.write(
    organization,
    async (tx) => {
      if (rows.length > 0) {
        const checkedAt = checked ? at : null;
        tx.queue(
          keepStatePackages({ connectionId: connection.id, rows: JSON.stringify(rows), at, checkedAt }),
        );
      }
      if (until !== null) {
        tx.queue(setPackagesRead({ connectionId: connection.id, until: isoTimestamp(until) }));
      }
      await applyStateFacts(tx, context, stateOrigin, facts);
    },
    { countsAsChange: false },
  );
}

/** Packages that have come since the state was read are kept from sale, too. */
async function applyBlocks({ context, organization, connection }: LaneParts): Promise<void> {
  const [blocks] = await context.database.read(organization, selectBlocks({ connectionId: connection.id }));
  if (blocks.length === 0) return;
  await context.database.write(organization, (tx) => applyStateFacts(tx, context, stateOrigin, blocks), {
    countsAsChange: false,
  });
}

/** Packages that are on their way, or were sent back. What was accepted is in the lists of packages. */
function comingOf(incoming: readonly IncomingGoods[]): KeptPackage[] {
  return incoming.flatMap(({ transfer, packages }) =>
    packages.flatMap((it): KeptPackage[] => {
      if (it.state === 'Accepted') return [];
      const isComing = it.state === 'Shipped' && !transfer.isVoided;
      const block: StateBlock = isComing ? 'not-accepted' : 'sent-back';
      return [
        {
          ...{ id: it.id, label: it.label, place: isComing ? 'coming' : 'absent', block },
          ...{ quantity: isComing ? it.quantity : '0', unit: it.unit, item: it.item, category: it.category },
          ...{ labState: it.labState, manifestNumber: transfer.manifestNumber },
          ...{ receivedAt: null, lastModified: null },
        },
      ];
    }),
  );
}

/** Reads the tests of packages that are known here. Results that are not released are none. */
async function readLabResults(
  { client, context, connection }: LaneParts,
  organization: LaneParts['organization'],
): Promise<void> {
  const { database } = context;
  const [unread] = await database.read(
    organization,
    selectUnreadLabResults({ connectionId: connection.id, limit: labResultsAtOnce }),
  );
  if (unread.length === 0) return;
  const [known] = await database.read(
    organization,
    selectLabelledPackages({ labels: unread.map(({ label }) => label) }),
  );
  const labels = new Set(known.map(({ label }) => label));
  await Promise.all(
    unread
      .filter(({ label }) => labels.has(label))
      .map(async ({ label, state_record_id: id, block }) => {
        const listed = await client.list('/labtests/v2/results', { packageId: String(id) });
        if (listed.kind !== 'rows') return;
        const results = listed.rows.flatMap((row) => readLabResult(row) ?? []);
        const [first] = results;
        await database.write(
          organization,
          async (tx) => {
            tx.queue(setLabResults({ connectionId: connection.id, label, results: JSON.stringify(results) }));
            await applyStateFacts(tx, context, stateOrigin, [
              {
                ...{ label, block, labName: first?.lab, labLicense: first?.labLicense, labDate: first?.date },
                ...{ thcPercent: percentOf(results, 'THC'), cbdPercent: percentOf(results, 'CBD') },
              },
            ]);
          },
          { countsAsChange: false },
        );
      }),
  );
}

/** A package by its label: what lists leave out is looked for. Null: it could not be read. */
export async function packageByLabel(
  { client }: Pick<LaneParts, 'client'>,
  { label, unit }: { readonly label: string; readonly unit: string },
): Promise<KeptPackage | null> {
  const read = await client.read(`/packages/v2/${encodeURIComponent(label)}`);
  if (read.kind === 'failed') return null;
  if (read.kind === 'found') {
    const found = readStatePackage(read.body);
    return found === null || found.label !== label ? null : keptOf(found);
  }
  return {
    ...{ id: null, label, place: 'absent', quantity: '0', unit, item: null, category: null },
    ...{ labState: null, block: null, manifestNumber: null, receivedAt: null, lastModified: null },
  };
}
