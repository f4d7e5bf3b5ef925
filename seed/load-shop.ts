import { createHash } from 'node:crypto';
import { v4 as uuidV4, v7 as uuidV7 } from 'uuid';
import {
  createClientKey,
  createIntegrator,
  createOrganization,
  createStaff,
  type Environment,
} from '../src/access/organizations.ts';
import { importCatalog } from '../src/catalog/products.ts';
import { type CustomerRow, identifyCustomer, importCustomers } from '../src/customers/customers.ts';
import type { Context, Origin } from '../src/database/context.ts';
import { createLocations, openStock } from '../src/inventory/stock.ts';
import { decimal, decimalText, zero } from '../src/kernel/decimal.ts';
import type { OrganizationId } from '../src/kernel/ids.ts';
import { addDays, localDateAt, localInstantMs } from '../src/kernel/local-time.ts';
import { permissions } from '../src/kernel/permission-catalogue.ts';
import { importOrders, type OrderAction, type OrderHistory, type StaffName } from '../src/orders/orders.ts';
import { createTerms } from '../src/settings/terms-of-sale.ts';
import type { BlobStore } from '../src/storage/blob-store.ts';
import { drawIllustration } from './illustrations.ts';
import { loadAccounts, loadPromotions, promotionsAskedFor } from './load-promotions.ts';
import { detailsOf, loadPurchasing } from './load-purchasing.ts';
import { loadQueue } from './load-queue.ts';
import { generateOrderScript } from './order-script.ts';
import { generateCustomers } from './people.ts';
import { seededRandom } from './seeded-random.ts';
import type { CustomerContent, ScriptedOrder, ShopContent } from './shop-content.ts';

const origin: Origin = { actor: 'job:seed', requestId: null };

/** What a demo shop's visitor needs; the keys are in no other place. */
export interface DemoOrganization {
  readonly id: number;
  readonly name: string;
  readonly consumerKey: string;
  readonly clientKey: string;
  readonly staff: { readonly email: string; readonly password: string };
}

export interface ShopSize {
  readonly customers: number;
  readonly days: number;
  readonly orders: number;
}

/**
 * Makes a demo shop out of its content, through the same code that serves. The content, the people and the
 * orders are the same in every deployment; keys, password and identifiers are fresh.
 */
export async function loadShop(
  context: Context,
  environment: Environment,
  blobs: BlobStore,
  shop: ShopContent,
  size: ShopSize,
): Promise<DemoOrganization> {
  const { organization: profile } = shop;
  const nowMs = context.clock.now();
  const today = localDateAt(nowMs, profile.tz);
  const daysAgo = (days: number, minuteOfDay = 9 * 60): number =>
    localInstantMs(addDays(today, -days), minuteOfDay, profile.tz);

  const organization = await createOrganization(context, origin, {
    ...profile,
    statusOnCreation: { delivery: profile.statusOnCreate.delivery, pickup: profile.statusOnCreate.pickup },
    budtenderDiscountPercent: profile.budtenderDiscountLimitPercent,
    managerDiscountPercent: profile.managerDiscountLimitPercent,
    medicalTaxExempt: true,
  });
  const integrators = new Map<string, { id: number; name: string; consumerKey: string }>();
  for (const { name } of shop.integrators) {
    integrators.set(name, { name, ...(await createIntegrator(context, environment, name)) });
  }
  const [integrator] = [...integrators.values()];
  const { clientKey } = await createClientKey(context, environment, origin, organization, {
    integratorId: integrator!.id,
    name: 'Demo key',
    permissions,
    expiresAtMs: null,
    strict: false,
  });
  const password = Buffer.from(context.randomBytes(12)).toString('base64url');
  // Drivers have no sign-in of their own.
  const members = shop.staff.filter((member) => member.role !== 'driver');
  const staffIds = await createStaff(
    context,
    origin,
    organization,
    members.map((member) => ({
      ...member,
      role: member.role as Exclude<typeof member.role, 'driver'>,
      // One for the whole shop: whoever tries the demo can be anybody of it.
      password,
    })),
  );
  const staff = new Map<string, StaffName>(
    members.map((member, index) => [
      member.key,
      { id: staffIds[index]!, email: member.email, firstName: member.firstName, lastName: member.lastName },
    ]),
  );

  const catalog = await loadCatalog(context, blobs, organization, shop);
  const locationIds = await createLocations(context, origin, organization, {
    locations: shop.locations,
    drawnFrom: profile.locationNames,
  });
  const categories = (names: readonly string[]): number[] =>
    names.map((name) => catalog.categoryIds.get(name)!);
  const paymentTypeIds = await createTerms(context, origin, organization, {
    taxes: shop.taxes.map(({ excludedCategoryNames, nonExemptableCategoryNames, ...tax }) => ({
      ...tax,
      excludedProductCategoryIds: categories(excludedCategoryNames),
      nonExemptableProductCategoryIds: categories(nonExemptableCategoryNames),
    })),
    deliveryZones: shop.deliveryZones.map((zone) => ({
      ...zone,
      patterns: [...zone.postalCodes, ...zone.postalCodePrefixes.map((prefix) => `${prefix}*`)],
    })),
    paymentTypes: shop.paymentTypes,
  });
  const item = (productKey: string, optionKey: string | null) => ({
    productId: catalog.productIds.get(productKey)!,
    optionId: optionKey === null ? null : catalog.optionIds.get(optionKey)!,
  });
  const dayIn = (days: number): string => addDays(today, days);
  await openStock(context, origin, organization, [
    ...shop.packages.map((pack) => ({
      ...item(pack.productKey, pack.optionKey),
      label: pack.label,
      locationId: locationIds.get(pack.locationName)!,
      unit: pack.unit,
      amount: pack.initialAmount,
      costPerUnit: pack.costPerUnit,
      receivedAtMs: daysAgo(pack.receivedDaysAgo),
      expirationDate: pack.expiresInDays === null ? null : addDays(today, pack.expiresInDays),
      onHold: pack.onHold,
      tradeSample: pack.tradeSample,
      details: detailsOf(pack, { dayIn }),
    })),
    ...shop.looseStock.map((stock) => ({
      ...item(stock.productKey, stock.optionKey),
      label: null,
      locationId: locationIds.get(stock.locationName)!,
      unit: 'Each',
      amount: stock.initialAmount,
      costPerUnit: stock.costPerUnit,
      receivedAtMs: daysAgo(stock.receivedDaysAgo),
      expirationDate: null,
      onHold: false,
      tradeSample: false,
    })),
  ]);

  const random = seededRandom(shop.slug);
  const people = generateCustomers(random, shop, size.customers);
  const customers = await importCustomers(
    context,
    origin,
    organization,
    people.map((person) => ({
      ...person,
      birthday: addDays(today, -person.bornDaysAgo),
      licenseExpiry: inDays(person.licenseExpiresInDays),
      medicalExpiration: inDays(person.medicalExpiresInDays),
      marketingOptInAtMs:
        person.marketingOptInDaysAgo === null ? null : daysAgo(person.marketingOptInDaysAgo),
      joinedAtMs: daysAgo(person.joinedDaysAgo),
    })),
  );
  function inDays(days: number | null): string | null {
    return days === null ? null : addDays(today, days);
  }

  const discountIds = await loadPromotions(
    context,
    origin,
    organization,
    shop,
    people,
    { ...catalog, customerIds: customers.map(({ id }) => id) },
    (inDays) => daysAgo(-inDays, 0),
  );

  const script = generateOrderScript(random, shop, people, {
    days: size.days,
    count: size.orders,
    todayWeekday: new Date(`${today}T00:00:00Z`).getUTCDay() || 7,
    nowMinuteOfDay: Math.floor((nowMs - localInstantMs(today, 0, profile.tz)) / 60_000),
  });
  const priceOf = new Map(
    shop.products.flatMap(({ options }) =>
      options.map((option) => [option.key, option.salesPriceCents ?? option.priceCents] as const),
    ),
  );
  const askedFor = promotionsAskedFor(shop, script, ({ lines }) =>
    lines.reduce((sum, { optionKey, quantity }) => sum + priceOf.get(optionKey)! * quantity, 0),
  );
  await importOrders(
    context,
    origin,
    organization,
    script.map((scripted) => historyOf(scripted)),
  );
  await loadPurchasing(
    context,
    origin,
    organization,
    shop,
    { item, locationId: (name) => locationIds.get(name)! },
    { daysAgo, dayIn },
  );
  await loadAccounts(
    context,
    origin,
    organization,
    shop,
    customers.map(({ id }) => id),
  );
  await loadQueue(
    context,
    origin,
    organization,
    customers.map(({ id }) => id),
  );
  const owner = members.find((member) => member.role === 'owner')!;
  return {
    id: organization,
    name: profile.name,
    consumerKey: integrator!.consumerKey,
    clientKey,
    staff: { email: owner.email, password },
  };

  function historyOf(scripted: ScriptedOrder): OrderHistory {
    const placedAtMs = daysAgo(scripted.placedDaysAgo, scripted.placedMinuteOfDay);
    const customer = scripted.customerIndex === null ? null : customers[scripted.customerIndex]!;
    const source = scripted.integratorName === null ? null : integrators.get(scripted.integratorName)!;
    const { steps, startsAs } = stepsOf(scripted, placedAtMs, staff);
    return {
      orderId: uuidV7({ msecs: placedAtMs, random: context.randomBytes(16) }),
      placedAtMs,
      startsAs,
      steps,
      customer,
      locationIds: [locationIds.get(scripted.locationName)!],
      placement: {
        organizationId: organization as OrganizationId,
        source: scripted.source,
        integrator:
          source === null
            ? null
            : {
                id: source.id,
                name: source.name,
                idempotencyKey: uuidV4({ random: context.randomBytes(16) }),
              },
        placedBy: scripted.placedByStaffKey === null ? null : staff.get(scripted.placedByStaffKey)!,
        customerName: scripted.walkInName,
      },
      request: {
        type: scripted.type,
        lineItems: scripted.lines.map((line) => ({
          productOptionId: catalog.optionIds.get(line.optionKey)!,
          quantity: line.quantity,
        })),
        customer: customer === null ? null : identify(customer, people[scripted.customerIndex!]!),
        postalCode: scripted.address?.postalCode ?? null,
        deliveryFeeCents: null,
        deliveryFeeDescription: null,
        discountCodes: askedFor.get(scripted.key)?.codes ?? [],
        chosenDiscountIds: (askedFor.get(scripted.key)?.discountNames ?? []).map(
          (name) => discountIds.get(name)!,
        ),
        payments: scripted.payments.map(({ paymentTypeName, amountCents }) => ({
          paymentTypeId:
            paymentTypeIds[shop.paymentTypes.findIndex((type) => type.name === paymentTypeName)]!,
          amountCents,
        })),
        address: scripted.address,
        deliveryNotes: scripted.deliveryNotes,
        expectedCustomerGrandTotalCents: null,
      },
    };
  }
}

function identify(row: CustomerRow, person: CustomerContent) {
  return identifyCustomer({
    firstName: row.first_name,
    lastName: row.last_name,
    email: person.email ?? undefined,
    phone: person.phone ?? undefined,
  });
}

/** The steps that the script's minutes stand for, in order. */
function stepsOf(
  scripted: ScriptedOrder,
  placedAtMs: number,
  staff: ReadonlyMap<string, StaffName>,
): Pick<OrderHistory, 'steps' | 'startsAs'> {
  const person = (key: string | null): StaffName | null => (key === null ? null : (staff.get(key) ?? null));
  const planned: [OrderAction, number | null, OrderHistory['steps'][number]['by']][] = [
    ['accept', scripted.acceptedAfterMinutes, { staff: null }],
    ['pack', scripted.packedAfterMinutes, { staff: person(scripted.packedByStaffKey) }],
    ['fulfill', scripted.fulfilledAfterMinutes, { staff: person(scripted.fulfilledByStaffKey) }],
    [
      'cancel',
      scripted.canceledAfterMinutes,
      {
        staff: person(scripted.canceledByStaffKey),
        ...(scripted.cancelationReason !== null && { cancelationReason: scripted.cancelationReason }),
      },
    ],
  ];
  const steps = planned.flatMap(([action, minutes, by]) =>
    minutes === null ? [] : [{ action, atMs: placedAtMs + minutes * 60_000, by }],
  );
  // Accepted in the very minute of placing: the shop takes stock on creation (D21).
  const acceptsAtOnce = scripted.acceptedAfterMinutes === 0;
  return { steps: acceptsAtOnce ? steps.slice(1) : steps, startsAs: acceptsAtOnce ? 'new' : 'draft' };
}

async function loadCatalog(
  context: Context,
  blobs: BlobStore,
  organization: OrganizationId,
  shop: ShopContent,
) {
  const products = [];
  for (const product of shop.products) {
    const photoLocations: string[] = [];
    for (const illustration of product.illustrations) {
      const bytes = Buffer.from(drawIllustration(illustration));
      const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.svg`;
      await blobs.put(name, bytes);
      photoLocations.push(`/photos/${name}`);
    }
    products.push({
      ...product,
      photoLocations,
      movingAverageCostPerUnit:
        product.inventoryType === 'product' ? averageCost(shop, product.key, null) : null,
      options: product.options.map((option) => ({
        ...option,
        amount: String(option.amount),
        movingAverageCostPerUnit:
          product.inventoryType === 'option' ? averageCost(shop, product.key, option.key) : null,
      })),
    });
  }
  const imported = await importCatalog(context, origin, organization, { ...shop, products });
  return {
    categoryIds: imported.categoryIds,
    brandIds: imported.brandIds,
    productIds: new Map(shop.products.map((product, index) => [product.key, imported.products[index]!.id])),
    optionIds: new Map(
      shop.products.flatMap((product, index) =>
        product.options.map((option, at) => [option.key, imported.products[index]!.optionIds[at]!] as const),
      ),
    ),
  };
}

/** Dollars per unit over everything that came in, to 6 decimals (D4); null when nothing did. */
function averageCost(shop: ShopContent, productKey: string, optionKey: string | null): string | null {
  const received = [...shop.packages, ...shop.looseStock].filter(
    (stock) => stock.productKey === productKey && stock.optionKey === optionKey,
  );
  const amount = received.reduce((sum, stock) => sum.plus(stock.initialAmount), zero);
  if (amount.eq(zero)) return null;
  const cost = received.reduce(
    (sum, stock) => sum.plus(decimal(stock.initialAmount).times(stock.costPerUnit)),
    zero,
  );
  return decimalText(cost.div(amount).round(6));
}
