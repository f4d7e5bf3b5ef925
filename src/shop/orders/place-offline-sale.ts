import { weighedContent } from '../../engines/goods/weighed-content.ts';
import type { Law } from '../../engines/jurisdictions/law-book.ts';
import type { OfflineSale } from '../../engines/offline-pricing/offline-sale.ts';
import type { PricedCart } from '../../engines/pricing/priced-cart.ts';
import { assert } from '../../kernel/assert.ts';
import { Failure, failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import type { FactRows } from '../carts/cart-facts.ts';
import type { CartRequest } from '../carts/cart-request.ts';
import { cartFactStatements, legalEligibility, lockBuyers } from '../carts/carts.ts';
import type { DecidedCart } from '../carts/decide-cart.ts';
import { type SellableOptionRow, selectSoldOptions, statedContent } from '../catalog/products.ts';
import { fullNameOf } from '../customers/customers.ts';
import { assertPackagesKnown, lockStockOfOptions, moveStock } from '../inventory/stock.ts';
import { selectNamedDiscounts } from '../promotions/promotions.ts';
import { selectPaymentTypeSettings, selectTaxes } from '../settings/terms-of-sale.ts';
import { buildOrder, type OrderRequest, type Placement } from './build-order.ts';
import { chargedCart } from './charged-cart.ts';
import { newOrderId } from './decide-order.ts';
import { namedPackages, stockMovements } from './held-stock.ts';
import { type JudgedSale, judgeOfflineSale, type OfflineDoubt } from './offline-doubts.ts';
import { afterStep } from './order-lifecycle.ts';
import type { OrderRecord } from './order-record.ts';
import { recordOfflineOrder } from './record-offline-order.ts';
import { reportOrder } from './report-order.ts';
import { seenId } from './seen-id.ts';
import { selectSeller } from './seller-queries.ts';
import { assertGivenWithinRole } from './staff-allowance.ts';
import { takeOfflineStock } from './take-offline-stock.ts';

interface PlacedOfflineSale {
  readonly orderId: string;
  readonly orderNumber: number | null;
  readonly sellerId: number;
  readonly doubts: readonly OfflineDoubt[];
}

/**
 * Places and fulfills an order for a sale that a register made alone (D75), in the caller's transaction: with its time, at the amounts
 * that were charged. Reductions are judged by the lower role of who sold and who sent it. What the service would have refused or charged otherwise is placed all the same, with the doubts. Fails only
 * for amounts that contradict each other and for ids that the organization does not have. The caller retries on `placingGuards`.
 */
export async function placeOfflineSale(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  organizationId: OrganizationId,
  sale: OfflineSale,
  { locationId, sentBy }: { readonly locationId: number; readonly sentBy: number },
): Promise<PlacedOfflineSale> {
  const nowMs = context.clock.now();
  const soldAtMs = Date.parse(sale.soldAt);
  const law = context.law.current;
  const request = requestOf(sale);
  const optionIds = sale.lines.map(({ productOptionId }) => productOptionId);
  const { chosenPackages = [] } = request;
  const [, , soldOptions, taxes, discounts, paymentTypes, packages, [seller], [sender], ...facts] =
    await tx.run(
      lockBuyers([request]),
      tx.attempt > 1 ? lockStockOfOptions({ optionIds }) : null,
      selectSoldOptions({ optionIds }),
      selectTaxes({}),
      selectNamedDiscounts({ ids: discountIdsOf(sale) }),
      selectPaymentTypeSettings({}),
      namedPackages(chosenPackages, sale.soldAt),
      selectSeller({ id: sale.staffId }),
      selectSeller({ id: sentBy }),
      ...cartFactStatements(request, law, soldAtMs),
    );
  const known = new Map(soldOptions.map((row) => [row.option_id, row]));
  assertKnown(sale, known);
  assertPackagesKnown(chosenPackages, packages);
  const options = asWeighed(sale, known);
  const { role: _, ...staff } = (seller ?? sender)!;
  const roles = [seller, sender].flatMap((it) => it?.role ?? []);
  const judged = judgeOfflineSale(sale, request, facts, law);
  const charged = chargedCart(sale, { options, taxes, discounts, paymentTypes });
  const cart = decidedAs(sale, charged, judged, facts, options, law);
  const overRole = reductionDoubt(cart, request, roles);
  const built = await buildOrder(context, {
    ...{ orderId: newOrderId(context, nowMs), nowMs: soldAtMs, request, cart, status: 'new' as const },
    placement: placementOf(sale, organizationId, staff),
    customer: cart.person,
  });
  const seen = sale.idCheck === undefined ? {} : seenId(sale.idCheck, staff.id, soldAtMs);
  const draft = withTendered({ ...built, head: { ...built.head, ...seen } }, sale);
  const taken = await takeOfflineStock(
    ...([tx, context, origin, nowMs, draft, options, packages, locationId] as const),
  );
  const order = afterStep(taken.order, 'fulfill', { staff }, soldAtMs);
  const transitionId = await recordOfflineOrder(tx, context, origin, nowMs, {
    order: { ...order, head: { ...order.head, updatedAt: nowMs } },
    ...{ sale, steps: judged.agreed?.steps ?? [] },
    limitedDiscountIds: discounts
      .filter(({ uses_total: total, uses_per_customer: own }) => total !== null || own !== null)
      .map(({ id }) => id),
  });
  await moveStock(tx, context, origin, {
    ...{ cause: 'taken', causeId: transitionId, atMs: nowMs },
    movements: stockMovements(order.fulfillments, 'take'),
  });
  await reportOrder(tx, context, order, () => [], nowMs);
  return {
    orderId: order.head.id,
    orderNumber: order.head.number,
    sellerId: staff.id,
    doubts: [...judged.doubts, ...overRole, ...taken.doubts],
  };
}

/** The order with the cash that the register counted: its payments are the tenders, in their order. */
function withTendered(order: OrderRecord, { tenders }: OfflineSale): OrderRecord {
  const payments = order.payments.map((payment, index) => {
    const { tendered, rounding: roundingCents = 0 } = tenders[index]!;
    // A count of less than the amount is not kept as the cash of it.
    return {
      ...payment,
      roundingCents,
      tenderedCents:
        tendered !== null && tendered >= payment.finalAmountCents + roundingCents ? tendered : null,
    };
  });
  return { ...order, payments };
}

/** The sale as a request. Credits and points are the customer's to use when the account can be read. */
function requestOf(sale: OfflineSale): OrderRequest {
  return {
    type: 'in-store',
    lineItems: sale.lines.map(({ productOptionId, quantity, weight }) => ({
      ...{ productOptionId, quantity },
      ...(weight !== undefined && { weight }),
    })),
    chosenPackages: sale.lines.flatMap(({ productOptionId, packages = [] }) =>
      packages.map((part) => ({ productOptionId, quantity: 1, ...part })),
    ),
    customer: null,
    ...(sale.buyer.customerId !== null && { customerId: sale.buyer.customerId }),
    ...{ postalCode: null, deliveryFeeCents: null, deliveryFeeDescription: null, discountCodes: [] },
    // At other prices the last tender would come to another amount: that is no refusal.
    payments: sale.tenders.map(({ paymentTypeId, amount }, index, { length }) => ({
      paymentTypeId,
      amountCents: index === length - 1 ? 'remaining' : amount,
    })),
    ...{ chosenDiscountIds: sale.discountIds, autoApplyCredits: false },
    ...{ address: null, deliveryNotes: null, expectedCustomerGrandTotalCents: null },
    internalNotes: `Sold offline as ${sale.number}`,
  };
}

function placementOf(
  { saleKey, buyer }: OfflineSale,
  organizationId: OrganizationId,
  placedBy: NonNullable<Placement['placedBy']>,
): Placement {
  const customerName = buyer.customerId === null ? buyer.name : null;
  return {
    ...{ organizationId, source: 'in-store', integrator: null, placedBy, customerName },
    staffKey: saleKey,
  };
}

function discountIdsOf({ lines, discounts, discountIds }: OfflineSale): number[] {
  const used = [...lines.flatMap((line) => line.discounts), ...discounts].map(({ discountId }) => discountId);
  return [...new Set([...used, ...discountIds])];
}

function assertKnown(sale: OfflineSale, options: ReadonlyMap<number, SellableOptionRow>): void {
  const ids = sale.lines.map(({ productOptionId }) => productOptionId);
  for (const id of ids) {
    if (!options.has(id)) throw failure('PRODUCT_OPTION_NOT_FOUND', `There is no product option ${id}.`);
  }
  if (new Set(ids).size < ids.length) {
    throw failure('INVALID_PARAMS', 'lines must name each option once.');
  }
  const index = sale.lines.findIndex(({ weight, quantity }) => weight !== undefined && quantity !== 1);
  if (index !== -1)
    throw failure('INVALID_PARAMS', `lines[${index}].quantity must be 1 where weight is given.`);
}

/** The options of the sale, those of weighed lines with amount and content of the weight, at what was charged. */
function asWeighed(
  { lines }: OfflineSale,
  options: ReadonlyMap<number, SellableOptionRow>,
): ReadonlyMap<number, SellableOptionRow> {
  const weighed = new Map(options);
  for (const { productOptionId, weight, unitPrice } of lines) {
    if (weight === undefined) continue;
    const option = options.get(productOptionId)!;
    const { amount, content, thcMg } = weighedContent(statedContent(option), weight);
    weighed.set(productOptionId, {
      ...option,
      ...{ option_amount: amount, option_content: content, option_thc_mg: thcMg, is_weighed: true },
      ...{ price_cents: unitPrice, sales_price_cents: null },
    });
  }
  return weighed;
}

/** The decision that the register took, in the form of the service's own. */
function decidedAs(
  sale: OfflineSale,
  charged: PricedCart,
  judged: JudgedSale,
  facts: FactRows,
  options: ReadonlyMap<number, SellableOptionRow>,
  law: Law,
): DecidedCart {
  const [[organization], , , , , candidates] = facts;
  assert(organization !== undefined, 'the organization exists');
  const person = candidates.find(({ id }) => id === sale.buyer.customerId) ?? null;
  const buyer = { birthday: sale.buyer.birthday, medicalExpiration: person?.medical_expiration ?? null };
  return {
    ...{
      organization,
      options,
      zone: null,
      customerCandidates: candidates,
      presented: null,
      deliveryFee: null,
    },
    person: person && { id: person.id, fullName: fullNameOf(person.first_name, person.last_name) },
    // By the day of the shop, as of any sale.
    isMedical: legalEligibility(law, organization, buyer, Date.parse(sale.soldAt)).isMedical,
    taxExempt: sale.taxes.some(({ exempted }) => exempted > 0),
    ...{ offered: [], taxIds: [], cartTaxes: [] },
    ...{ isExemptByHand: false, purchaseLimits: { limits: [], overages: [] } },
    ...{
      priced: judged.agreed ?? charged,
      orderMinimumCents: 0,
      metOrderMinimum: true,
      warnings: [],
      dutyRefusals: [],
      lawEdition: law.edition.edition,
    },
  };
}

/** Reductions have to be within the limits of each of the roles. */
function reductionDoubt(
  cart: DecidedCart,
  request: CartRequest,
  roles: readonly StaffRole[],
): OfflineDoubt[] {
  try {
    for (const role of roles) assertGivenWithinRole(cart, request, role);
    return [];
  } catch (error) {
    if (error instanceof Failure) return [{ reason: 'reduction-limit', words: error.message }];
    throw error;
  }
}
