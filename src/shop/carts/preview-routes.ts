import { v4 as uuidV4 } from 'uuid';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { type Endpoint, endpoint, reply } from '../../platform/http/endpoint.ts';
import { slotReads, slotWarnings } from '../slots/slots.ts';
import { pricingExample, pricingRequestExample } from './cart-examples.ts';
import { shownPricing } from './cart-pricing.ts';
import {
  asStranger,
  type CartRequest,
  missingContact,
  postalCodeOf,
  readProvenCart,
} from './cart-request.ts';
import { CartPricing, type CartWarning, cartFailures, ExplainQuery, PricingBody } from './cart-schemas.ts';
import { type DecidedCart, decideCart } from './decide-cart.ts';
import type { PricingInputsCache } from './pricing-inputs-cache.ts';
import { ShelvesInMemory, warnOfStock } from './stock-warnings.ts';

/** The operation that prices a cart. */
export function previewRoutes(context: Context, pricingInputs: PricingInputsCache): Endpoint[] {
  const { clock } = context;
  const shelves = new ShelvesInMemory(context);
  return [
    endpoint({
      id: 'priceCart',
      method: 'POST',
      path: '/api/v1/orders/pricing',
      address: 'base',
      permission: 'create-orders',
      publishableKey: 'allowed',
      kind: 'read',
      summary: 'Retrieve cart pricing',
      description:
        'What a cart costs now, to the cent, by the same calculation that places orders. Nothing is stored and no stock is reserved. Show the customer, in this order: `totalPrice`; each credit; each discount; each adjustment; each tax that is not included; the fees; `customerGrandTotal`. They always add up. Save `idempotencyKey` and submit it with the order.',
      tag: 'Orders',
      query: ExplainQuery,
      body: PricingBody,
      alsoMissing: missingContact,
      requestExample: pricingRequestExample,
      success: { status: 200, data: CartPricing, description: 'The priced cart', example: pricingExample },
      failures: cartFailures,
      handle: async ({ caller, body, query }) => {
        const sent = await readProvenCart(context, caller, body, postalCodeOf(body));
        const request = sent.isUnproven ? asStranger(sent) : sent;
        const nowMs = clock.now();
        const law = context.law.current;
        const { organizationId } = caller;
        const stock = shelves.of(organizationId, request);
        // A refusal of the cart leaves the other read alone.
        if (stock instanceof Promise) stock.catch(() => undefined);
        const facts = await pricingInputs.read(organizationId, request);
        const cart = decideCart(request, facts, law, nowMs, query.explain === true);
        const held = stock instanceof Promise ? await stock : stock;
        const ofSlot = await readSlotWarnings(context, organizationId, request, cart, nowMs);
        const key = uuidV4({ random: context.randomBytes(16) });
        return reply(shownPricing(cart, key, [...warnOfStock(cart, request, held), ...ofSlot]));
      },
    }),
  ];
}

/** A slot is rarely chosen in a preview, and its places change with each order: they are read each time. */
async function readSlotWarnings(
  { database, law }: Context,
  organization: OrganizationId,
  request: CartRequest,
  cart: DecidedCart,
  nowMs: number,
): Promise<CartWarning[]> {
  const { slotFromMs } = request;
  const [slots, closedDays, taken] =
    slotFromMs === undefined ? [[], [], []] : await database.read(organization, ...slotReads(slotFromMs));
  return slotWarnings(request, cart, { slots, closedDays, taken }, law.current, nowMs);
}
