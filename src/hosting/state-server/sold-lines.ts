import { decimal } from '../../kernel/decimal.ts';
import { type Json, type JsonRow, membersOf, minus, plus, sumOf } from './json-rows.ts';
import { contentMembers, isOnOpenLedger, unitMembers } from './printed-stock.ts';
import { decimalsBy, type Sent } from './request-members.ts';
import type { SoldLine, StatePackage } from './state-models.ts';
import { RefusedRow, unauthorized } from './state-refusals.ts';
import { type Call, hasRight } from './state-route.ts';
import { preciseInstant, utcInstant } from './state-times.ts';
import { unitNamed } from './state-vocabulary.ts';
import type { StateWorld } from './state-world.ts';

/* Lines of receipts, deliveries and ledgers: what they take from packages, and what comes back. The texts are invented. */

/** A line as it is sent; the same in receipts, deliveries and sales of a ledger. */
export const lineShape = {
  PackageLabel: 'text!',
  Quantity: 'quantity!',
  UnitOfMeasure: 'text!',
  TotalAmount: 'money!',
  UnitThcPercent: 'number',
  UnitThcContent: 'number',
  UnitThcContentUnitOfMeasure: 'text',
  UnitWeight: 'number',
  UnitWeightUnitOfMeasure: 'text',
  InvoiceNumber: 'text',
  Price: 'tax',
  ExciseTax: 'tax',
  CityTax: 'tax',
  CountyTax: 'tax',
  MunicipalTax: 'tax',
  DiscountAmount: 'tax',
  SubTotal: 'tax',
  SalesTax: 'tax',
  QrCodes: 'texts',
} as const;

type SentLine = Sent<typeof lineShape>;

interface LineRules {
  /** Two lines with one label are refused. */
  readonly labelsDiffer: boolean;
  /** Packages that may be on an open ledger, because the sale is that ledger's own. */
  readonly carried?: readonly number[];
  /** Stock that a courier carries has no amount. */
  readonly isStock?: true;
}

/** The lines of a sale, checked. Fails with a RefusedRow that names every line at fault. */
export function soldLines(call: Call, sent: readonly SentLine[], rules: LineRules): SoldLine[] {
  const { world } = call;
  const problems: string[] = [];
  if (sent.some(({ QrCodes }) => QrCodes !== null) && !hasRight(call, 'Retail ID')) {
    throw unauthorized();
  }
  const labels = sent.map(({ PackageLabel }) => PackageLabel);
  if (rules.labelsDiffer && new Set(labels).size < labels.length) {
    problems.push('A Package is listed more than once.');
  }
  const lines = sent.flatMap((line): SoldLine[] => {
    const from = world.packageByLabel(line.PackageLabel, call.facility.license);
    const blocked = blockOf(world, from, line.PackageLabel, rules);
    if (blocked !== undefined || from === undefined) {
      problems.push(blocked!);
      return [];
    }
    problems.push(...lineProblems(world, line, from, rules));
    return [
      {
        ...{ packageId: from.id, quantity: inUnitOf(world, line, from), amount: line.TotalAmount },
        ...{ codes: line.QrCodes ?? [], sent: line as JsonRow, recordedMs: world.nowMs() },
      },
    ];
  });
  if (problems.length > 0) throw new RefusedRow(...problems);
  return lines;
}

/** Why nothing may be sold from a package; undefined: it may. */
function blockOf(
  world: StateWorld,
  from: StatePackage | undefined,
  label: string,
  { carried = [], isStock }: LineRules,
): string | undefined {
  if (from === undefined || from.isInTransit) {
    return `Package ${label} does not exist in the current Facility.`;
  }
  if (from.archivedDate !== null || from.finishedDate !== null) return `Package ${label} is not active.`;
  if (from.isOnHold || from.isOnRecall === true) return `Package ${label} is on hold.`;
  // Two couriers may carry of one package: only other sales are said to be refused.
  const isOnOther = !isStock && !carried.includes(from.id) && isOnOpenLedger(world, from.id);
  if (isOnOther && world.settings['ledger-sale'] === '400')
    return `Package ${label} is on a Retailer Delivery.`;
  return undefined;
}

function lineProblems(
  { settings }: StateWorld,
  line: SentLine,
  from: StatePackage,
  { isStock }: LineRules,
): string[] {
  const problems: string[] = [];
  const unit = unitNamed(line.UnitOfMeasure);
  const sameKind = unit?.kind === unitNamed(from.unit)?.kind && unit?.kind !== 'CountBased';
  const isConverted = settings['unit-mismatch'] === 'convert' && sameKind;
  if (line.UnitOfMeasure.toLowerCase() !== from.unit.toLowerCase() && !isConverted) {
    problems.push(`Unit Of Measure "${line.UnitOfMeasure}" does not match that of Package ${from.label}.`);
  }
  if (line.Quantity <= 0) problems.push(`The Quantity of Package ${from.label} must be greater than zero.`);
  if (line.TotalAmount < 0 || (line.TotalAmount === 0 && !isStock && settings['zero-amount'] === '400')) {
    problems.push(`The Total Amount of Package ${from.label} is not valid.`);
  }
  if (settings.qr === '400') {
    for (const code of line.QrCodes ?? []) {
      if (!from.codes.includes(code))
        problems.push(`QR Code ${code} does not belong to Package ${from.label}.`);
      else if (from.soldCodes.includes(code)) problems.push(`QR Code ${code} was sold before.`);
    }
  }
  return problems;
}

function inUnitOf({ settings }: StateWorld, line: SentLine, from: StatePackage): number {
  const [sent, own] = [unitNamed(line.UnitOfMeasure), unitNamed(from.unit)];
  if (sent === undefined || own === undefined || sent === own) return line.Quantity;
  return decimal(line.Quantity)
    .times(sent.size)
    .div(own.size)
    .round(decimalsBy(settings).quantity, 1)
    .toNumber();
}

/** By package, what lines take from it. */
function takenBy(lines: readonly SoldLine[]): Map<number, number> {
  const taken = new Map<number, number>();
  for (const { packageId, quantity } of lines)
    taken.set(packageId, plus(taken.get(packageId) ?? 0, quantity));
  return taken;
}

/**
 * Moves stock so that `after` is sold in the place of `before`. Fails with a RefusedRow if a package has less, unless the switch
 * lets it go below zero.
 */
export function moveStock(world: StateWorld, before: readonly SoldLine[], after: readonly SoldLine[]): void {
  const [old, taken] = [takenBy(before), takenBy(after)];
  const problems: string[] = [];
  for (const id of new Set([...old.keys(), ...taken.keys()])) {
    const from = world.packages.byId(id);
    if (from === undefined) continue;
    const given = minus(old.get(id) ?? 0, taken.get(id) ?? 0);
    const isShort = given < 0 && plus(from.quantity, given) < 0;
    if (isShort && world.settings.oversell === '400') {
      problems.push(`Package ${from.label} does not have enough quantity.`);
      continue;
    }
    const soldBefore = before.filter(({ packageId }) => packageId === id).flatMap(({ codes }) => codes);
    const soldNow = after.filter(({ packageId }) => packageId === id).flatMap(({ codes }) => codes);
    const soldCodes = [...from.soldCodes.filter((code) => !soldBefore.includes(code)), ...soldNow];
    const isBack = from.finishedDate !== null && given > 0;
    const changes = isBack ? backToFinished(world, from, given) : { quantity: plus(from.quantity, given) };
    world.packages.change(id, { isUsed: true, soldCodes, ...changes });
    finishAtZero(world, id);
  }
  if (problems.length > 0) throw new RefusedRow(...problems);
}

/** What comes back to a package that was finished meanwhile, by the switch. */
function backToFinished(world: StateWorld, from: StatePackage, given: number): Partial<StatePackage> {
  switch (world.settings['void-finished']) {
    case '400':
      throw new RefusedRow(`Package ${from.label} is finished.`);
    case 'negative':
      return { quantity: minus(from.quantity, given) };
    default:
      return { quantity: plus(from.quantity, given), finishedDate: null };
  }
}

/** A package that is sold out stays active with 0, unless the switch finishes it. */
export function finishAtZero(world: StateWorld, id: number): void {
  const it = world.packages.byId(id)!;
  const facility = world.facility(it.license);
  if (world.settings['auto-finish'] !== 'at-zero' || it.quantity !== 0 || facility === undefined) return;
  world.packages.change(id, { finishedDate: world.todayAt(facility) });
}

/** How many packages a sale counts, and its sum. */
export function totalsOf({ settings }: StateWorld, lines: readonly SoldLine[]): JsonRow {
  const labels = new Set(lines.map(({ packageId }) => packageId));
  return {
    TotalPackages: settings['count-lines'] === '1' ? labels.size : lines.length,
    TotalPrice: sumOf(lines.map(({ amount }) => amount)),
  };
}

const lineTemplate = membersOf(
  `ItemStrainName ItemSupplyDurationDays ${contentMembers.replaceAll(/\b(Unit|Serving)/g, 'Item$1')}`,
  null,
);

const moneyMembers = `InvoiceNumber Price ExciseTax CityTax CountyTax MunicipalTax DiscountAmount SubTotal SalesTax`;

/** A line as a sale shows it when it is read by its id. */
export function printLine(
  world: StateWorld,
  line: SoldLine,
  sale: { readonly by: string; readonly archivedDate: string | null; readonly state: string | null },
): Json {
  const from = world.packages.byId(line.packageId);
  const item = from && world.items.byId(from.itemId);
  const recorded = utcInstant(line.recordedMs);
  return {
    ...lineTemplate,
    ...{ PackageId: line.packageId, PackageLabel: line.sent.PackageLabel! },
    ...{ ProductName: item?.name ?? null, ProductCategoryName: item?.category ?? null },
    ItemStrainName: item?.strain ?? null,
    QuantitySold: line.quantity,
    ...unitMembers(from?.unit ?? String(line.sent.UnitOfMeasure)),
    ...{ TotalPrice: line.amount, SalesDeliveryState: sale.state, ArchivedDate: sale.archivedDate },
    ...{ RecordedDateTime: recorded, RecordedByUserName: sale.by },
    LastModified: preciseInstant(line.recordedMs * 1_000),
    ...(world.settings['line-shape'] === 'with-money-fields' && {
      ...membersOf(moneyMembers, null),
      ...Object.fromEntries(moneyMembers.split(/\s+/).map((name) => [name, line.sent[name] ?? null])),
      QrCodes: line.codes,
    }),
  };
}
