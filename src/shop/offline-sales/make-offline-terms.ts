import { createHash } from 'node:crypto';
import type { OrganizationRow } from '../../access/organizations/organization-queries.ts';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { asksForId } from '../../engines/duties/judge-duties.ts';
import { missingFacts } from '../../engines/duties/missing-facts.ts';
import { countedThc, unitContent } from '../../engines/goods/potency.ts';
import { exemptsPatients } from '../../engines/jurisdictions/jurisdictions.ts';
import type { Law } from '../../engines/jurisdictions/law-book.ts';
import { minimumAgeOf } from '../../engines/jurisdictions/minimum-age.ts';
import { cashRoundingOf } from '../../engines/offline-pricing/cash-rounding-rules.ts';
import {
  type AudienceTerms,
  type OfflineAudience,
  type OfflineOption,
  type OfflineTerms,
  offlineAudiences,
  offlineTermsFormat,
} from '../../engines/offline-pricing/offline-terms.ts';
import { countedContent, typesCountedByThc } from '../../engines/purchase-limits/check-purchase-limits.ts';
import { assert } from '../../kernel/assert.ts';
import { canonicalDecimalText, decimal, zero } from '../../kernel/decimal.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { audienceOf, limitsFor, priceRulesOf, shopDutiesOf } from '../carts/carts.ts';
import {
  type CounterOptionRow,
  optionLabel,
  type SellableOptionRow,
  selectCategories,
  selectOptionsOfCounter,
  statedContent,
  statedGoods,
} from '../catalog/products.ts';
import {
  maxQuantity,
  type SellableStockRow,
  selectOrderTypeLocations,
  selectSellableStockOfOptions,
} from '../inventory/stock.ts';
import {
  barredOn,
  engineDiscount,
  type OfferedDiscountRow,
  selectUnconditionalDiscounts,
} from '../promotions/promotions.ts';
import { registers, selectRegister } from '../registers/registers.ts';
import type { PurchaseLimitRuleRow } from '../settings/purchase-limit-setting.ts';
import type { TaxRow } from '../settings/tax-queries.ts';
import {
  cartTax,
  selectPaymentTypes,
  selectPurchaseLimitRules,
  selectTaxesInForce,
  taxesOf,
} from '../settings/terms-of-sale.ts';
import { selectOfflineLimits } from './offline-limit-queries.ts';
import { limitsAt, type OfflineLimits } from './set-offline-limits.ts';

/** A catalog beyond it is for the service only: a register holds it all in memory. */
const offlineOptionsMax = 20_000;

interface MadeTerms {
  readonly limits: OfflineLimits;
  /** `OfflineTerms` as JSON text. */
  readonly text: string;
  /** A digest of the text. */
  readonly version: string;
}

/**
 * What a register needs to sell alone now (D75). Null: the owner has not switched it on there, nothing is sold over the counter, or
 * the catalog is too large. Fails with REGISTER_NOT_FOUND.
 */
export async function makeOfflineTerms(
  { database, clock, law }: Pick<Context, 'database' | 'clock' | 'law'>,
  organization: OrganizationId,
  registerId: number,
): Promise<MadeTerms | null> {
  const at = isoTimestamp(clock.now());
  const [[register], limitRows, [shop], options, categories, places, taxes, rules, discounts, types] =
    await database.read(
      organization,
      selectRegister({ id: registerId }),
      selectOfflineLimits({}),
      selectOrganization({}),
      selectOptionsOfCounter({ limit: offlineOptionsMax + 1 }),
      selectCategories({}),
      selectOrderTypeLocations({}),
      selectTaxesInForce({ at }),
      selectPurchaseLimitRules({}),
      selectUnconditionalDiscounts({ at }),
      selectPaymentTypes({}),
    );
  if (register === undefined || register.archivedAt !== null) throw registers.writes.notFound();
  assert(shop !== undefined, 'the organization exists');
  const limits = limitsAt(limitRows, register.inventoryLocationId);
  if (!limits.isOn || !shop.has_in_store || options.length > offlineOptionsMax) return null;
  const [stock] = await database.read(
    organization,
    selectSellableStockOfOptions({ optionIds: options.map(({ option_id }) => option_id), at }),
  );
  const usual = places.flatMap((row) => (row.order_type === 'in-store' ? [row.inventory_location_id] : []));
  const placeIds = usual.length > 0 ? usual : [register.inventoryLocationId];
  const { current } = law;
  const today = localDateAt(clock.now(), shop.tz);
  const priceRules = priceRulesOf(current.find(shop.state), shop, today);
  const audiences = Object.fromEntries(
    offlineAudiences.map((audience) => [
      audience,
      audienceTerms(audience, current, shop, today, taxes, rules),
    ]),
  ) as Record<OfflineAudience, AudienceTerms>;
  const terms: OfflineTerms = {
    ...{ format: offlineTermsFormat, timeZone: shop.tz, ...priceRules },
    discountLimits: {
      budtenderPercent: shop.budtender_discount_percent,
      managerPercent: shop.manager_discount_percent,
      maximumPercent: shop.maximum_discount_percent,
    },
    audiences,
    categories: categories.map(({ id, name }) => ({ id, name })),
    options: offlineOptions(
      options,
      stock,
      placeIds,
      priceRules.freeProductFloorCents,
      asksContents(audiences) ? (row) => lacksFacts(row, audiences['adult-use']) : null,
    ),
    asksForId: asksForId({
      ...{
        jurisdiction: current.find(shop.state),
        nowMs: clock.now(),
        tz: shop.tz,
        shop: shopDutiesOf(shop),
      },
    }),
    discounts: lawfulOffline(discounts, options, { jurisdiction: current.find(shop.state), today }).map(
      engineDiscount,
    ),
    paymentTypes: types
      // What pays by card of the shop or of a network needs the service.
      .filter((type) => type.method !== 'processor' && !type.takes_gift_cards)
      .map((type) => ({
        ...{ paymentTypeId: type.id, name: type.name, isCash: type.method === 'cash' },
        cashRounding: cashRoundingOf(type),
        ...{ feeCents: type.fee_cents, feePercent: type.fee_percent, feeDescription: type.fee_description },
      })),
  };
  const text = JSON.stringify(terms);
  return { limits, text, version: createHash('sha256').update(text).digest('base64url') };
}

/** Whether the service would refuse to sell an option to an adult, because it lacks a fact. */
function lacksFacts(row: SellableOptionRow, { taxes, taxExempt, purchaseLimits }: AudienceTerms): boolean {
  return missingFacts(statedGoods(row), { taxes, taxExempt, limits: purchaseLimits }).length > 0;
}

/** Whether a tax or a limit asks what products hold. */
function asksContents(audiences: OfflineTerms['audiences']): boolean {
  return Object.values(audiences).some(
    ({ taxes, purchaseLimits }) =>
      taxes.some(({ basis }) => basis != null) ||
      purchaseLimits.some((rule) => typesCountedByThc(rule).length > 0),
  );
}

function audienceTerms(
  audience: OfflineAudience,
  law: Law,
  shop: OrganizationRow,
  today: string,
  taxes: readonly TaxRow[],
  rules: readonly PurchaseLimitRuleRow[],
): AudienceTerms {
  const jurisdiction = law.find(shop.state);
  const isMedical = audience !== 'adult-use';
  const place = { orderType: 'in-store', postalCode: null } as const;
  const exempts = shop.medical_tax_exempt || (jurisdiction !== null && exemptsPatients(jurisdiction, today));
  // A register that is alone does not know where a customer lives.
  const unknown = { jurisdiction, today, isMedical, birthday: null, residence: null };
  const heldTo = isMedical ? audience : audienceOf(unknown);
  return {
    minimumAge: minimumAgeOf({ jurisdiction, today, isMedical }),
    taxExempt: isMedical && exempts,
    taxes: taxesOf(place, null, isMedical, taxes).map(cartTax),
    purchaseLimits: limitsFor({ jurisdiction, today }, heldTo, rules, place),
  };
}

/** The discounts that the law lets a register give that does not know what else is in a cart. */
function lawfulOffline(
  discounts: readonly OfferedDiscountRow[],
  options: readonly CounterOptionRow[],
  law: Pick<Parameters<typeof barredOn>[1], 'jurisdiction' | 'today'>,
): readonly OfferedDiscountRow[] {
  const goods = options.map((row) => ({
    ...{ productOptionId: row.option_id, productId: row.product_id, productCategoryId: row.category_id },
    ...{ productBrandId: row.brand_id, productTagIds: row.tag_ids, isCannabis: row.cannabis_type !== 'none' },
  }));
  return discounts.filter(
    (row) => barredOn(row, { ...law, isMedical: row.customer_type === 'medical' }, goods) === null,
  );
}

/** How a weight is sold, of goods that the service sells loose. */
function looseTerms(row: CounterOptionRow): Pick<OfflineOption, 'loose'> {
  const { weight_tolerance: tolerance, sizes, product_unit: unit, inventory_type: inventoryType } = row;
  if (tolerance === null || sizes === null || unit !== 'gram' || inventoryType === 'option') return {};
  return {
    loose: {
      tolerance,
      sizes: sizes.map((size) => ({
        ...{ amount: size.amount, priceCents: size.price, salesPriceCents: size.salesPrice },
      })),
      stated: statedContent(row),
    },
  };
}

function offlineOptions(
  rows: readonly CounterOptionRow[],
  stock: readonly SellableStockRow[],
  placeIds: readonly number[],
  floorCents: number,
  /** Whether the service refuses an option for what it does not state; null: nothing is asked. */
  lacks: ((row: SellableOptionRow) => boolean) | null,
): OfflineOption[] {
  const stockOf = groupBy(
    stock.filter((row) => placeIds.includes(row.inventory_location_id)),
    (row) => `${row.product_id}/${row.product_option_id}`,
  );
  return rows.flatMap((row) => {
    const { cannabis_type: cannabisType, sales_price_cents: salesPriceCents, price_cents: priceCents } = row;
    // The service refuses such a sale, too.
    const isBelowFloor = salesPriceCents !== null && salesPriceCents < Math.min(floorCents, priceCents);
    if (isBelowFloor && cannabisType !== 'none') return [];
    if (lacks?.(row)) return [];
    const { product_unit: unit, option_amount: amount, option_content: content } = row;
    const key = `${row.product_id}/${row.inventory_type === 'option' ? row.option_id : 0}`;
    const onHand = (stockOf.get(key) ?? []).reduce((sum, { on_hand }) => sum.plus(decimal(on_hand)), zero);
    return [
      {
        ...{ id: row.option_id, productId: row.product_id, productName: row.product_name },
        optionName: optionLabel(row.option_name, amount, unit),
        ...{ brandName: row.brand_name, brandId: row.brand_id, categoryId: row.category_id },
        ...{ tagIds: row.tag_ids, cannabisType, priceCents, salesPriceCents, upc: row.upc },
        content: countedContent({ cannabisType, content, unit, amount }),
        ...(lacks !== null && {
          unitContent: unitContent(statedContent(row)),
          thcMg: countedThc(statedContent(row)),
        }),
        ...{ amount: canonicalDecimalText(amount), unit, inventoryType: row.inventory_type },
        ...{ strainType: row.product_strain_type, thc: row.thc },
        ...looseTerms(row),
        inStock: maxQuantity({ inventoryType: row.inventory_type, amount }, onHand),
      },
    ];
  });
}
