import { type Decimal, decimal, zero } from '../../kernel/decimal.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { statement } from '../../platform/statements/statement.ts';
import { selectPackagesForFiles } from '../inventory/stock.ts';
import { selectConnections } from './connection-queries.ts';
import { adjustmentOf } from './send-adjustment.ts';
import { contentOf } from './send-receipt.ts';
import { type ReportRow, selectOpenReports, selectReportsOfOrder } from './state-report-queries.ts';

/** What a state would hold that was told all but the reports that are open: a stand-in begins with it. */
export interface StateAsTold {
  readonly licenseNumber: string;
  readonly packages: readonly {
    readonly label: string;
    readonly productName: string;
    readonly unit: string;
    /** In its unit. */
    readonly quantity: Decimal;
  }[];
  /** How many open reports name each package, the package that was named first at the front. */
  readonly openReports: ReadonlyMap<string, number>;
  /** Identifiers of the state above this one are free. */
  readonly highestRecordId: number;
}

const selectHighestRecord = statement<{ connectionId: number }, { id: number | null }>(
  'select_highest_state_record',
  `select max(state_record_id) as id from state_reports
    where organization_id = :organizationId and connection_id = :connectionId`,
);

const packagesMax = 20_000;
const reportsMax = 1_000;

/** For the first connection to an interface; null: there is none. */
export async function stateAsTold(
  context: Context,
  organization: OrganizationId,
): Promise<StateAsTold | null> {
  const { database, clock } = context;
  const [connections] = await database.read(organization, selectConnections({}));
  const connection = connections.find(({ system }) => system === 'metrc');
  if (connection === undefined) return null;
  const connectionId = connection.id;
  const [packages, open, [highest]] = await database.read(
    organization,
    selectPackagesForFiles({ finishedSince: isoTimestamp(clock.now()), limit: packagesMax }),
    selectOpenReports({ connectionId, limit: reportsMax }),
    selectHighestRecord({ connectionId }),
  );
  const untold = new Map<string, Decimal>();
  const add = (label: string, quantity: Decimal) =>
    untold.set(label, (untold.get(label) ?? zero).plus(quantity));
  for (const report of open) {
    for (const [label, quantity] of await takenBy(context, organization, report)) add(label, quantity);
  }
  const openReports = new Map<string, number>();
  for (const label of open.flatMap((report) => report.packages)) {
    openReports.set(label, (openReports.get(label) ?? 0) + 1);
  }
  return {
    licenseNumber: connection.license_number,
    packages: packages.map((it) => ({
      ...{ label: it.label, productName: it.product_name, unit: it.package_unit },
      quantity: decimal(it.on_hand)
        .div(it.multiplier)
        .plus(untold.get(it.label) ?? zero),
    })),
    openReports,
    highestRecordId: highest?.id ?? 0,
  };
}

/** What a report, once it is accepted, takes from each package at the state. */
async function takenBy(
  { database }: Context,
  organization: OrganizationId,
  report: ReportRow,
): Promise<(readonly [label: string, quantity: Decimal])[]> {
  if (report.kind === 'finish') return [];
  if (report.kind === 'adjustment') {
    const { label, quantity } = adjustmentOf(report);
    return [[label, zero.minus(quantity)]];
  }
  const [reports] = await database.read(organization, selectReportsOfOrder({ orderId: report.order_id! }));
  const told = reports.findLast(({ state }) => state === 'accepted');
  const linesOf = (of: ReportRow | undefined) => (of === undefined ? [] : contentOf(of).lines);
  return [
    ...linesOf(report).map(({ label, quantity }) => [label, decimal(quantity)] as const),
    ...linesOf(told).map(({ label, quantity }) => [label, zero.minus(quantity)] as const),
  ];
}
