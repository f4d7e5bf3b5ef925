import { assert } from '../../kernel/assert.ts';
import type { AbsentField } from '../../platform/http/endpoint.ts';

/* Checks of a cart body that a schema cannot express. */

/** D19: an address is required for deliveries. */
export function missingAddress(body: unknown): string[] {
  const { type, address } = (body ?? {}) as Record<string, unknown>;
  return type === 'delivery' && (address ?? null) === null ? ['address'] : [];
}

/** D19: a customer needs email or phone. `at` is the body path, with its trailing dot. */
export function missingContact(body: unknown, at = ''): AbsentField[] {
  const { customer } = (body ?? {}) as Record<string, unknown>;
  if (typeof customer !== 'object' || customer === null || Array.isArray(customer)) return [];
  const { email, phone, token } = customer as Record<string, unknown>;
  if (!isBlank(token)) return [];
  return isBlank(email) && isBlank(phone) ? [[`${at}customer.email`, `${at}customer.phone`]] : [];
}

function isBlank(value: unknown): boolean {
  return (value ?? null) === null || (typeof value === 'string' && value.trim() === '');
}

/**
 * The ZIP code of a cart that is only priced (D79): the address counts before `postalCode`, as an order has only the address. Null:
 * neither names one, or the cart is no delivery.
 */
export function postalCodeOf(body: {
  readonly type: string;
  readonly postalCode?: string | null;
  readonly address?: { readonly postalCode?: string | null } | null;
}): string | null {
  if (body.type !== 'delivery') return null;
  return body.address?.postalCode ?? body.postalCode ?? null;
}

/** D19: an address is allowed only for deliveries. */
export function deliveryAddress(body: {
  readonly type: string;
  readonly address?: null | {
    readonly street1: string;
    readonly street2?: string | null;
    readonly city: string;
    readonly state: string;
    readonly postalCode: string;
  };
}) {
  if (body.type !== 'delivery') return null;
  assert(body.address != null, 'the check accepted a delivery without address');
  return { ...body.address, street2: body.address.street2 ?? null };
}
