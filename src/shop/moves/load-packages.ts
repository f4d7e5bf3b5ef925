import Type, { type Static } from 'typebox';
import { decimal, decimalText, zero } from '../../kernel/decimal.ts';
import { Failure, failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { ImportOutcome } from '../../kernel/import-outcome.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { requestValidator } from '../../platform/http/request-validation.ts';
import { List, LocalDate, Nullable, Text } from '../../platform/http/schemas.ts';
import { SoldGoods, selectOptionsOf } from '../former-sales/former-sales.ts';
import { createLocations, readPackageUnit, receiveStock, receptionGuards } from '../inventory/stock.ts';
import { selectPackagesOfTags, selectPlacesOfMove } from './move-queries.ts';

const further = (max: number) => Type.Optional(Nullable(Text({ max })));

/** A package with a row for each of its places, as lists of stock have it. */
const Row = Type.Object({
  tag: Text({ min: 1, max: 100 }),
  productName: Text({ min: 1, max: 500 }),
  ...{ brandName: further(200), sku: further(100), upc: further(100), size: further(200) },
  ...{ unit: further(50), expirationDate: Type.Optional(Nullable(LocalDate())) },
  options: List(
    Type.Object({
      location: further(200),
      quantity: Text({ min: 1, max: 40 }),
      /** What is set aside there: it lies in the shop, too. */
      ...{ reserved: further(40), packed: further(40) },
      /** Dollars for one of the row's `unit`. */
      unitCost: further(40),
    }),
    { min: 1, max: 500 },
  ),
});

const validate = requestValidator({ body: Row, resourceParams: {} });

export interface PackageToLoad extends Static<typeof Row> {
  /** As the list of units names it; null: in units of stock. */
  readonly unit: string | null;
}

/** Parses a package of another till. Fails with MISSING_PARAMS and INVALID_PARAMS. */
export function readPackageRow(body: unknown): PackageToLoad {
  const sent = validate({}, {}, body, true).body as Static<typeof Row>;
  for (const [at, place] of sent.options.entries()) {
    for (const field of ['quantity', 'reserved', 'packed', 'unitCost'] as const) {
      if (/^\d{1,12}(\.\d{1,12})?$/.test(place[field] ?? '0')) continue;
      throw failure('INVALID_PARAMS', `options[${at}].${field} must be a number of 0 or more.`);
    }
  }
  return { ...sent, unit: sent.unit == null ? null : readPackageUnit(sent.unit) };
}

/** The state gives a tag once. */
export function packageRowKeys({ tag }: PackageToLoad): readonly string[] {
  return [tag];
}

/** The stock of a place, with what is set aside there. */
export function amountAt(place: PackageToLoad['options'][number]) {
  return [place.reserved, place.packed].reduce((sum, more) => sum.plus(more ?? '0'), decimal(place.quantity));
}

interface Loading {
  readonly context: Context;
  readonly origin: Origin;
  readonly organization: OrganizationId;
  readonly isTrial: boolean;
}

/**
 * Receives packages of another till with their tags, each into its places, which are made where the shop has none of that name. A tag
 * that is on file stays as it is, and one without stock is none. A package whose product cannot be told is refused, and stops no
 * other. Resolves to the result of each, in order; `isTrial` writes nothing.
 */
export async function loadPackages(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  rows: readonly PackageToLoad[],
  { isTrial }: { readonly isTrial: boolean },
): Promise<ImportOutcome[]> {
  const loading = { context, origin, organization, isTrial };
  const placeOf = await placesOf(loading, rows);
  try {
    return await received(loading, rows, placeOf);
  } catch (problem) {
    if (!(problem instanceof Failure)) throw problem;
  }
  // One of them is refused by the rules of stock: each by itself tells which.
  const outcomes: ImportOutcome[] = [];
  for (const row of rows) {
    try {
      outcomes.push(...(await received(loading, [row], placeOf)));
    } catch (problem) {
      if (!(problem instanceof Failure)) throw problem;
      outcomes.push({ kind: 'refused', problem });
    }
  }
  return outcomes;
}

type PlaceOf = (name: string | null | undefined) => number;

const plain = (name: string) => name.trim().toLowerCase();

async function placesOf(
  { context, origin, organization, isTrial }: Loading,
  rows: readonly PackageToLoad[],
): Promise<PlaceOf> {
  const [places] = await context.database.read(organization, selectPlacesOfMove({}));
  const idOf = new Map(places.map(({ id, name }) => [plain(name), id]));
  const lacking = new Map<string, string>();
  for (const { options } of rows) {
    for (const { location } of options) {
      const name = location?.trim() ?? '';
      if (name !== '' && !idOf.has(plain(name))) lacking.set(plain(name), name);
    }
  }
  const first = places[0]?.id;
  if (lacking.size > 0 && !isTrial) {
    const made = await createLocations(context, origin, organization, {
      locations: [...lacking.values()].map((name) => ({
        ...{ name, description: null, type: 'standard' as const },
      })),
      drawnFrom: { delivery: [], pickup: [], 'in-store': [] },
    });
    for (const [name, id] of made) idOf.set(plain(name), id);
  }
  return (name) => {
    const id = name == null || name.trim() === '' ? first : (idOf.get(plain(name)) ?? first);
    if (id !== undefined) return id;
    throw failure('INVALID_PARAMS', 'options[0].location must be said: the shop has no place for stock yet.');
  };
}

/** Ends a trial: what it wrote is taken back. */
class TrialOver extends Error {
  override name = 'TrialOver';
}

async function received(
  { context, origin, organization, isTrial }: Loading,
  rows: readonly PackageToLoad[],
  placeOf: PlaceOf,
): Promise<ImportOutcome[]> {
  let outcomes: ImportOutcome[] = [];
  try {
    await context.database.write(
      organization,
      async (tx) => {
        outcomes = await receivedIn(tx, { context, origin, rows, placeOf });
        if (isTrial) throw new TrialOver();
      },
      { retryOnConstraints: receptionGuards },
    );
  } catch (problem) {
    if (!(problem instanceof TrialOver)) throw problem;
  }
  return outcomes;
}

async function receivedIn(
  tx: TenantTransaction,
  {
    context,
    origin,
    rows,
    placeOf,
  }: Pick<Loading, 'context' | 'origin'> & { rows: readonly PackageToLoad[]; placeOf: PlaceOf },
): Promise<ImportOutcome[]> {
  const nowMs = context.clock.now();
  const [known, options] = await tx.run(
    selectPackagesOfTags({ labels: rows.map(({ tag }) => tag) }),
    selectOptionsOf(rows),
  );
  const idOf = new Map(known.map(({ label, id }) => [label, id]));
  const goods = new SoldGoods(options);
  const planned = rows.map((row) => {
    const places = row.options.filter((place) => amountAt(place).gt(zero));
    const here = idOf.get(row.tag);
    if (here !== undefined) return { outcome: { kind: 'known', id: here } as const };
    if (places.length === 0) return { outcome: emptyPackage };
    const goodsOfRow = goods.stockOf(row);
    if (goodsOfRow === null) return { outcome: { kind: 'refused', problem: noProduct() } as const };
    return { row, places, goodsOfRow };
  });
  const sent = planned.flatMap((it) => (it.row === undefined ? [] : [it]));
  const count = sent.reduce((sum, { places }) => sum + places.length, 0);
  const ids = await context.ids.take(count);
  const receptions = sent.flatMap(({ row, places, goodsOfRow }) =>
    places.map((place) => ({
      ...{ productId: goodsOfRow.product_id, productOptionId: goodsOfRow.option_id },
      ...{ causeId: ids.pop()!, locationId: placeOf(place.location), amount: amountAt(place) },
      ...{ unit: row.unit, costPerUnit: place.unitCost ?? '0', costsPerSentUnit: true as const },
      ...{ multiplier: null, confirmsExcess: true },
      package: { label: row.tag, details: detailsOf(row) },
      pathOf: (field: string) => pathsOf[field] ?? field,
    })),
  );
  const results = await receiveStock(tx, context, origin, nowMs, receptions);
  const packageOf = new Map(receptions.map((it, at) => [it.package.label, results[at]!.packageId!]));
  await announce(
    tx,
    context,
    origin,
    nowMs,
    ...receptions.map(({ productId, productOptionId, locationId, package: { label } }, at) => {
      const packageId = packageOf.get(label)!;
      const facts = {
        ...{ packageId, productId, productOptionId, inventoryLocationId: locationId },
        amount: decimalText(results[at]!.stock),
      };
      return {
        ...{ event: 'package.received' as const, subjectType: 'package' as const, subjectId: packageId },
        ...{ payload: facts, details: { ...facts, label } },
      };
    }),
  );
  return planned.map(
    (it): ImportOutcome => it.outcome ?? { kind: 'created', id: packageOf.get(it.row.tag)!, ...remarks(it) },
  );
}

/** Where the words of stock stand in a row. */
const pathsOf: Readonly<Record<string, string>> = {
  amount: 'options[0].quantity',
  productId: 'productName',
  productOptionId: 'productName',
  package: 'productName',
  multiplier: 'unit',
  inventoryLocationId: 'options[0].location',
};

const emptyPackage = {
  ...{ kind: 'known' as const, id: 0 },
  warnings: [{ path: 'options[0].quantity', message: 'is nothing, so no package was made' }],
};

function noProduct() {
  return failure('INVALID_PARAMS', 'productName must be that of one product here, with its size or SKU.');
}

function detailsOf({ productName, expirationDate }: PackageToLoad) {
  return { externalProductName: productName, ...(expirationDate != null && { expirationDate }) };
}

function remarks({ places }: { readonly places: PackageToLoad['options'] }) {
  if (places.every(({ unitCost }) => unitCost != null)) return {};
  return { warnings: [{ path: 'options[0].unitCost', message: 'is not said, so the stock costs nothing' }] };
}
