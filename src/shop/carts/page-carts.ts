import { failure } from '../../kernel/failure.ts';
import type { Context } from '../../platform/database/context.ts';
import type { Caller } from '../../platform/http/endpoint.ts';
import { isPhone, provenContact } from '../customers/customers.ts';
import type { PresentedCustomer } from '../customers/match-customer.ts';
import { type CartBody, type CartRequest, readCart } from './cart-request.ts';

/* Carts whose caller only claims who the customer is (D62), and those of web pages, where the caller is any visitor (D67). */

/** Fails with INVALID_PARAMS for fields that visitors could set to their advantage: the fee is the zone's. */
function assertPageMaySend(
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

/**
 * The cart of a caller of the API, whose customer is proven or only claimed (`isUnproven`). Fails as `readCart`, with
 * INVALID_PARAMS for fields that visitors of a page may not send, and with CUSTOMER_SESSION_ENDED.
 */
export async function readProvenCart<
  Customer extends PresentedCustomer & { readonly token?: string | null },
  Body extends CartBody & { readonly customer?: Customer | null },
>(context: Pick<Context, 'database' | 'wallClock'>, caller: Caller, body: Body, postalCode: string | null) {
  assertPageMaySend(caller, body);
  const proof = await proofOf(context, caller, body.customer);
  return withProof(readCart(withProvenContact(body, proof), postalCode), proof);
}

type Proof = { readonly isUnproven: boolean; readonly contact: string | null };

/**
 * What proves that the customer of a request is the one it names: the token of a customer session, or the word of an
 * integrator whose key vouches. Another caller without a token proves nothing. Fails with CUSTOMER_SESSION_ENDED.
 */
async function proofOf(
  context: Pick<Context, 'database' | 'wallClock'>,
  caller: Caller,
  customer: { readonly token?: string | null } | null | undefined,
): Promise<Proof> {
  if (customer?.token == null || customer.token === '') {
    return { isUnproven: !caller.vouches, contact: null };
  }
  return { isUnproven: false, contact: await provenContact(context, caller, customer.token) };
}

/**
 * The body with the email or phone that was proven, if one was: it counts instead of the one that was sent. Beside a proven
 * phone no email counts: it may be another person's.
 */
function withProvenContact<
  Customer extends PresentedCustomer,
  Body extends { readonly customer?: Customer | null },
>(body: Body, { contact }: Proof): Body {
  const { customer } = body;
  if (customer == null || contact === null) return body;
  const proven = isPhone(contact) ? { email: null, phone: contact } : { email: contact };
  return { ...body, customer: { ...customer, ...proven } };
}

/** A cart with what its proof means: whether the customer is proven, or a stranger. */
function withProof<Request extends CartRequest>(
  request: Request,
  { isUnproven, contact }: Proof,
): Request & { readonly isUnproven: boolean } {
  if (contact === null || request.customer === null) return { ...request, isUnproven };
  return { ...request, isUnproven, customer: { ...request.customer, isProven: true } };
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
