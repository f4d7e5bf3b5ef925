import { assert } from '../src/kernel/assert.ts';
import type { OrganizationId } from '../src/kernel/ids.ts';
import type { Context, Origin } from '../src/platform/database/context.ts';
import type { ImportedPackage } from '../src/shop/inventory/import-packages.ts';
import {
  importComplianceTransfers,
  importPackages,
  receivePackage,
  voidPackage,
} from '../src/shop/inventory/stock.ts';
import {
  createPurchaseOrder,
  receivePurchaseOrder,
  setPurchaseOrderOpen,
  settlePurchaseOrder,
} from '../src/shop/purchasing/purchasing.ts';
import { contextAt, type TradingShop } from './loaded-shop.ts';
import { type VendorContent, vendorsOf } from './purchasing-content.ts';
import type { PackageContent } from './shop-content.ts';

/** A purchase order of the demo shop: its goods, the received amounts, and the payments. */
interface ScriptedPurchase {
  readonly vendorIndex: number;
  readonly orderedDaysAgo: number;
  /** Null: not announced by the vendor. */
  readonly expectedInDays: number | null;
  /** The excise of Californian vendors, in dollars per unit. */
  readonly caExcisePerUnit?: string;
  readonly paymentTerms: 'net15' | 'net30' | 'net60' | 'cod';
  readonly goods: readonly number[];
  readonly received: 'all' | 'half' | 'nothing';
  readonly paid: 'all' | 'half' | 'nothing';
  readonly isClosed: boolean;
}

const purchases: readonly ScriptedPurchase[] = [
  {
    vendorIndex: 0,
    orderedDaysAgo: 45,
    expectedInDays: -41,
    paymentTerms: 'net30',
    goods: [0, 9, 17],
    received: 'all',
    paid: 'all',
    isClosed: true,
  },
  {
    vendorIndex: 1,
    orderedDaysAgo: 12,
    expectedInDays: -9,
    paymentTerms: 'net15',
    goods: [4, 13],
    received: 'half',
    paid: 'half',
    isClosed: false,
  },
  {
    vendorIndex: 0,
    orderedDaysAgo: 6,
    expectedInDays: -4,
    paymentTerms: 'cod',
    goods: [21],
    received: 'all',
    paid: 'all',
    isClosed: false,
  },
  {
    vendorIndex: 0,
    orderedDaysAgo: 2,
    expectedInDays: 5,
    paymentTerms: 'net60',
    goods: [2, 11, 25],
    received: 'nothing',
    paid: 'nothing',
    isClosed: false,
  },
  {
    vendorIndex: 1,
    orderedDaysAgo: 1,
    expectedInDays: null,
    caExcisePerUnit: '1.35',
    paymentTerms: 'net30',
    goods: [6, 15],
    received: 'nothing',
    paid: 'nothing',
    isClosed: false,
  },
];

const shippingHandlingCents = 4500;
const orderedUnits = 24;

/**
 * Gives a demo shop vendors, purchase orders with receptions and payments, packages of every status, and transfers on
 * their way. It uses the serving code, with a time for each step.
 */
export async function loadPurchasing(context: Context, origin: Origin, trading: TradingShop): Promise<void> {
  const { organization, content: shop, locationIds } = trading;
  const vendors = vendorsOf(shop.slug);
  // One package of each product sold by the piece, in the order of the shelf.
  const goods = [...new Map(shop.packages.filter(isGood).map((pack) => [pack.productKey, pack])).values()];
  const prefix = shop.packages[0]!.label.slice(0, 12);
  let serial = 900_000_000_000;
  const nextLabel = () => `${prefix}${serial++}`;
  const at = (instantMs: number): Context => contextAt(context, instantMs);

  for (const purchase of purchases) {
    const vendor = vendors[purchase.vendorIndex]!;
    const { license, ...inventoryVendor } = vendor;
    const packs = purchase.goods.map((index) => goods[index % goods.length]!);
    const order = await createPurchaseOrder(
      at(trading.daysAgo(purchase.orderedDaysAgo)),
      origin,
      organization,
      {
        lineItems: packs.map((pack) => {
          const { productId, optionId } = itemOf(trading, pack);
          return {
            productId,
            productOptionId: optionId,
            amount: String(orderedUnits),
            costPerUnit: pack.costPerUnit,
            ...(shop.slug === 'california' && { caExcisePerUnit: purchase.caExcisePerUnit ?? null }),
          };
        }),
        expectedAt: purchase.expectedInDays === null ? null : trading.dayIn(purchase.expectedInDays),
        inventoryVendor: { ...inventoryVendor, notes: `License ${license}` },
        paymentTerms: purchase.paymentTerms,
        externalInvoiceNumber: `INV-${purchase.orderedDaysAgo}${purchase.vendorIndex}`,
        shippingHandlingFee: shippingHandlingCents,
      },
    );
    const arrived = at(trading.daysAgo(Math.max(0, -(purchase.expectedInDays ?? 0))));
    if (purchase.received !== 'nothing') {
      const amount = String(purchase.received === 'all' ? orderedUnits : orderedUnits / 2);
      const receptions = order.lineItems.map((line, index) => ({
        lineItemId: line.id,
        inventoryLocationId: locationIds.get(packs[index]!.locationName)!,
        amount,
        package: {
          label: nextLabel(),
          expirationDate: trading.dayIn(240),
          ...detailsOf(packs[index]!, trading),
        },
      }));
      await receivePurchaseOrder(arrived, origin, organization, order.id, receptions);
    }
    if (purchase.paid !== 'nothing') {
      const share = purchase.paid === 'all' ? 1 : 2;
      const amountCents = Math.floor(order.finalTotal / share);
      await settlePurchaseOrder(arrived, origin, organization, order.id, { amountCents });
    }
    if (purchase.isClosed) await setPurchaseOrderOpen(arrived, origin, organization, order.id, 'closed');
  }
  await importPackages(
    context,
    origin,
    organization,
    pastPackages(goods, trading).map((pack) => ({ ...pack, label: nextLabel() })),
  );
  const transferred = await bringTransfers(
    at(trading.daysAgo(1)),
    origin,
    organization,
    vendors,
    goods,
    nextLabel,
  );
  await handleTransferred(context, origin, trading, transferred);
}

/** One package is received, one is torn; the others stay ready to be received. */
async function handleTransferred(
  context: Context,
  origin: Origin,
  trading: TradingShop,
  [received, torn]: Awaited<ReturnType<typeof bringTransfers>>,
): Promise<void> {
  const { organization, locationIds } = trading;
  const { productId, optionId } = itemOf(trading, received!.pack);
  await receivePackage(context, origin, organization, received!.id, {
    productId,
    productOptionId: optionId,
    inventoryLocationId: locationIds.get(received!.pack.locationName)!,
    amount: String(orderedUnits),
    costPerUnit: received!.pack.costPerUnit,
  });
  await voidPackage(context, origin, organization, torn!.id, 'The seal was torn; a new label is on its way');
}

/** The contents of a package, by id. */
function itemOf({ productIds, optionIds }: TradingShop, { productKey, optionKey }: PackageContent) {
  return {
    productId: productIds.get(productKey)!,
    optionId: optionKey === null ? null : optionIds.get(optionKey)!,
  };
}

function isGood(pack: PackageContent): boolean {
  return pack.optionKey !== null && !pack.onHold && !pack.tradeSample && (pack.expiresInDays ?? 1) > 0;
}

/** The fields of a package, under the names of the interface. */
export function detailsOf(pack: PackageContent, { dayIn }: Pick<TradingShop, 'dayIn'>) {
  return {
    externalProductName: pack.externalProductName,
    thcPercent: pack.thcPercent,
    thcMg: pack.thcMg,
    cbdPercent: pack.cbdPercent,
    cbdMg: pack.cbdMg,
    producerName: pack.producerName,
    producerLicense: pack.producerLicense,
    harvestDate: pack.harvestedDaysAgo === null ? null : dayIn(-pack.harvestedDaysAgo),
    harvestFacilityName: pack.harvestedDaysAgo === null ? null : pack.producerName,
    harvestFacilityLicense: pack.harvestedDaysAgo === null ? null : pack.producerLicense,
    labName: pack.labName,
    labLicense: pack.labLicense,
    labDate: dayIn(-pack.testedDaysAgo),
  };
}

/** One package of each status that receptions do not produce. */
function pastPackages(
  goods: readonly PackageContent[],
  trading: TradingShop,
): Omit<ImportedPackage, 'label'>[] {
  const statuses = ['finished', 'shipped', 'transferred', 'transfer-returned', 'syncing'] as const;
  return statuses.map((status, index) => {
    const pack = goods[(index * 3 + 1) % goods.length]!;
    const isHere = status !== 'syncing';
    const left = status === 'shipped' || status === 'transferred' || status === 'transfer-returned';
    return {
      status,
      ...itemOf(trading, pack),
      unit: pack.unit,
      initialAmount: pack.initialAmount,
      costPerUnit: isHere ? pack.costPerUnit : null,
      createdAtMs: trading.daysAgo(30),
      receivedAtMs: isHere ? trading.daysAgo(30) : null,
      finishedAtMs: status === 'finished' ? trading.daysAgo(8) : null,
      shippedAtMs: left ? trading.daysAgo(5) : null,
      transferredAtMs: status === 'transferred' || status === 'transfer-returned' ? trading.daysAgo(4) : null,
      transferReturnedAtMs: status === 'transfer-returned' ? trading.daysAgo(3) : null,
      details: {
        ...detailsOf(pack, trading),
        expirationDate: trading.dayIn(180),
        externalId: String(771_200 + index),
        originalSourceLabel: shopLabel(trading, index),
      },
    };
  });
}

/** The label of a package from which another one was made. */
function shopLabel({ content }: TradingShop, index: number): string {
  return content.packages[index]!.label;
}

/** Two transfers whose packages are ready to be received. Resolves to the packages with their contents. */
async function bringTransfers(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  vendors: readonly VendorContent[],
  goods: readonly PackageContent[],
  nextLabel: () => string,
): Promise<readonly { readonly id: number; readonly pack: PackageContent }[]> {
  const packs = vendors
    .slice(0, 2)
    .flatMap((_, index) => [5, 7, 11].map((step) => goods[(index + step) % goods.length]!));
  const rows = vendors.slice(0, 2).flatMap((vendor, index) =>
    [5, 7, 11].map((step) => {
      const pack = goods[(index + step) % goods.length]!;
      return {
        manifestNumber: `00004188${40 + index}`,
        transferExternalId: `53100${70 + index}`,
        shipperName: vendor.name,
        shipperLicenseNumber: vendor.license,
        label: nextLabel(),
        externalId: String(771_300 + index * 10 + step),
        externalProductName: pack.externalProductName,
        initialAmount: String(orderedUnits),
        unit: pack.unit,
      };
    }),
  );
  const { badRows, transfers } = await importComplianceTransfers(context, origin, organization, { rows });
  assert(badRows.length === 0, 'the transfers of a demo shop are good');
  const idOf = new Map(transfers.flatMap(({ packages }) => packages).map(({ label, id }) => [label, id]));
  return rows.map(({ label }, index) => ({ id: idOf.get(label)!, pack: packs[index]! }));
}
