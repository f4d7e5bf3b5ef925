import { createOrganization } from '../src/access/organizations/organizations.ts';
import { createStaff } from '../src/access/staff/staff.ts';
import type { OrganizationId } from '../src/kernel/ids.ts';
import { addDays, localDateAt, localInstantMs } from '../src/kernel/local-time.ts';
import type { Context, Origin } from '../src/platform/database/context.ts';
import type { BlobStore } from '../src/platform/storage/blob-store.ts';
import { storeDrawing } from '../src/shop/catalog/products.ts';
import type { CustomerRow } from '../src/shop/customers/customer-queries.ts';
import { importCustomers } from '../src/shop/customers/customers.ts';
import { createLocations, openStock } from '../src/shop/inventory/stock.ts';
import type { StaffName } from '../src/shop/orders/order-record.ts';
import { registers } from '../src/shop/registers/registers.ts';
import { changeShopProfile, createTerms } from '../src/shop/settings/terms-of-sale.ts';
import { loadCatalog } from './load-catalog.ts';
import { loadPromotions } from './load-promotions.ts';
import { detailsOf } from './load-purchasing.ts';
import type { TradingShop } from './loaded-shop.ts';
import { generateCustomers } from './people.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { CustomerContent, ShopContent } from './shop-content.ts';
import { letter, letteringWidth } from './stroke-letters.ts';

interface Opening {
  readonly random: SeededRandom;
  readonly integrators: TradingShop['integrators'];
  /** The password of every account that can sign in. */
  readonly password: string;
  /** How many. */
  readonly customers: number;
}

/** Customers who join on the day the shop is made do so before the first customer enters the queue. */
const latestJoinMsAgo = 30 * 60_000;

/** Makes all contents of a demo shop before its first order: people, goods, terms, stock, promotions. */
export async function openShop(
  context: Context,
  origin: Origin,
  photos: BlobStore,
  content: ShopContent,
  { random, integrators, password, customers: count }: Opening,
): Promise<TradingShop> {
  const { organization: profile } = content;
  const today = localDateAt(context.clock.now(), profile.tz);
  const dayIn = (days: number): string => addDays(today, days);
  const daysAgo = (days: number, minuteOfDay = 9 * 60): number =>
    localInstantMs(addDays(today, -days), minuteOfDay, profile.tz);
  const organization = await createOrganization(context, origin, {
    ...profile,
    statusOnCreation: { delivery: profile.statusOnCreate.delivery, pickup: profile.statusOnCreate.pickup },
    budtenderDiscountPercent: profile.budtenderDiscountLimitPercent,
    managerDiscountPercent: profile.managerDiscountLimitPercent,
    medicalTaxExempt: true,
    // A demo is tried at any hour, and no goods change hands.
    isPractice: true,
  });
  await showShop(context, origin, photos, organization, content);
  const staff = await hireStaff(context, origin, organization, content, password);
  const catalog = await loadCatalog(context, origin, photos, organization, content);
  const locationIds = await createLocations(context, origin, organization, {
    locations: content.locations,
    drawnFrom: profile.locationNames,
  });
  const paymentTypeIds = await setTerms(context, origin, organization, content, catalog.categoryIds);
  await standRegisters(context, origin, organization, [...locationIds.values()][0]!);
  const shop = { organization, content, integrators, staff, ...catalog, locationIds, paymentTypeIds };
  await stockUp(context, origin, { ...shop, daysAgo, dayIn });
  const people = generateCustomers(random, content, count);
  const customers = await registerCustomers(context, origin, organization, people, { daysAgo, dayIn });
  const promotions = await loadPromotions(
    context,
    origin,
    organization,
    content,
    people,
    { ...catalog, customerIds: customers.map(({ id }) => id) },
    (inDays) => daysAgo(-inDays, 0),
  );
  return { ...shop, ...promotions, people, customers, daysAgo, dayIn };
}

/** What web shops show: the address, the same hours every day, a drawn logo. */
async function showShop(
  context: Context,
  origin: Origin,
  photos: BlobStore,
  organization: OrganizationId,
  { organization: { name, address, opensAtMinute, closesAtMinute } }: ShopContent,
): Promise<void> {
  const hours = { opensAt: timeOfDay(opensAtMinute), closesAt: timeOfDay(closesAtMinute) };
  await changeShopProfile(context, origin, organization, {
    address,
    hours: [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, ...hours })),
    logoLocation: await storeDrawing(photos, Buffer.from(drawLogo(name))),
  });
}

/** Two registers with their drawers, closed, at the place where the shop sells. */
async function standRegisters(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  inventoryLocationId: number,
): Promise<void> {
  for (const name of ['Register 1', 'Register 2']) {
    const register = { name, inventoryLocationId, cashWithoutSession: 'warn' } as const;
    await registers.writes.create(context, origin, organization, register);
  }
}

function timeOfDay(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

type Days = Pick<TradingShop, 'daysAgo' | 'dayIn'>;

async function hireStaff(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  { staff }: ShopContent,
  password: string,
): Promise<TradingShop['staff']> {
  // Drivers have no sign-in.
  const members = staff.flatMap(({ role, ...member }) => (role === 'driver' ? [] : [{ ...member, role }]));
  const ids = await createStaff(
    context,
    origin,
    organization,
    members.map((member) => ({ ...member, password })),
  );
  return new Map(
    members.map(({ key, email, firstName, lastName }, index): [string, StaffName] => [
      key,
      { id: ids[index]!, email, firstName, lastName },
    ]),
  );
}

async function setTerms(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  content: ShopContent,
  categoryIds: ReadonlyMap<string, number>,
): Promise<TradingShop['paymentTypeIds']> {
  const categories = (names: readonly string[]): number[] => names.map((name) => categoryIds.get(name)!);
  const ids = await createTerms(context, origin, organization, {
    taxes: content.taxes.map(({ excludedCategoryNames, nonExemptableCategoryNames, ...tax }) => ({
      ...tax,
      excludedProductCategoryIds: categories(excludedCategoryNames),
      nonExemptableProductCategoryIds: categories(nonExemptableCategoryNames),
    })),
    deliveryZones: content.deliveryZones.map((zone) => ({
      ...zone,
      patterns: [...zone.postalCodes, ...zone.postalCodePrefixes.map((prefix) => `${prefix}*`)],
    })),
    paymentTypes: content.paymentTypes,
  });
  return new Map(content.paymentTypes.map(({ name }, index) => [name, ids[index]!]));
}

async function stockUp(
  context: Context,
  origin: Origin,
  shop: Days & Pick<TradingShop, 'organization' | 'content' | 'productIds' | 'optionIds' | 'locationIds'>,
): Promise<void> {
  const { organization, content, daysAgo, dayIn } = shop;
  const placeOf = (stock: { productKey: string; optionKey: string | null; locationName: string }) => ({
    productId: shop.productIds.get(stock.productKey)!,
    optionId: stock.optionKey === null ? null : shop.optionIds.get(stock.optionKey)!,
    locationId: shop.locationIds.get(stock.locationName)!,
  });
  await openStock(context, origin, organization, [
    ...content.packages.map((pack) => ({
      ...placeOf(pack),
      label: pack.label,
      unit: pack.unit,
      amount: pack.initialAmount,
      costPerUnit: pack.costPerUnit,
      receivedAtMs: daysAgo(pack.receivedDaysAgo),
      expirationDate: pack.expiresInDays === null ? null : dayIn(pack.expiresInDays),
      onHold: pack.onHold,
      tradeSample: pack.tradeSample,
      details: detailsOf(pack, { dayIn }),
    })),
    ...content.looseStock.map((stock) => ({
      ...placeOf(stock),
      label: null,
      unit: 'Each',
      amount: stock.initialAmount,
      costPerUnit: stock.costPerUnit,
      receivedAtMs: daysAgo(stock.receivedDaysAgo),
      expirationDate: null,
      onHold: false,
      tradeSample: false,
    })),
  ]);
}

function registerCustomers(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  people: readonly CustomerContent[],
  { daysAgo, dayIn }: Days,
): Promise<CustomerRow[]> {
  const inDays = (days: number | null): string | null => (days === null ? null : dayIn(days));
  const latestMs = context.clock.now() - latestJoinMsAgo;
  const morning = (days: number): number => Math.min(daysAgo(days), latestMs);
  return importCustomers(
    context,
    origin,
    organization,
    people.map((person) => ({
      ...person,
      birthday: dayIn(-person.bornDaysAgo),
      licenseExpiry: inDays(person.licenseExpiresInDays),
      medicalExpiration: inDays(person.medicalExpiresInDays),
      marketingOptInAtMs:
        person.marketingOptInDaysAgo === null ? null : morning(person.marketingOptInDaysAgo),
      joinedAtMs: morning(person.joinedDaysAgo),
    })),
  );
}

const size = 600;
const letterSize = 220;

/** A square logo of a shop as SVG: the initials of its name. */
function drawLogo(name: string): string {
  const initials = name
    .split(' ')
    .slice(0, 2)
    .map((word) => word[0])
    .join('');
  const x = (size - letteringWidth(initials, letterSize)) / 2;
  const place = { x, y: (size - letterSize) / 2, size: letterSize, color: '#f4efe4' };
  const disc = `<circle cx="${size / 2}" cy="${size / 2}" r="${size / 2}" fill="#2f5d50"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}">${disc}${letter(initials, place)}</svg>`;
}
