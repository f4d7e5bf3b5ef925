import { localDayOfSale, signedSums } from '../former-sales/former-sales.ts';
import type { ImportFields, ImportKind } from '../imports/imports.ts';
import { productImport } from '../imports/imports.ts';
import {
  closingImport,
  customerImport,
  discountImport,
  packageImport,
  saleImport,
  staffImport,
  stateImport,
  vendorImport,
} from './import-kinds.ts';
import { amountAt } from './load-packages.ts';
import type { MoveFileKind, SumsOfFile } from './sums-of-file.ts';

/** The rules of each kind of file that need no shop. */
const importOf = {
  ...{ products: productImport, packages: packageImport, customers: customerImport, vendors: vendorImport },
  ...{ staff: staffImport, sales: saleImport, discounts: discountImport, closings: closingImport },
  state: stateImport,
} as const;

/** How a file of that kind is named and mapped. */
export function importOfKind(kind: MoveFileKind): Pick<ImportKind<never>, 'noun' | 'fields'> {
  return importOf[kind];
}

/** The fields that a column of such a file can fill. */
export function fieldsOfKind(kind: MoveFileKind): ImportFields {
  return importOf[kind].fields;
}

/** The names of the fields of all kinds. */
export const moveFieldNames = [
  ...new Set(Object.values(importOf).flatMap(({ fields }) => Object.keys(fields as ImportFields))),
].toSorted() as [string, ...string[]];

interface Of {
  readonly till: string;
  /** The time zone of the shop. */
  readonly tz: string;
  readonly sums: SumsOfFile;
}

type Run<Result> = <Row>(kind: ImportKind<Row>) => Promise<Result>;

/** Reads a file of a move by the rules of its kind: the rows that are not refused are added up, under the till of the move. */
export function runOfKind<Result>(
  fileKind: MoveFileKind,
  { till, tz, sums }: Of,
  run: Run<Result>,
): Promise<Result> {
  switch (fileKind) {
    case 'products':
      return run(
        adding(productImport, ({ request }) => sums.product(request.options.map(({ price }) => price))),
      );
    case 'packages':
      return run(
        adding(packageImport, ({ options }) => {
          for (const place of options) sums.stock(amountAt(place), place.unitCost ?? null);
        }),
      );
    case 'vendors':
      return run(vendorImport);
    case 'staff':
      return run(staffImport);
    case 'discounts':
      return run(adding(discountImport, (use) => sums.discount(use)));
    case 'closings':
      return run(adding(closingImport, (day) => sums.closing(day)));
    case 'state':
      return run(
        adding(stateImport, ({ tag, quantity }) => {
          if (Number(quantity) !== 0) sums.package(tag, quantity);
        }),
      );
    case 'customers':
      return run(
        adding(ofTill(customerImport, till), ({ profile, former }) =>
          sums.customer({
            ...{ points: former?.points ?? '0', creditCents: former?.creditCents ?? 0 },
            hasConsent: profile.marketingOptIn,
          }),
        ),
      );
    case 'sales':
      return run(
        adding(ofTill(saleImport, till), (sale) => sums.sale(localDayOfSale(sale, tz), signedSums(sale))),
      );
  }
}

function adding<Row>(kind: ImportKind<Row>, add: (row: Row) => void): ImportKind<Row> {
  return {
    ...kind,
    write: async (...given) => {
      const outcomes = await kind.write(...given);
      for (const [at, { kind: result }] of outcomes.entries()) {
        if (result !== 'refused') add(given[3][at]!);
      }
      return outcomes;
    },
  };
}

/** The till of the move, unless the file says another one. */
function ofTill<Row>(kind: ImportKind<Row>, till: string): ImportKind<Row> {
  return {
    ...kind,
    read: (body) => {
      const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
      return kind.read(isObject ? { till, ...body } : body);
    },
  };
}
