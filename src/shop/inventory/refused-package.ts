import { blockWords } from '../../engines/state-reports/state-package.ts';
import { canonicalDecimalText, type Decimal, decimalText, zero } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { NamedPackageRow } from './named-package-queries.ts';

/** What is to be taken from a package. */
interface Wanted {
  readonly packageId: number;
  readonly productId: number;
  readonly productName: string;
  readonly amount: Decimal;
  /** Where the sale may take it from. */
  readonly places: readonly number[];
}

/** Fails with PACKAGE_NOT_FOUND for a package that the shop does not have. */
export function assertPackagesKnown(
  named: readonly { readonly packageId: number }[],
  rows: readonly NamedPackageRow[],
): void {
  const unknown = named.find(({ packageId }) => rows.every(({ id }) => id !== packageId));
  if (unknown === undefined) return;
  throw failure(
    'PACKAGE_NOT_FOUND',
    `packageId must be the id of a package: there is no ${unknown.packageId}.`,
  );
}

/** Why a package cannot give what is wanted of it, in the words of the counter; null: it can. `rows`: as `selectNamedPackages` has them. */
export function refusedPackage(
  { packageId, productId, productName, amount, places }: Wanted,
  rows: readonly NamedPackageRow[],
): string | null {
  const own = rows.filter(({ id }) => id === packageId);
  const [row] = own;
  if (row === undefined) return null;
  const label = `Package ${row.label}`;
  if (row.product_id !== productId) {
    return `${label} holds ${row.product_name ?? 'goods that are not in the catalog'}, not ${productName}.`;
  }
  const inWords = (sum: Decimal) =>
    `${canonicalDecimalText(decimalText(sum))}${row.product_unit === 'gram' && row.inventory_type === 'product' ? ' g' : ''}`;
  const sumOf = (some: readonly NamedPackageRow[]) =>
    some.reduce((sum, { on_hand }) => sum.plus(on_hand ?? 0), zero);
  const all = sumOf(own);
  const whole = all.gt(zero) ? `${label} with ${inWords(all)} of ${productName}` : label;
  const block = blockOf(row);
  if (block !== null) return `${whole} cannot be sold: ${block}.`;
  const here = own.filter(({ location_id: id }) => id !== null && places.includes(id));
  const [open] = here.filter(({ is_quarantine: isQuarantine }) => !isQuarantine);
  if (open !== undefined || all.lte(zero)) {
    const left = sumOf(here.filter(({ is_quarantine: isQuarantine }) => !isQuarantine));
    return left.gte(amount)
      ? null
      : `${label} has ${inWords(left)} of ${productName} left, and ${inWords(amount)} are asked.`;
  }
  if (own.every(({ is_quarantine: isQuarantine }) => isQuarantine)) {
    return `${whole} cannot be sold: it is in quarantine.`;
  }
  return `${whole} is at ${row.location_name}, where this sale takes nothing from.`;
}

/** Why nothing of the package is sold; null: it is. */
function blockOf(row: NamedPackageRow): string | null {
  if (row.status !== 'received') {
    return row.status === 'ready' || row.status === 'syncing' ? 'it is not received yet' : 'it is finished';
  }
  if (row.block !== null) {
    const reason = row.block === 'shop-hold' && row.hold_reason !== null ? ` (${row.hold_reason})` : '';
    return `${blockWords[row.block]}${reason}`;
  }
  if (row.trade_sample) return 'it is a trade sample';
  return row.is_expired ? `it expired on ${row.expiration_date}` : null;
}
