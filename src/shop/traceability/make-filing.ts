import { hash } from 'node:crypto';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import {
  type CcrsFileType,
  type CcrsRow,
  ccrsFileTypes,
  ccrsReasons,
  ccrsSteps,
} from '../../engines/state-reports/ccrs-columns.ts';
import {
  type CcrsFault,
  type CcrsFiles,
  ccrsFileName,
  ccrsText,
  faultsOf,
} from '../../engines/state-reports/ccrs-files.ts';
import {
  type CcrsWeek,
  ccrsWeek,
  type FiledAdjustment,
  type FiledPackage,
  type FiledSale,
  knownToState,
} from '../../engines/state-reports/ccrs-week.ts';
import type { ReceiptLine } from '../../engines/state-reports/receipt-of-sale.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { endOfLocalDateMs, isoTimestamp, localDateAt, wallTimeAt } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { PackageForFiles } from '../inventory/inventory-queries.ts';
import { selectPackagesForFiles } from '../inventory/stock.ts';
import { type ConnectionRow, selectConnections } from './connection-queries.ts';
import { type FiledRow, selectFiledRows, selectReportsToFile } from './filing-queries.ts';
import { connectionIn } from './save-connection.ts';
import { adjustmentOf } from './send-adjustment.ts';
import { contentOf } from './send-receipt.ts';
import { reportsFile } from './state-report-file.ts';
import type { ReportRow } from './state-report-queries.ts';

/** What is to be uploaded or entered of one license, up to a day. */
export interface Filing {
  readonly connection: ConnectionRow;
  /** The last day in it. */
  readonly until: string;
  readonly files: readonly FilingFile[];
  /** Tells whether it is still what was downloaded. */
  readonly digest: string;
  /** What it tells the state. */
  readonly waiting: readonly ReportRow[];
  /** What was uploaded, and the state has not answered. */
  readonly uploaded: readonly ReportRow[];
  /** The rows of each file, for files of rows. */
  readonly rows: CcrsFiles | null;
}

interface FilingFile {
  readonly type: FilingFileType;
  readonly name: string;
  /** Files of the same step go together; the next step waits for the state's answers. */
  readonly step: number;
  readonly rowCount: number;
  readonly text: string;
  readonly faults: readonly CcrsFault[];
}

export const filingFileTypes = [...ccrsFileTypes, 'Book'] as const;
export type FilingFileType = (typeof filingFileTypes)[number];

/** Reports and packages of one filing: a month of a busy shop. */
const reportsMax = 50_000;
const packagesMax = 20_000;
/** What was finished before that is not told again. */
const finishedForMs = 60 * 86_400_000;

/**
 * Makes the files or the book of a license: everything that waits up to a day, by default today. Fails with STATE_CONNECTION_NOT_FOUND, and
 * with INVALID_PARAMS for a license that the service reports itself.
 */
export async function makeFiling(
  context: Context,
  organization: OrganizationId,
  connectionId: number,
  asked: string | undefined,
): Promise<Filing> {
  const { database, clock } = context;
  const [connections, [shop]] = await database.read(
    organization,
    selectConnections({}),
    selectOrganization({}),
  );
  const connection = connectionIn(connections, connectionId);
  if (connection.system === 'metrc') {
    throw failure('INVALID_PARAMS', 'stateConnectionId must be of a license whose state has no interface.');
  }
  const nowMs = clock.now();
  const today = localDateAt(nowMs, shop!.tz);
  const until = asked !== undefined && asked < today ? asked : today;
  const before = isoTimestamp(endOfLocalDateMs(until, shop!.tz));
  const isOfRows = connection.system === 'ccrs-file';
  const [reports, filed, packages] = await database.read(
    organization,
    selectReportsToFile({ connectionId, before, limit: reportsMax }),
    isOfRows ? selectFiledRows({ connectionId }) : null,
    isOfRows
      ? selectPackagesForFiles({ finishedSince: isoTimestamp(nowMs - finishedForMs), limit: packagesMax })
      : null,
  );
  const waiting = reports.filter(({ state }) => state === 'waiting');
  const uploaded = reports.filter(({ state }) => state === 'unknown');
  const made = isOfRows
    ? filesOf({ connection, waiting, filed, packages, today, nowMs, tz: shop!.tz })
    : { rows: null, files: [bookOf(waiting, until)] };
  const texts = made.files.map(({ type, text }) => `${type}\n${text}`).join('\n');
  return { connection, until, ...made, digest: hash('sha256', texts), waiting, uploaded };
}

/** The daily book: what a person enters in the state's own forms. */
function bookOf(waiting: readonly ReportRow[], until: string): FilingFile {
  return {
    ...{ type: 'Book', name: `book-${until}.csv`, step: 1, rowCount: waiting.length, faults: [] },
    text: reportsFile(waiting),
  };
}

interface RowsFacts {
  readonly connection: ConnectionRow;
  readonly waiting: readonly ReportRow[];
  readonly filed: readonly FiledRow[];
  readonly packages: readonly PackageForFiles[];
  readonly today: string;
  readonly nowMs: number;
  readonly tz: string;
}

function filesOf(facts: RowsFacts): { readonly files: FilingFile[]; readonly rows: CcrsFiles } {
  const { connection, today, nowMs, tz } = facts;
  const week = weekOf(facts);
  const rows = ccrsWeek(week);
  const faults = faultsOf(rows, knownToState(week.filed), today);
  const head = { submittedBy: week.settings.submittedBy ?? '', submittedOn: today };
  const wall = wallTimeAt(nowMs, tz).text;
  const files = ccrsFileTypes.flatMap((type) =>
    rows[type].length === 0
      ? []
      : [
          {
            ...{ type, step: ccrsSteps[type], rowCount: rows[type].length },
            name: ccrsFileName(type, connection.license_number, wall),
            text: ccrsText(type, rows[type], head),
            faults: faults.filter(({ file }) => file === type),
          },
        ],
  );
  return { files, rows };
}

function weekOf({ connection, waiting, filed, packages, today, tz }: RowsFacts): CcrsWeek {
  const known = new Map<CcrsFileType, Map<string, CcrsRow>>(ccrsFileTypes.map((type) => [type, new Map()]));
  for (const { file, row_id: id, content, pending } of filed) {
    const row = pending ?? content;
    if (row !== null) known.get(file as CcrsFileType)?.set(id, row);
  }
  // After a refused file two reports of an order may wait: the later one says all.
  const latest = new Map(waiting.flatMap((it) => (it.order_id === null ? [] : [[it.order_id, it] as const])));
  return {
    ...{ licenseNumber: connection.license_number, settings: connection.file_settings, today, filed: known },
    packages: packages.map((row) => packageOf(row, connection.created_at, tz)),
    adjustments: waiting.flatMap((report) =>
      report.kind === 'adjustment' ? [changeOf(connection, report)] : [],
    ),
    sales: [...latest.values()].map(saleOf),
  };
}

function packageOf(row: PackageForFiles, connectedMs: number, tz: string): FiledPackage {
  const isNew = row.received_at >= connectedMs && row.shipper_license !== null;
  return {
    ...{ id: row.id, label: row.label, externalId: row.external_id, productId: row.product_id },
    ...{ optionId: row.product_option_id, productName: row.product_name, optionName: row.option_name },
    ...{ strain: row.strain, strainType: row.strain_type, categoryId: row.category_id },
    ...{ isByGram: row.unit === 'gram', unitGrams: row.content, initial: row.initial, onHand: row.on_hand },
    ...{ costPerUnit: row.cost_per_unit, isTradeSample: row.trade_sample },
    receivedOn: localDateAt(row.received_at, tz),
    transfer: isNew
      ? { fromLicense: row.shipper_license!, fromExternalId: row.source_label ?? row.label }
      : null,
  };
}

function changeOf(connection: ConnectionRow, report: ReportRow): FiledAdjustment {
  const { label, quantity, date, reason, isWaste } = adjustmentOf(report);
  const chosen = connection.adjustment_reason;
  const known = (name: string | null) => ccrsReasons.find((it) => it === name) ?? null;
  return {
    ...{ number: report.external_number, label, quantity, on: date },
    reason: known(reason) ?? (isWaste ? (known(connection.waste_reason) ?? 'Destruction') : known(chosen)),
  };
}

function saleOf(report: ReportRow): FiledSale {
  const { soldAt, customerType, lines } = contentOf(report);
  return {
    ...{ orderNumber: report.order_number!, on: soldAt.slice(0, 10), isMedical: customerType === 'Patient' },
    isReturn: report.kind === 'correction' || (report.kind === 'void' && report.revision > 1),
    lines: lines.map(({ label, quantity, amountCents, money }: ReceiptLine) => ({
      ...{ label, quantity, amountCents },
      ...(money ?? { priceCents: amountCents, salesTaxCents: 0, exciseTaxCents: 0 }),
    })),
  };
}
