import { selectOrganization } from '../../access/organizations/organizations.ts';
import { memberOf, textMember } from '../../engines/state-reports/json-members.ts';
import { decimal } from '../../kernel/decimal.ts';
import { groupBy } from '../../kernel/group-by.ts';
import { isoTimestamp, localDateAt, localInstantMs } from '../../kernel/local-time.ts';
import { announce } from '../../platform/events/announce.ts';
import { selectPackagedStock } from '../inventory/stock.ts';
import { type ComparedPackage, compareStock, locationsOf } from './compare-stock.ts';
import {
  type ComparisonRow,
  deleteComparisons,
  finishComparison,
  insertComparison,
  selectLastComparison,
  setComparisonRead,
} from './comparison-queries.ts';
import { selectConnections } from './connection-queries.ts';
import { keepLane, type LaneParts } from './lane-parts.ts';
import { keepPackages, packageByLabel, packagesIn } from './read-packages.ts';
import { keepStatement, receiptsIn } from './read-receipts.ts';
import { keepTripsStatement, tripsIn } from './read-trips.ts';
import { nextWindow } from './read-windows.ts';
import { findReceiptDifferences } from './receipt-differences.ts';
import { stateOrigin } from './state-origin.ts';
import { countReadPackages, selectStatePackages, setAdjustments } from './state-package-queries.ts';

/** Reports do not wait longer than that for a comparison: it goes on in the next turn. */
const sliceMs = 5_000;
/** Goods that a shop sells are not older. */
export const comparedDays = 366;
const dayMs = 24 * 3_600_000;
const nightMinute = 3 * 60;
const checkedAgainMax = 500;
/** Comparisons of more than a year ago go, so many with each new one. */
const formerAtOnce = 100;
/** The last adjustments of a package at the state explain a difference. */
const adjustmentsKept = 20;

/**
 * Goes on with the comparison that is under way, or begins the one of this night. Resolves to whether there is more to do at
 * once.
 */
export async function goOnComparing(parts: LaneParts): Promise<boolean> {
  const { context, organization, connection } = parts;
  const [[last], [organizationRow]] = await context.database.read(
    organization,
    selectLastComparison({ connectionId: connection.id }),
    selectOrganization({}),
  );
  let current = last;
  if (current === undefined || current.state === 'done') {
    const nowMs = context.clock.now();
    const { tz } = organizationRow!;
    const today = localInstantMs(localDateAt(nowMs, tz), nightMinute, tz);
    const nightMs = today <= nowMs ? today : today - dayMs;
    if (current !== undefined && current.created_at >= nightMs) return false;
    await beginComparison(parts, null);
    [[current]] = await context.database.read(
      organization,
      selectLastComparison({ connectionId: connection.id }),
    );
  }
  return !(await slice(parts, current!));
}

/** Begins a comparison unless one is under way. */
export async function beginComparison(
  {
    context,
    organization,
    connection,
    horizonDays,
  }: Pick<LaneParts, 'context' | 'organization' | 'connection' | 'horizonDays'>,
  staffId: number | null,
): Promise<void> {
  const nowMs = context.clock.now();
  const id = await context.ids.takeOne();
  await context.database.write(
    organization,
    async (tx) =>
      tx.queue(
        insertComparison({
          ...{ id, connectionId: connection.id, staffId, at: isoTimestamp(nowMs) },
          readsFrom: isoTimestamp(nowMs - horizonDays * dayMs),
        }),
      ),
    { countsAsChange: false },
  );
}

/** A part of the work. Resolves to whether nothing is left, or it cannot go on now. */
async function slice(parts: LaneParts, comparison: ComparisonRow): Promise<boolean> {
  const { context, organization, connection, client } = parts;
  const { wallClock, database } = context;
  const [startMs, startReads] = [wallClock.now(), client.reads];
  let readUntilMs = comparison.read_until;
  let receiptCount = 0;
  const work = () => ({ calls: client.reads - startReads, workMs: wallClock.now() - startMs });
  const note = (problem: string | null) =>
    database.write(
      organization,
      async (tx) =>
        tx.queue(
          setComparisonRead({
            ...{ id: comparison.id, readUntil: isoTimestamp(readUntilMs), receipts: receiptCount, problem },
            ...work(),
          }),
        ),
      { countsAsChange: false },
    );
  while (readUntilMs < comparison.created_at) {
    if (wallClock.now() - startMs >= sliceMs) {
      await note(null);
      return false;
    }
    if (!(await keepLane(parts))) return true;
    const window = nextWindow(readUntilMs, comparison.created_at)!;
    const readAtMs = context.clock.now();
    const [packages, receipts, trips] = await Promise.all([
      packagesIn(parts, window),
      receiptsIn(parts, window),
      tripsIn(parts, window),
    ]);
    if (packages === null || receipts === null || trips === null) {
      await note('The state’s lists of packages, receipts and trips could not be read. It is tried again.');
      return true;
    }
    await keepPackages(parts, packages, { checked: false, until: null });
    await database.write(
      organization,
      async (tx) =>
        tx.queue(
          keepStatement(connection.id, receipts, context.clock.now()),
          ...(trips.length === 0 ? [] : [keepTripsStatement(connection.id, trips, readAtMs)]),
        ),
      { countsAsChange: false },
    );
    receiptCount += receipts.length;
    readUntilMs = window.endMs;
  }
  await note(null);
  const closingReads = client.reads;
  const closingMs = wallClock.now();
  if (!(await closeGaps(parts, comparison))) {
    await note('Packages could not be read by their labels. It is tried again.');
    return true;
  }
  await conclude(parts, comparison, () => ({
    ...{ calls: client.reads - closingReads, workMs: wallClock.now() - closingMs },
  }));
  return true;
}

/** What the windows did not show is looked for by its label, and what differs is looked at once more. False: that could not be done. */
async function closeGaps(parts: LaneParts, comparison: ComparisonRow): Promise<boolean> {
  const { context, organization, connection } = parts;
  const [connections] = await context.database.read(organization, selectConnections({}));
  const [stock] = await context.database.read(
    organization,
    selectPackagedStock(locationsOf(connection, connections)),
  );
  const labels = stock.map(({ label }) => label);
  const [rows] = await context.database.read(
    organization,
    selectStatePackages({ connectionId: connection.id, labels }),
  );
  const rowOf = new Map(rows.map((row) => [row.label, row]));
  const isUnseen = (label: string) => (rowOf.get(label)?.read_at ?? 0) <= comparison.created_at;
  const unseen = [
    ...stock.filter(({ label }) => isUnseen(label)),
    ...rows.filter(({ label }) => !labels.includes(label) && isUnseen(label)),
  ];
  if (!(await readByLabel(parts, unseen))) return false;
  if (!(await readAdjustments(parts))) return false;
  const differing = (await differencesOf(parts)).filter(
    ({ row }) => (row.checked_at ?? 0) <= comparison.created_at,
  );
  return readByLabel(
    parts,
    differing.slice(0, checkedAgainMax).map(({ row }) => row),
  );
}

/** Looks again at packages that differ and were not looked at for an hour: lists may have lacked them. */
export async function checkDifferences(parts: LaneParts): Promise<void> {
  const hourAgoMs = parts.context.clock.now() - 3_600_000;
  const { context, organization, connection } = parts;
  // Whether a receipt explains it makes no difference to that.
  const compared = await compareStock(context, organization, [], ({ id }) => id === connection.id);
  const differing = compared.filter(({ kind, row }) => kind !== null && (row.checked_at ?? 0) < hourAgoMs);
  await readByLabel(
    parts,
    differing.slice(0, checkedAgainMax).map(({ row }) => row),
  );
}

async function differencesOf({ context, organization, connection }: LaneParts): Promise<ComparedPackage[]> {
  const receipts = await findReceiptDifferences(context, organization);
  const compared = await compareStock(context, organization, receipts, (it) => it.id === connection.id);
  return compared.filter(({ kind }) => kind !== null);
}

async function readByLabel(
  parts: LaneParts,
  wanted: readonly { readonly label: string; readonly unit: string }[],
): Promise<boolean> {
  const read = await Promise.all(wanted.map((it) => packageByLabel(parts, it)));
  const found = read.filter((it) => it !== null);
  if (found.length > 0) await keepPackages(parts, found, { checked: true, until: null });
  return found.length === wanted.length;
}

/** What people adjusted at the state, of each package the last ones, the latest first. */
async function readAdjustments({ client, context, organization, connection }: LaneParts): Promise<boolean> {
  const listed = await client.list('/packages/v2/adjustments');
  if (listed.kind !== 'rows') return false;
  const read = listed.rows.flatMap((row) => {
    const label = textMember(row, 'PackageLabel');
    const quantity = memberOf(row, 'AdjustmentQuantity');
    if (label === null || typeof quantity !== 'number') return [];
    return [
      {
        ...{ label, quantity: decimal(quantity).toFixed() },
        date: textMember(row, 'AdjustmentDate')?.slice(0, 10) ?? '',
        reason: textMember(row, 'AdjustmentReasonName') ?? '',
        note: textMember(row, 'AdjustmentNote') ?? '',
      },
    ];
  });
  // The order of the list differs by system, and its dates are days.
  const isOldestFirst = read.length > 1 && read[0]!.date < read.at(-1)!.date;
  const latestFirst = isOldestFirst ? read.toReversed() : read;
  const rows = [...groupBy(latestFirst, ({ label }) => label)].map(([label, all]) => ({
    label,
    adjustments: all.slice(0, adjustmentsKept).map(({ label: _, ...it }) => it),
  }));
  await context.database.write(
    organization,
    async (tx) => tx.queue(setAdjustments({ connectionId: connection.id, rows: JSON.stringify(rows) })),
    { countsAsChange: false },
  );
  return true;
}

/** Counts the differences by kind, and tells of the end. */
async function conclude(
  parts: LaneParts,
  comparison: ComparisonRow,
  work: () => { readonly calls: number; readonly workMs: number },
): Promise<void> {
  const { context, organization, connection } = parts;
  const { database, clock } = context;
  const receipts = (await findReceiptDifferences(context, organization)).filter(
    (it) => it.connectionId === connection.id && !it.isAnswered,
  );
  const kinds = [...receipts, ...(await differencesOf(parts))].map(({ kind }) => kind!);
  const counts: Record<string, number> = {};
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
  const [[read]] = await database.read(
    organization,
    countReadPackages({ connectionId: connection.id, since: isoTimestamp(comparison.created_at) }),
  );
  parts.beat('before the end of a comparison');
  await database.write(organization, async (tx) => {
    const nowMs = clock.now();
    tx.queue(
      finishComparison({
        ...{ id: comparison.id, packages: read!.count, differences: JSON.stringify(counts) },
        ...{ at: isoTimestamp(nowMs), ...work() },
      }),
      deleteComparisons({ before: isoTimestamp(nowMs - comparedDays * dayMs), limit: formerAtOnce }),
    );
    await announce(tx, context, stateOrigin, nowMs, {
      event: 'state_comparison.finished',
      subjectType: 'state_comparison',
      subjectId: comparison.id,
      payload: {
        ...{ stateComparisonId: comparison.id, stateConnectionId: connection.id },
        differences: kinds.length,
      },
      details: counts,
    });
  });
}
