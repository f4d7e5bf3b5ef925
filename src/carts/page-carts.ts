import type { Caller } from '../http/endpoint.ts';
import { failure } from '../kernel/failure.ts';
import type { CartRequest } from './cart-request.ts';

/* Carts of web pages: the caller is any visitor (D67), and who the customer is was only claimed (D62). */

/** Fails with INVALID_PARAMS for fields that visitors could set to their advantage: the fee is the zone's. */
export function assertPageMaySend(
  { origins }: Pick<Caller, 'origins'>,
  body: { readonly deliveryFee?: number | null; readonly deliveryFeeDescription?: string | null },
): void {
  if (origins === null) return;
  for (const field of ['deliveryFee', 'deliveryFeeDescription'] as const) {
    if (body[field] == null) continue;
    throw failure(
      'INVALID_PARAMS',
      `${field} must be left out with a publishable key: the fee of the delivery zone applies`,
    );
  }
}

/** Whether nothing proves that the customer of a request is the one whose email or phone it names. */
export function isUnproven({ origins }: Pick<Caller, 'origins'>): boolean {
  return origins !== null;
}

/**
 * The cart as a stranger's of the same birthday, for a preview (D62): nothing on file is looked up, so neither amounts nor
 * the time of the reply tell whether the email is known.
 */
export function asStranger<Request extends CartRequest>(request: Request): Request {
  const { customer } = request;
  if (customer === null) return request;
  return { ...request, customer: { ...customer, emailNormalized: null, phoneNormalized: null } };
}
