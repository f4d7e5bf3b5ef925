import { api, dataOf, type Schema } from '../../api.ts';
import { allPages } from '../../parts/all-pages.ts';
import type { Tone } from '../../parts/status-badge.tsx';
import { t } from '../../words/words.ts';

export type PurchaseOrder = Schema['PurchaseOrder'];
export type PurchaseLine = PurchaseOrder['lineItems'][number];
export type Vendor = Schema['InventoryVendor'];

export const paymentTones: Readonly<Record<PurchaseOrder['paymentStatus'], Tone>> = {
  paid: 'good',
  partial: 'waiting',
  unpaid: 'neutral',
};

export const termLabels: Readonly<Record<NonNullable<PurchaseOrder['paymentTerms']>, string>> = {
  net15: t`Net 15`,
  net30: t`Net 30`,
  net60: t`Net 60`,
  cod: t`On delivery`,
  custom: t`On a due date`,
};

/** `Glass Orchard · Ounce`. */
export function lineName(line: Pick<PurchaseLine, 'product' | 'productOption'>): string {
  return line.productOption ? `${line.product.name} · ${line.productOption.name}` : line.product.name;
}

/** When goods of it last came; null: none have. */
export function lastReceivedAt({ lineItems }: PurchaseOrder): string | null {
  const times = lineItems.flatMap(({ receptions }) => receptions.map(({ createdAt }) => createdAt));
  return times.toSorted().at(-1) ?? null;
}

/** `INV-20`, or the order's own number. */
export function orderName(order: PurchaseOrder): string {
  return order.externalInvoiceNumber ?? t`Order ${order.id}`;
}

/** The current version of one order. */
export const purchaseOrderQuery = (purchaseOrderId: number) => ({
  queryKey: ['purchase-orders', purchaseOrderId] as const,
  queryFn: () =>
    dataOf(api.GET('/staff/v1/purchase-orders/{purchaseOrderId}', { params: { path: { purchaseOrderId } } })),
});

export const vendorsQuery = {
  queryKey: ['inventory-vendors', 'all'] as const,
  queryFn: () =>
    allPages((startingAfter) =>
      dataOf(api.GET('/staff/v1/inventory-vendors', { params: { query: { startingAfter } } })),
    ),
  staleTime: 60_000,
};
