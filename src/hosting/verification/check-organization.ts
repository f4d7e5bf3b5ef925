import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { findSumDrift } from '../../shop/changes/changes.ts';
import type { ChecksummedCollection } from '../../shop/changes/checksummed-collection.ts';
import { findStockDrift } from '../../shop/inventory/stock.ts';
import { findReportDrift } from '../../shop/reports/reports.ts';
import type { OrderRange, WrongRow } from './data-check.ts';
import type { FindingList, Named } from './finding.ts';
import { orderAmountChecks } from './order-amount-checks.ts';
import { orderLinkChecks } from './order-link-checks.ts';
import { firstId, lastId, selectLatestRange, selectRangeEnd } from './order-range-queries.ts';
import { organizationChecks } from './organization-checks.ts';
import { countedAsStored, priceAgain, pricedAgain, shownAsStored } from './price-again.ts';
import type { VerifiedSnapshot } from './verified-snapshot.ts';

/** A new check of orders or organizations is a value in one of these lists. */
const orderChecks = [...orderAmountChecks, ...orderLinkChecks];

const stockBalances: Named = {
  name: 'stock-balances',
  promise: 'each balance of stock is the sum of its ledger',
};
const reportSums: Named = {
  name: 'report-sums',
  promise: 'the sums of reports are what orders and returns make',
};
const recordSums: Named = {
  name: 'checksums',
  promise: 'the checksums of records are what the records make',
};

/** Orders that are read at a time. */
const ordersPerRange = 1_000;
/** A day less than events are kept (D76): the service may be about to prune. */
const eventsKeptMs = 29 * 86_400_000;

interface OrganizationRun {
  readonly context: Context;
  readonly collections: (context: Context) => readonly ChecksummedCollection[];
  readonly snapshot: VerifiedSnapshot;
  readonly organization: OrganizationId;
  readonly found: FindingList;
  /** The number of orders that were checked. */
  readonly onOrders?: (orders: number) => void;
  readonly isOutOfTime: () => boolean;
}

/** Everything that the database says of an organization; with `latest`, of its latest orders, and without the sums over all. */
export async function checkOrganization(run: OrganizationRun, latest?: number): Promise<void> {
  const { context, snapshot, organization, found } = run;
  if (latest === undefined) {
    for (let after = firstId; after !== lastId; ) after = await checkNextRange(run, after);
  } else {
    const [before] = await snapshot.rows(
      orderChecks[0]!,
      organization,
      selectLatestRange({ orders: latest }),
    );
    await checkRange(run, { after: before?.id ?? firstId, until: lastId });
  }
  const eventsAfter = isoTimestamp(context.wallClock.now() - eventsKeptMs);
  for (const check of organizationChecks) {
    if (run.isOutOfTime()) return;
    const rows = await snapshot.rows(check, organization, check.find({ eventsAfter }));
    addRows(run, check, rows);
    found.looked(check, 1);
  }
  await checkStock(run);
  if (latest !== undefined || run.isOutOfTime()) return;
  await checkReports(run);
  await checkRecordSums(run);
}

/** Resolves to the last order of the range. */
async function checkNextRange(run: OrganizationRun, after: string): Promise<string> {
  const { snapshot, organization } = run;
  const [end] = await snapshot.rows(
    orderChecks[0]!,
    organization,
    selectRangeEnd({ after, orders: ordersPerRange }),
  );
  const until = end?.id ?? lastId;
  await checkRange(run, { after, until });
  return until;
}

async function checkRange(run: OrganizationRun, range: OrderRange): Promise<void> {
  const { snapshot, organization, found, onOrders } = run;
  for (const check of orderChecks) {
    const rows = await snapshot.rows(
      check,
      organization,
      check.find({ after: range.after, until: range.until }),
    );
    addRows(run, check, rows);
  }
  const again = await snapshot.run(pricedAgain, organization, (database) =>
    priceAgain(database, organization, range),
  );
  const orders = again?.orders ?? 0;
  addRows(run, pricedAgain, again?.priced ?? []);
  addRows(run, shownAsStored, again?.shown ?? []);
  addRows(run, countedAsStored, again?.counted ?? []);
  for (const check of [...orderChecks, pricedAgain, shownAsStored, countedAsStored])
    found.looked(check, orders);
  onOrders?.(orders);
}

function addRows({ organization, found }: OrganizationRun, check: Named, rows: readonly WrongRow[]): void {
  for (const { in_table, row_key, order_number, words } of rows) {
    found.add(check, {
      ...{ organizationId: organization, place: in_table, row: row_key, orderNumber: order_number },
      ...{ isDamage: true, words },
    });
  }
}

async function checkStock(run: OrganizationRun): Promise<void> {
  const { snapshot, organization, found } = run;
  const drifts = await snapshot.run(stockBalances, organization, (database) =>
    findStockDrift({ database }, organization),
  );
  found.looked(stockBalances, 1);
  for (const drift of drifts ?? []) {
    const key = [
      drift.productId,
      drift.productOptionId ?? 0,
      drift.inventoryLocationId,
      drift.packageId ?? 0,
    ];
    found.add(stockBalances, {
      ...{ organizationId: organization, place: 'stock_balances', row: key.join(' '), orderNumber: null },
      ...{ isDamage: true, words: `on_hand is ${drift.balance}, the ledger makes ${drift.ledger}` },
    });
  }
}

async function checkReports(run: OrganizationRun): Promise<void> {
  const { snapshot, organization, found } = run;
  const drifts = await snapshot.run(reportSums, organization, (database) =>
    findReportDrift({ database }, organization),
  );
  found.looked(reportSums, 1);
  for (const { report, span, day, key, kept, counted } of drifts ?? []) {
    found.add(reportSums, {
      ...{ organizationId: organization, place: report === 'taxes' ? 'book_taxes' : 'book_sums' },
      ...{ row: [report, span, day, key].join(' '), orderNumber: null, isDamage: true },
      words: `the sums are ${JSON.stringify(kept)}, the orders make ${JSON.stringify(counted)}`,
    });
  }
}

async function checkRecordSums(run: OrganizationRun): Promise<void> {
  const { context, collections, snapshot, organization, found } = run;
  const drifts = await snapshot.run(recordSums, organization, async (database) => {
    const all = [];
    for (const collection of collections({ ...context, database })) {
      all.push(...(await findSumDrift({ database }, collection, organization)));
    }
    return all;
  });
  found.looked(recordSums, 1);
  for (const { collection, month, kept, counted } of drifts ?? []) {
    found.add(recordSums, {
      ...{ organizationId: organization, place: 'record_sums', row: `${collection} ${month}`.trim() },
      ...{ orderNumber: null, isDamage: true },
      words: `${kept.count} records ${kept.digest}, counted ${counted.count} ${counted.digest}`,
    });
  }
}
