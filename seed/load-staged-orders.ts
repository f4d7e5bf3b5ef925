import { v4 as uuidV4 } from 'uuid';
import { Failure } from '../src/kernel/failure.ts';
import type { Context, Origin } from '../src/platform/database/context.ts';
import type { CustomerRow } from '../src/shop/customers/customer-queries.ts';
import { addLoyaltyEvent, adjustLoyaltyPoints } from '../src/shop/customers/customers.ts';
import type { OrderRequest } from '../src/shop/orders/build-order.ts';
import type { OrderRecord } from '../src/shop/orders/order-record.ts';
import { dispatchOrder, editOrder, placeOrder, stepOrder } from '../src/shop/orders/orders.ts';
import { issueCustomerCredit } from '../src/shop/promotions/promotions.ts';
import { returnOrder, voidReturn } from '../src/shop/returns/returns.ts';
import { patientPlaces } from './load-documents.ts';
import { contextAt, staffNameOf, staffOriginOf, type TradingShop } from './loaded-shop.ts';
import type {
  AddressContent,
  DeliveryZoneContent,
  PaymentTypeContent,
  ScriptedOrder,
} from './shop-content.ts';
import { StagedGoods } from './staged-goods.ts';
import {
  type StagedBuyer,
  type StagedOrder,
  type StagedReturn,
  type StagedStep,
  stagedBuyers,
} from './staged-order.ts';
import { stagedAccounts, stagedOrders } from './staged-orders.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** The facts that all staged orders of a shop share. */
interface Stage {
  readonly context: Context;
  readonly trading: TradingShop;
  readonly goods: StagedGoods;
  readonly buyers: ReadonlyMap<StagedBuyer, CustomerRow>;
  /** The zone and the address of the deliveries. */
  readonly zone: DeliveryZoneContent;
  readonly address: AddressContent;
  /** The latest time of their steps. */
  readonly endMs: number;
}

/**
 * Places the staged orders with the operations, each at its own time, and takes all their steps. It skips an order if
 * the day's trade left too little stock or too little of a purchase limit.
 */
export async function loadStagedOrders(
  context: Context,
  trading: TradingShop,
  script: readonly ScriptedOrder[],
): Promise<void> {
  const endMs = lastHourOfBusiness(context, trading);
  const zone = trading.content.deliveryZones.find(({ feeCents }) => feeCents > 0)!;
  const stage: Stage = {
    context,
    trading,
    goods: await StagedGoods.of(context, trading),
    buyers: castBuyers(trading, script),
    zone,
    address: addressIn(trading, zone),
    endMs,
  };
  await fillAccounts(stage);
  for (const staged of stagedOrders) {
    try {
      await playOrder(stage, staged);
    } catch (error) {
      if (!(error instanceof Failure && ['OUT_OF_STOCK', 'PURCHASE_LIMIT_EXCEEDED'].includes(error.code))) {
        throw error;
      }
    }
  }
}

/** Now, if the shop has been open for hours; otherwise before closing time of the evening before. */
function lastHourOfBusiness({ clock }: Context, { content, daysAgo }: TradingShop): number {
  const { opensAtMinute, closesAtMinute } = content.organization;
  const nowMs = Math.floor(clock.now() / minuteMs) * minuteMs;
  if (nowMs >= daysAgo(0, opensAtMinute + 180)) return Math.min(nowMs, daysAgo(0, closesAtMinute));
  return daysAgo(1, closesAtMinute);
}

/**
 * Patients have a valid document; the others are adults, long-standing customers, and bought nothing in these two
 * days.
 */
function castBuyers(
  { people, customers }: TradingShop,
  script: readonly ScriptedOrder[],
): ReadonlyMap<StagedBuyer, CustomerRow> {
  const lately = new Set(
    script.filter(({ placedDaysAgo }) => placedDaysAgo < 2).map(({ customerIndex }) => customerIndex),
  );
  const fits = customers.filter((_, index) => {
    const { bornDaysAgo, joinedDaysAgo, medicalExpiresInDays } = people[index]!;
    return (
      bornDaysAgo > 22 * 366 && joinedDaysAgo > 40 && medicalExpiresInDays === null && !lately.has(index)
    );
  });
  const patient = patientPlaces.find((place) => !lately.has(place)) ?? patientPlaces[0];
  return new Map(
    stagedBuyers.map((buyer, index) => [
      buyer,
      buyer === 'patient' ? customers[patient]! : fits.at(-1 - (index % fits.length))!,
    ]),
  );
}

function addressIn({ content, people }: TradingShop, zone: DeliveryZoneContent): AddressContent {
  const [first] = zone.postalCodes;
  const known = people.find(
    ({ address }) => address !== null && zone.postalCodes.includes(address.postalCode),
  );
  if (known?.address) return known.address;
  const place = content.neighborhood.places.find(({ postalCode }) => postalCode === first)!;
  return {
    street1: '418 Linden Street',
    street2: null,
    city: place.city,
    state: content.organization.state,
    postalCode: place.postalCode,
  };
}

/** Credits of the weeks before. */
async function fillAccounts({ context, trading, buyers, endMs }: Stage): Promise<void> {
  const { organization } = trading;
  const origin = staffOriginOf(trading, 'manager');
  const messenger = [...trading.integrators.values()].at(-1)!;
  for (const { buyer, credits = [], points, birthdayPoints } of stagedAccounts) {
    const { id } = buyers.get(buyer)!;
    for (const { isExpired, ...credit } of credits) {
      const before = contextAt(context, endMs - 6 * dayMs);
      const expiresAtMs = isExpired ? endMs - dayMs : null;
      await issueCustomerCredit(before, origin, organization, id, { ...credit, expiresAtMs });
    }
    if (points !== undefined) {
      const given = { pointsAmount: points, reason: 'Moved over from the punch card' };
      await adjustLoyaltyPoints(contextAt(context, endMs - 20 * dayMs), origin, organization, id, given);
    }
    if (birthdayPoints !== undefined) {
      const before = contextAt(context, endMs - 9 * dayMs);
      await addLoyaltyEvent(before, bySeed, organization, messenger.id, {
        customer: { id },
        pointsAmount: birthdayPoints,
        reason: 'Happy birthday',
        idempotencyKey: uuidV4({ random: context.randomBytes(16) }),
      });
    }
  }
}

const bySeed: Origin = { actor: 'job:seed', requestId: null };

async function playOrder(stage: Stage, staged: StagedOrder): Promise<void> {
  const { trading, endMs } = stage;
  const { organization, content } = trading;
  const request = requestOf(stage, staged);
  if (request === null) return;
  const placedAtMs = endMs - staged.minutesAgo * minuteMs;
  // All steps lie before the end of the stage.
  const paceMs = Math.min(4 * minuteMs, (endMs - placedAtMs) / (staged.steps.length + 4));
  let beats = 0;
  const next = (): Context => contextAt(stage.context, Math.floor(placedAtMs + paceMs * beats++));
  const key = staged.placedBy;
  const origin = key === null ? bySeed : staffOriginOf(trading, key);
  const [integrator] = [...trading.integrators.values()];
  const { order } = await placeOrder(
    next(),
    origin,
    {
      organizationId: organization,
      source: key === null ? 'open-api' : staged.type === 'in-store' ? 'in-store' : 'web-admin',
      integrator:
        key === null
          ? {
              id: integrator!.id,
              name: integrator!.name,
              idempotencyKey: uuidV4({ random: stage.context.randomBytes(16) }),
            }
          : null,
      placedBy: staffNameOf(trading, key),
      customerName: staged.customerName ?? null,
    },
    request,
  );
  let present: OrderRecord = order;
  const [driver] = content.staff.filter(({ role }) => role === 'driver');
  for (const step of staged.steps) {
    present = await takeStep(next(), stage, present, step, key ?? 'budtender-1', {
      driverName: `${driver!.firstName} ${driver!.lastName}`,
    });
  }
  for (const returned of staged.returns ?? []) await takeBack(next, trading, present, returned);
}

/** Null without stock for it. */
function requestOf(
  { trading, goods, buyers, zone, address }: Stage,
  staged: StagedOrder,
): OrderRequest | null {
  const { content, discountIds, rewardIds } = trading;
  const { buyer, reward, taxExempt } = staged;
  const isDelivery = staged.type === 'delivery';
  const lineItems = goods.linesFor(staged.type, staged.goods, isDelivery ? zone : null);
  if (lineItems === null) return null;
  const rewardName = content.promotions.rewards.find(({ type }) => type === reward?.[0])?.name;
  return {
    type: staged.type,
    lineItems,
    customer: null,
    ...(buyer !== null && { customerId: buyers.get(buyer)!.id }),
    postalCode: isDelivery ? address.postalCode : null,
    address: isDelivery ? address : null,
    deliveryFeeCents: null,
    deliveryFeeDescription: null,
    deliveryNotes: null,
    discountCodes: [],
    chosenDiscountIds: staged.hasCourtesy ? [discountIds.get(content.promotions.courtesyName)!] : [],
    loyaltyRewards:
      rewardName === undefined
        ? []
        : [{ rewardId: rewardIds.get(rewardName)!, ...(reward?.[1] && { points: reward[1] }) }],
    adjustments: staged.adjustments ?? [],
    ...(taxExempt && { taxExempt }),
    payments: staged.payments.map(([method, amountCents]) => ({
      paymentTypeId: paymentTypeOf(trading, method),
      amountCents: amountCents ?? 'remaining',
    })),
    expectedCustomerGrandTotalCents: null,
    internalNotes: staged.internalNotes ?? null,
    shiftName: staged.shiftName ?? null,
  };
}

function paymentTypeOf({ content, paymentTypeIds }: TradingShop, method: PaymentTypeContent['method']) {
  return paymentTypeIds.get(content.paymentTypes.find((type) => type.method === method)!.name)!;
}

/** The order after a step by staff. */
async function takeStep(
  context: Context,
  { trading }: Stage,
  order: OrderRecord,
  step: StagedStep,
  staffKey: string,
  { driverName }: { readonly driverName: string },
): Promise<OrderRecord> {
  const { organization } = trading;
  const { id: orderId, status, netPriceCents, deliveryFeeCents } = order.head;
  const origin = staffOriginOf(trading, staffKey);
  const staff = staffNameOf(trading, staffKey)!;
  // Some shops accept orders automatically.
  if (step === 'accept' && status === 'new') return order;
  if (step === 'add-one') {
    const [first, ...others] = order.lines;
    const lineItems = [{ ...first!, quantity: first!.quantity + 1 }, ...others];
    await editOrder(context, origin, organization, orderId, { lineItems }, { staff, role: 'manager' });
    return order;
  }
  if (typeof step === 'string') {
    return stepOrder(context, origin, organization, orderId, step, { staff });
  }
  if ('cancel' in step) {
    const by = { staff, cancelationReason: step.cancel };
    return stepOrder(context, origin, organization, orderId, 'cancel', by);
  }
  if ('dispatch' in step) {
    await dispatchOrder(context, origin, organization, orderId, {
      status: step.dispatch,
      ...(step.dispatch !== 'unassigned' && { driverName }),
      ...(step.isTracked && {
        trackingUrl: `https://lanternway.example.com/track/${orderId.slice(-8)}`,
        estimatedArrivalAtMs: context.clock.now() + 25 * minuteMs,
      }),
    });
    return order;
  }
  if (step.fulfill === 'as-intended') {
    return stepOrder(context, origin, organization, orderId, 'fulfill', { staff });
  }
  const dueCents = netPriceCents + (deliveryFeeCents ?? 0);
  const payment = {
    paymentTypeId: paymentTypeOf(trading, 'cash'),
    amountCents: dueCents,
    // Paid in twenty-dollar notes.
    giftCard: null,
    tenderedCents: Math.ceil(dueCents / 2000) * 2000,
  };
  return stepOrder(context, origin, organization, orderId, 'fulfill', { staff }, { payments: [payment] });
}

async function takeBack(
  next: () => Context,
  trading: TradingShop,
  order: OrderRecord,
  returned: StagedReturn,
): Promise<void> {
  const { organization } = trading;
  const origin = staffOriginOf(trading, 'manager');
  const by = staffNameOf(trading, 'manager')!;
  const { id: orderId, deliveryFeeCents } = order.head;
  const { shown } = await returnOrder(
    next(),
    origin,
    organization,
    orderId,
    {
      refundType: returned.refund,
      paymentTypeId: returned.refund === 'payment-method' ? paymentTypeOf(trading, 'cash') : null,
      lines: returned.units.map(({ line, ...unit }) => ({ orderLineItemId: order.lines[line]!.id, ...unit })),
      adjustmentCents: returned.withDeliveryFee ? -(deliveryFeeCents ?? 0) : 0,
      adjustmentDescription: returned.withDeliveryFee ? 'Delivery fee' : '',
      idempotencyKey: null,
    },
    by,
  );
  if (returned.voidedFor === undefined) return;
  await voidReturn(next(), origin, organization, shown.id, { reason: returned.voidedFor, by });
}
