import { ApiFailure, api, dataOf, type Schema } from '../../api.ts';
import { allPages } from '../../parts/all-pages.ts';
import type { Tone } from '../../parts/status-badge.tsx';

export type PurchaseOrder = Schema['PurchaseOrder'];
export type PurchaseLine = PurchaseOrder['lineItems'][number];
export type Vendor = Schema['InventoryVendor'];

export const paymentTones: Readonly<Record<PurchaseOrder['paymentStatus'], Tone>> = {
  paid: 'good',
  partial: 'waiting',
  unpaid: 'neutral',
};

export const termLabels: Readonly<Record<NonNullable<PurchaseOrder['paymentTerms']>, string>> = {
  net15: 'Net 15',
  net30: 'Net 30',
  net60: 'Net 60',
  cod: 'On delivery',
  custom: 'Until a day',
};

/** `Glass Orchard · Ounce`. */
export function lineName(line: Pick<PurchaseLine, 'product' | 'productOption'>): string {
  return line.productOption ? `${line.product.name} · ${line.productOption.name}` : line.product.name;
}

/** `INV-20`, or its own number. */
export function orderName(order: PurchaseOrder): string {
  return order.externalInvoiceNumber ?? `Order ${order.id}`;
}

const page = (startingAfter: number | undefined) =>
  dataOf(api.GET('/staff/v1/purchase-orders', { params: { query: { startingAfter } } }));

/** One order. The service lists them and nothing else, so it is looked for page after page, newest first. */
export const purchaseOrderQuery = (id: number) => ({
  queryKey: ['purchase-orders', id] as const,
  queryFn: async (): Promise<PurchaseOrder> => {
    const rows = await allPages(page, (rows) => rows.some((row) => row.id === id));
    const order = rows.find((row) => row.id === id);
    if (order) return order;
    throw new ApiFailure({
      message: 'There is no such purchase order.',
      code: 'PURCHASE_ORDER_NOT_FOUND',
      status: 404,
    });
  },
});

export const vendorsQuery = {
  queryKey: ['inventory-vendors', 'all'] as const,
  queryFn: () =>
    allPages((startingAfter) =>
      dataOf(api.GET('/staff/v1/inventory-vendors', { params: { query: { startingAfter } } })),
    ),
  staleTime: 60_000,
};
