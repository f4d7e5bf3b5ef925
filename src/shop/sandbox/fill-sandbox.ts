import { v4 as uuidV4 } from 'uuid';
import { createOrganization } from '../../access/organizations/organizations.ts';
import { createStaff } from '../../access/staff/staff.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { addDays, localDateAt } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { ImportedIds } from '../catalog/import-catalog.ts';
import { importCatalog } from '../catalog/products.ts';
import { customerGroups, importCustomers } from '../customers/customers.ts';
import { createLocations, openStock } from '../inventory/stock.ts';
import { placeOrder, stepOrder } from '../orders/orders.ts';
import type { DiscountSetup } from '../promotions/discount-setup.ts';
import { createDiscount, noConditions, noOwnTerms } from '../promotions/promotions.ts';
import { createTax, createTerms, purchaseLimitRules } from '../settings/terms-of-sale.ts';
import { createConnection } from '../traceability/traceability.ts';
import {
  caseCustomers,
  caseProducts,
  counterName,
  limitedCase,
  type SpecialCase,
  scheduled,
} from './special-cases.ts';

const dayMs = 86_400_000;
const timeZone = 'America/Los_Angeles';
const adultYears = 21;

const counterStaff = { ...counterName, role: 'owner', password: null } as const;

/** For programs that add customers to a group: groups are made by staff. */
const customerGroup = { name: 'Sandbox regulars', description: 'Add whom you like' };

/** A shop of a sandbox, before it is known as one. */
export interface FilledShop {
  readonly organization: OrganizationId;
  readonly staffId: number;
  readonly specialCases: readonly SpecialCase[];
}

interface Filling {
  readonly context: Context;
  readonly origin: Origin;
  readonly organization: OrganizationId;
  readonly staffId: number;
  readonly nowMs: number;
  readonly catalog: ImportedIds;
}

/** Makes an organization with the goods, customers and terms of every special case, by the writes that serve. */
export async function fillSandbox(context: Context, origin: Origin, name: string): Promise<FilledShop> {
  const nowMs = context.wallClock.now();
  const organization = await createOrganization(context, origin, {
    name,
    state: 'CA',
    isPractice: true,
    tz: timeZone,
    customerEmail: 'hello@sandbox.example.com',
    customerPhone: '+15105550142',
    licenseNumber: 'C10-0000000-SANDBOX',
    medicalTaxExempt: true,
  });
  const [staffId] = await createStaff(context, origin, organization, [counterStaff]);
  const catalog = await stockGoods(context, origin, organization, nowMs);
  const filling = { context, origin, organization, staffId: staffId!, nowMs, catalog };
  const cashId = await setTerms(filling);
  const customerIds = await registerCustomers(filling);
  await buyToTheLimit(filling, customerIds, cashId);
  await customerGroups.writes.create(context, origin, organization, customerGroup);
  await connectToState(context, origin, organization);
  return { organization, staffId: staffId!, specialCases: casesOf(catalog, customerIds) };
}

/** Its sales are reported to a state that the service itself plays. The license and its key open nothing else. */
async function connectToState(context: Context, origin: Origin, organization: OrganizationId): Promise<void> {
  const licenseNumber = `SANDBOX-${organization}`;
  await createConnection(context, origin, organization, {
    ...{ inventoryLocationId: null, state: 'CA', isSandbox: true, isOn: true },
    ...{ licenseNumber, userKey: licenseNumber },
  });
}

async function stockGoods(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  nowMs: number,
): Promise<ImportedIds> {
  const catalog = await importCatalog(context, origin, organization, {
    categories: [
      { name: 'Flower', cannabisType: 'non-concentrated' },
      { name: 'Concentrates', cannabisType: 'concentrated' },
      { name: 'Accessories', cannabisType: 'none' },
    ],
    subCategoryNames: [],
    brands: [{ name: 'Sandbox Gardens', description: null }],
    tags: caseProducts.map((product) => ({ name: product.case, description: product.about })),
    products: caseProducts.map((product) => ({
      name: product.name,
      description: product.about,
      unit: 'item',
      strainType: product.content === null ? 'none' : 'hybrid',
      brandName: 'Sandbox Gardens',
      categoryName: product.category,
      subCategoryNames: [],
      tagNames: [product.case],
      inventoryType: product.stock === undefined ? 'none' : 'option',
      isActive: product.isActive ?? true,
      isFeatured: false,
      thc: null,
      cbd: null,
      photos: [],
      movingAverageCostPerUnit: null,
      options: [
        {
          name: null,
          amount: '1',
          priceCents: product.priceCents,
          salesPriceCents: product.salesPriceCents ?? null,
          upc: null,
          content: product.content,
          movingAverageCostPerUnit: product.stock === undefined ? null : '10',
        },
      ],
    })),
  });
  const locationIds = await createLocations(context, origin, organization, {
    locations: [{ name: 'Storefront', description: null, type: 'standard' }],
    drawnFrom: { delivery: ['Storefront'], pickup: ['Storefront'], 'in-store': ['Storefront'] },
  });
  const today = localDateAt(nowMs, timeZone);
  await openStock(
    context,
    origin,
    organization,
    caseProducts.flatMap(({ stock, expiresInDays, content }, index) =>
      stock === undefined || stock === '0'
        ? []
        : [
            {
              productId: catalog.products[index]!.id,
              optionId: catalog.products[index]!.optionIds[0]!,
              // Cannabis lies in packages: its sales are reported.
              label: content === null ? null : `1A4${String(index + 1).padStart(21, '0')}`,
              locationId: locationIds.get('Storefront')!,
              unit: 'Each',
              amount: stock,
              costPerUnit: '10',
              receivedAtMs: nowMs,
              expirationDate: expiresInDays === undefined ? null : addDays(today, expiresInDays),
              onHold: false,
              tradeSample: false,
            },
          ],
    ),
  );
  return catalog;
}

/** Taxes, a zone, payment types, discounts, a limit. Resolves to the id of cash. */
async function setTerms({ context, origin, organization, nowMs, catalog }: Filling): Promise<number> {
  const accessories = catalog.categoryIds.get('Accessories')!;
  const tax = { included: false, appliesToFees: false, rounding: 'half-up' } as const;
  const paymentType = { feeCents: 0, feeDescription: null, feePercent: '0', availableDelivery: true };
  const [cashId] = await createTerms(context, origin, organization, {
    taxes: [
      {
        ...tax,
        ...{ description: 'Excise tax', rate: '15', tier: '1', type: 'excise' },
        ...{ encompass: false, exemptable: false },
        excludedProductCategoryIds: [accessories],
        nonExemptableProductCategoryIds: [],
      },
    ],
    deliveryZones: [
      {
        name: 'Oakland',
        patterns: ['946*'],
        minimumCents: 5_000,
        feeCents: 500,
        feeDescription: 'Delivery',
      },
    ],
    paymentTypes: [
      { ...paymentType, name: 'Cash', method: 'cash' },
      { ...paymentType, name: 'Debit', method: 'debit', feeCents: 350, feeDescription: 'Terminal fee' },
    ],
  });
  const risesAtMs = nowMs + scheduled.taxRisesInDays * dayMs;
  for (const [index, rate] of scheduled.salesTaxRates.entries()) {
    await createTax(context, origin, organization, {
      ...tax,
      ...{
        description: 'Sales tax',
        rate,
        basis: null,
        tier: '2',
        type: 'standard',
        encompass: true,
        exemptable: true,
      },
      ...{ excludedProductCategoryIds: [], nonExemptableProductCategoryIds: [] },
      ...{ onlyInDeliveryZones: false, customerType: 'all', patients: null, locality: null, ownSource: null },
      startsAtMs: index === 0 ? null : risesAtMs,
      endsAtMs: index === 0 ? risesAtMs : null,
    });
  }
  for (const setup of discountSetups(nowMs)) await createDiscount(context, origin, organization, setup);
  await purchaseLimitRules.writes.create(context, origin, organization, {
    name: 'Concentrate in 30 days',
    customerType: 'all',
    cannabisType: 'concentrated',
    limit: '8',
    unit: 'g',
    window: 'rolling-days',
    windowDays: 30,
    counts: [],
    locality: null,
    ownSource: null,
    startsOn: null,
    endsOn: null,
  });
  return cashId!;
}

function discountSetups(nowMs: number): readonly DiscountSetup[] {
  const everywhere = {
    kind: 'line',
    type: 'percent',
    ...{ perUnit: false, maximumAmountCents: null },
    targets: { productIds: [], optionIds: [], categoryIds: [], brandIds: [], tagIds: [] },
    ...{ stackable: true, priority: 0, usesPerOrder: null, usesPerCustomer: null, usesTotal: null },
    ...noOwnTerms,
  } as const;
  return [
    {
      ...everywhere,
      ...{ name: 'Sandbox sale', amount: scheduled.salePercent, trigger: 'automatic', codes: [] },
      conditions: {
        ...noConditions,
        startsAtMs: nowMs + scheduled.saleStartsInDays * dayMs,
        endsAtMs: nowMs + scheduled.saleEndsInDays * dayMs,
      },
    },
    {
      ...everywhere,
      ...{ name: 'Sandbox code', amount: '10', trigger: 'code', codes: [scheduled.code] },
      conditions: noConditions,
    },
  ];
}

/** Resolves to the ids by case. */
async function registerCustomers({
  context,
  origin,
  organization,
  nowMs,
}: Filling): Promise<ReadonlyMap<string, number>> {
  const today = localDateAt(nowMs, timeZone);
  // On 28 February of a year without a 29th.
  const adultSince = `${Number(today.slice(0, 4)) - adultYears}${today.slice(4).replace('-02-29', '-02-28')}`;
  const rows = await importCustomers(
    context,
    origin,
    organization,
    caseCustomers.map(({ firstName, lastName, email, bornDaysLater, medicalExpiresInDays }) => ({
      firstName,
      lastName,
      email,
      phone: null,
      birthday: addDays(adultSince, bornDaysLater),
      sex: null,
      zip: '94607',
      licenseExpiry: null,
      medicalExpiration: medicalExpiresInDays === null ? null : addDays(today, medicalExpiresInDays),
      marketingOptInAtMs: null,
      joinedAtMs: nowMs,
    })),
  );
  return new Map(caseCustomers.map((customer, index) => [customer.case, rows[index]!.id]));
}

/** The customer at the limit buys at the counter all that the limit allows. */
async function buyToTheLimit(
  { context, origin, organization, staffId, catalog }: Filling,
  customerIds: ReadonlyMap<string, number>,
  cashId: number,
): Promise<void> {
  const placedBy = { id: staffId, ...counterName };
  const at = caseProducts.findIndex((product) => product.case === limitedCase.product);
  const { order } = await placeOrder(
    context,
    origin,
    {
      organizationId: organization,
      source: 'in-store',
      integrator: null,
      placedBy,
      customerName: null,
      staffKey: uuidV4({ random: context.randomBytes(16) }),
      role: counterStaff.role,
    },
    {
      type: 'in-store',
      lineItems: [{ productOptionId: catalog.products[at]!.optionIds[0]!, quantity: 8 }],
      customer: null,
      customerId: customerIds.get(limitedCase.customer)!,
      postalCode: null,
      deliveryFeeCents: null,
      deliveryFeeDescription: null,
      discountCodes: [],
      payments: [{ paymentTypeId: cashId, amountCents: 'remaining' }],
      address: null,
      deliveryNotes: null,
      expectedCustomerGrandTotalCents: null,
    },
  );
  await stepOrder(context, origin, organization, order.head.id, 'fulfill', { staff: placedBy });
}

function casesOf(catalog: ImportedIds, customerIds: ReadonlyMap<string, number>): readonly SpecialCase[] {
  return [
    ...caseCustomers.map(({ case: name, about, email }) => ({
      ...{ case: name, about, email, customerId: customerIds.get(name)! },
      ...{ productId: null, productOptionId: null },
    })),
    ...caseProducts.map(({ case: name, about }, index) => ({
      ...{ case: name, about, email: null, customerId: null },
      productId: catalog.products[index]!.id,
      productOptionId: catalog.products[index]!.optionIds[0]!,
    })),
  ];
}
