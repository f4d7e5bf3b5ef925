import { api, dataOf } from '../api.ts';
import { isPackageTag, isScanCode, significantDigits } from '../scanner/scan-codes.ts';
import type { Ask } from './ask-within.ts';
import { menuQuery } from './menu-query.ts';
import { matchingOptions, type SaleOption, saleOptions } from './sale-options.ts';

/** After this time a look-up counts as failed. */
export const lookUpDeadlineMs = 10_000;

/** The menu items that a scanned code or typed words stand for. */
export async function findGoods(ask: Ask, text: string): Promise<readonly SaleOption[]> {
  if (isPackageTag(text)) return findInPackage(ask, text);
  const isCode = isScanCode(text);
  const { queryKey, queryFn } = menuQuery(isCode ? significantDigits(text) : text);
  const { options } = await ask(queryKey, (signal) => queryFn({ signal }));
  return matchingOptions(options, text, isCode);
}

/** The menu items in the package with this label. */
async function findInPackage(ask: Ask, label: string): Promise<readonly SaleOption[]> {
  const query = { search: label };
  const levels = await ask(['inventory', query], (signal) =>
    dataOf(api.GET('/staff/v1/inventory', { params: { query }, signal })),
  );
  const level = levels.find(({ packageLabel }) => packageLabel?.toUpperCase() === label.toUpperCase());
  if (!level) return [];
  const { productId, productOptionId } = level;
  const product = await ask(['products', productId], (signal) =>
    dataOf(api.GET('/staff/v1/products/{productId}', { params: { path: { productId } }, signal })),
  );
  const options = product.isActive ? saleOptions([product]) : [];
  const [first] = options;
  if (first?.loose && level.packageId !== null) {
    return [{ ...first, jar: { packageId: level.packageId, label: level.packageLabel ?? label } }];
  }
  // Stock per product belongs to all its options.
  return options.filter((option) => productOptionId === null || option.productOptionId === productOptionId);
}
