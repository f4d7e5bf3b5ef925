import { freshKey } from '../../parts/fresh-key.ts';
import type { PurchaseOrder } from './purchase-words.ts';

/** What the certificate of a lab says; what is empty is not sent. */
export interface Certificate {
  readonly thcPercent?: string | null;
  readonly cbdPercent?: string | null;
  readonly labName?: string | null;
  readonly labDate?: string | null;
  readonly certificateUrl?: string | null;
}

/** The received amount of one line at one location. */
export interface Portion {
  readonly key: string;
  readonly lineItemId: number;
  readonly amount: string;
  readonly location: string | null;
  /** Empty: stock without a package. */
  readonly label: string;
  readonly expirationDate: string | null;
  /** What the certificate of the lab says. */
  readonly certificate?: Certificate;
  /** On the invoice, in dollars; empty: as ordered. */
  readonly costPerUnit?: string;
  /** More than the manifest of the package says is meant. */
  readonly confirmExcess?: boolean;
}

export function blankPortion(lineItemId: number, location: string | null): Portion {
  return { key: freshKey(), lineItemId, amount: '', location, label: '', expirationDate: null };
}

/** A portion as the request has it; missing fields are left out, so the service names them. */
export function receptionBody(portion: Portion) {
  const { lineItemId, amount, location, label, expirationDate, certificate, costPerUnit, confirmExcess } =
    portion;
  return {
    lineItemId,
    ...({ inventoryLocationId: location ? Number(location) : undefined } as { inventoryLocationId: number }),
    amount,
    ...(costPerUnit && { costPerUnit }),
    ...(confirmExcess && { confirmExcess }),
    ...(label.trim() && {
      package: {
        label: label.trim().toUpperCase(),
        ...(expirationDate && { expirationDate }),
        ...Object.fromEntries(Object.entries(certificate ?? {}).filter(([, value]) => value)),
      },
    }),
  };
}

/** A kept draft of this order. Its lines may have changed since: then it is not taken up. */
export function isDraftOf(order: PurchaseOrder) {
  return (value: unknown): value is readonly Portion[] =>
    Array.isArray(value) &&
    value.every(
      (it: Partial<Portion> | null) =>
        typeof it?.key === 'string' &&
        typeof it.amount === 'string' &&
        typeof it.label === 'string' &&
        order.lineItems.some(({ id }) => id === it.lineItemId),
    ) &&
    order.lineItems.every(({ id }) => value.some(({ lineItemId }: Portion) => lineItemId === id));
}
