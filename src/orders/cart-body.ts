import { assert } from '../kernel/assert.ts';

/* What a schema cannot say of the body of a cart. */

/** D19: an address is required for deliveries. */
export function missingAddress(body: unknown): string[] {
  const { type, address } = (body ?? {}) as Record<string, unknown>;
  return type === 'delivery' && address === undefined ? ['address'] : [];
}

/** D19: a customer needs email or phone. */
export function missingContact(body: unknown): string[] {
  const { customer } = (body ?? {}) as Record<string, unknown>;
  if (typeof customer !== 'object' || customer === null || Array.isArray(customer)) return [];
  const { email, phone } = customer as Record<string, unknown>;
  return isBlank(email) && isBlank(phone) ? ['customer.email'] : [];
}

function isBlank(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value.trim() === '');
}

/** D19: an address means nothing but for deliveries. */
export function deliveryAddress(body: {
  readonly type: string;
  readonly address?: {
    readonly street1: string;
    readonly street2?: string | null;
    readonly city: string;
    readonly state: string;
    readonly postalCode: string;
  };
}) {
  if (body.type !== 'delivery') return null;
  assert(body.address !== undefined, 'a delivery without address was refused');
  return { ...body.address, street2: body.address.street2 ?? null };
}
