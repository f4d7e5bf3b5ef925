import { api, dataOf, type Schema } from '../../api.ts';
import { isByGram } from '../../parts/stock-item-picker.tsx';
import { said, t } from '../../words/words.ts';

export type StockLevel = Schema['StockLevel'];
export type LedgerEntry = Schema['StockLedgerEntry'];
export type Location = Schema['KeptInventoryLocation'];
export type Package = Schema['Package'];

export const locationsQuery = {
  queryKey: ['inventory-locations'] as const,
  queryFn: () => dataOf(api.GET('/staff/v1/inventory-locations')),
  staleTime: 60_000,
};

/** The active locations, as options of a select. */
export function locationChoices(locations: readonly Location[] | undefined) {
  return (locations ?? [])
    .filter(({ archivedAt }) => archivedAt === null)
    .map(({ id, name }) => ({ value: String(id), label: name }));
}

/** `Velvet Tide · Eighth`. */
export function itemName(item: Pick<StockLevel, 'productName' | 'optionName'>): string {
  return item.optionName === null ? item.productName : `${item.productName} · ${item.optionName}`;
}

export const notSellableWords: Readonly<Record<NonNullable<StockLevel['notSellable']>, string>> = {
  'not-received': t`Not received`,
  finished: t`Finished`,
  'on-hold': t`On hold`,
  'trade-sample': t`Trade sample`,
  'state-on-hold': t`The state has it on hold`,
  'state-recalled': t`Recalled by the state`,
  'state-lab-failed': t`Failed its lab test`,
  'state-not-accepted': t`Not accepted on the state's website`,
  'state-sent-back': t`Sent back on the state's website`,
  expired: t`Expired`,
  quarantine: t`Quarantine`,
};

export const causeWords: Readonly<Record<LedgerEntry['cause'], string>> = {
  received: t`Received`,
  taken: t`Sold`,
  'given-back': t`Released`,
  returned: t`Returned`,
  wasted: t`Wasted`,
  adjusted: t`Adjusted`,
  counted: t`Counted`,
  moved: t`Moved`,
};

/** A package that went back has a reason if it was rejected when it came. */
export function isRejectedPackage({ status, voidReason }: Pick<Package, 'status' | 'voidReason'>): boolean {
  return status === 'transfer-returned' && voidReason !== null;
}

/** The unit in which stock of a package is kept, inside a sentence; empty before its product is known. */
export function stockUnitOf({ product }: Pick<Package, 'product'>): string {
  return product === null ? '' : said(isByGram(product) ? 'Grams' : 'Each').toLowerCase();
}

/** An amount with the unit in which an item is kept: `42.5 grams`, `3 each`. */
export function amountIn(amount: string, unit: StockLevel['unit']): string {
  return `${amount} ${unitWord(unit)}`;
}

/** That unit, inside a sentence. */
export function unitWord(unit: StockLevel['unit']): string {
  return said(unit === 'gram' ? 'Grams' : 'Each').toLowerCase();
}

/** The path of an item's ledger, for all its locations. */
export function ledgerPath(item: Pick<StockLevel, 'productId' | 'productOptionId'>): string {
  const option = item.productOptionId === null ? '' : `&productOptionId=${item.productOptionId}`;
  return `/inventory/ledger?productId=${item.productId}${option}`;
}

/** A number with its sign: `+3`, `−2`. */
export function signed(delta: string): string {
  return delta.startsWith('-') ? `−${delta.slice(1)}` : `+${delta}`;
}
