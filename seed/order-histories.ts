import { v4 as uuidV4, v7 as uuidV7 } from 'uuid';
import type { Context } from '../src/platform/database/context.ts';
import type { CustomerRow } from '../src/shop/customers/customer-queries.ts';
import { identifyCustomer } from '../src/shop/customers/customers.ts';
import type { HistoryStep, OrderHistory } from '../src/shop/orders/import-orders.ts';
import { promotionsAskedFor } from './load-promotions.ts';
import { staffNameOf, type TradingShop } from './loaded-shop.ts';
import type { CustomerContent, ScriptedOrder } from './shop-content.ts';

/** The orders of a script in the form that `orders` imports, oldest first. */
export function orderHistories(
  context: Context,
  trading: TradingShop,
  script: readonly ScriptedOrder[],
): OrderHistory[] {
  const { content } = trading;
  const priceOf = new Map(
    content.products.flatMap(({ options }) =>
      options.map((option) => [option.key, option.salesPriceCents ?? option.priceCents] as const),
    ),
  );
  const askedFor = promotionsAskedFor(content, script, ({ lines }) =>
    lines.reduce((sum, { optionKey, quantity }) => sum + priceOf.get(optionKey)! * quantity, 0),
  );
  return script.map((scripted, index) => {
    const placedAtMs = trading.daysAgo(scripted.placedDaysAgo, scripted.placedMinuteOfDay);
    const { customerIndex, integratorName, placedByStaffKey } = scripted;
    const customer = customerIndex === null ? null : trading.customers[customerIndex]!;
    const { codes = [], discountNames = [] } = askedFor.get(scripted.key) ?? {};
    return {
      orderId: uuidV7({ msecs: placedAtMs, random: context.randomBytes(16) }),
      placedAtMs,
      ...stepsOf(trading, scripted, index, placedAtMs),
      customer,
      locationIds: [trading.locationIds.get(scripted.locationName)!],
      placement: {
        organizationId: trading.organization,
        source: scripted.source,
        integrator:
          integratorName === null
            ? null
            : {
                ...trading.integrators.get(integratorName)!,
                idempotencyKey: uuidV4({ random: context.randomBytes(16) }),
              },
        placedBy: staffNameOf(trading, placedByStaffKey),
        customerName: scripted.walkInName,
      },
      request: {
        type: scripted.type,
        lineItems: scripted.lines.map((line) => ({
          productOptionId: trading.optionIds.get(line.optionKey)!,
          quantity: line.quantity,
        })),
        customer: customer === null ? null : identify(customer, trading.people[customerIndex!]!),
        postalCode: scripted.address?.postalCode ?? null,
        deliveryFeeCents: null,
        deliveryFeeDescription: null,
        discountCodes: codes,
        chosenDiscountIds: discountNames.map((name) => trading.discountIds.get(name)!),
        payments: scripted.payments.map(({ paymentTypeName, amountCents }) => ({
          paymentTypeId: trading.paymentTypeIds.get(paymentTypeName)!,
          amountCents,
        })),
        address: scripted.address,
        deliveryNotes: scripted.deliveryNotes,
        expectedCustomerGrandTotalCents: null,
      },
    };
  });
}

function identify(row: CustomerRow, person: CustomerContent) {
  return identifyCustomer({
    firstName: row.first_name,
    lastName: row.last_name,
    email: person.email ?? undefined,
    phone: person.phone ?? undefined,
  });
}

/** The steps of the script's minutes, in order. */
function stepsOf(
  trading: TradingShop,
  scripted: ScriptedOrder,
  index: number,
  placedAtMs: number,
): Pick<OrderHistory, 'steps' | 'startsAs'> {
  const { acceptedAfterMinutes, packedAfterMinutes, fulfilledAfterMinutes, canceledAfterMinutes } = scripted;
  const at = (minutes: number): number => placedAtMs + minutes * 60_000;
  const steps: HistoryStep[] = [];
  // Accepted in the minute of placing: the shop takes stock on creation (D21).
  const startsAs = acceptedAfterMinutes === 0 ? 'new' : 'draft';
  if (acceptedAfterMinutes !== null && startsAs === 'draft') {
    steps.push({ action: 'accept', atMs: at(acceptedAfterMinutes), by: { staff: null } });
  }
  if (packedAfterMinutes !== null) {
    const staff = staffNameOf(trading, scripted.packedByStaffKey);
    steps.push({ action: 'pack', atMs: at(packedAfterMinutes), by: { staff } });
  }
  if (scripted.type === 'delivery') steps.push(...dispatchSteps(trading, scripted, index, at));
  if (fulfilledAfterMinutes !== null) {
    const staff = staffNameOf(trading, scripted.fulfilledByStaffKey);
    steps.push({ action: 'fulfill', atMs: at(fulfilledAfterMinutes), by: { staff } });
  }
  if (canceledAfterMinutes !== null) {
    const { cancelationReason } = scripted;
    const by = {
      staff: staffNameOf(trading, scripted.canceledByStaffKey),
      ...(cancelationReason !== null && { cancelationReason }),
    };
    steps.push({ action: 'cancel', atMs: at(canceledAfterMinutes), by });
  }
  return { steps, startsAs };
}

/** The driver and progress of a delivery: unassigned, assigned at packing, delivered, or failed. */
function dispatchSteps(
  { content }: TradingShop,
  scripted: ScriptedOrder,
  index: number,
  at: (minutes: number) => number,
): HistoryStep[] {
  const { acceptedAfterMinutes, packedAfterMinutes, fulfilledAfterMinutes, canceledAfterMinutes } = scripted;
  if (packedAfterMinutes === null) {
    if (acceptedAfterMinutes === null || canceledAfterMinutes !== null) return [];
    return [{ action: 'dispatch', atMs: at(acceptedAfterMinutes), change: { status: 'unassigned' } }];
  }
  const drivers = content.staff.filter(({ role }) => role === 'driver');
  const driver =
    drivers.find(({ key }) => key === scripted.fulfilledByStaffKey) ?? drivers[index % drivers.length]!;
  const assigned: HistoryStep = {
    action: 'dispatch',
    atMs: at(packedAfterMinutes),
    change: { status: 'assigned', driverName: `${driver.firstName} ${driver.lastName}` },
  };
  const end = fulfilledAfterMinutes ?? canceledAfterMinutes;
  if (end === null) return [assigned];
  return [
    assigned,
    {
      action: 'dispatch',
      atMs: at(end),
      change: { status: canceledAfterMinutes === null ? 'completed' : 'failed' },
    },
  ];
}
