import { expect, test } from 'vitest';
import { casesOf } from '../../../test/harness/long-suite.ts';
import { localInstantMs } from '../../kernel/local-time.ts';
import { type CannabisType, cannabisTypes } from '../goods/cannabis-type.ts';
import { countedThc, type StatedContent, unitContent } from '../goods/potency.ts';
import type { Jurisdiction } from '../jurisdictions/jurisdiction.ts';
import {
  isExemptable,
  rulesInForce,
  type ShippedState,
  taxPresetInForce,
} from '../jurisdictions/jurisdictions.ts';
import { shippedLaw } from '../jurisdictions/law-book.ts';
import { secondDuties } from '../jurisdictions/second-duties.test-support.ts';
import { priceCart } from '../pricing/price-cart.ts';
import type { PricedCart } from '../pricing/priced-cart.ts';
import type { CartTax } from '../pricing/pricing-facts.ts';
import { priceCartByReference } from '../pricing/reference-pricing.test-support.ts';
import {
  decimal,
  isLess,
  over,
  plus,
  type Rational,
  times,
  whole,
  zero,
} from '../pricing/reference-rational.test-support.ts';
import { sampleCart, sampleLine, sampleTax } from '../pricing/sample-cart.test-support.ts';
import { checkPurchaseLimits, countedContent } from '../purchase-limits/check-purchase-limits.ts';
import type { PurchaseLimitRule } from '../purchase-limits/purchase-limit-rule.ts';
import { refusedDuties } from './judge-duties.ts';
import { missingFacts } from './missing-facts.ts';
import { strictShop } from './shop-duties.ts';

/*
 * Carts of every state with its preset, limits and duties, against small second readings: of prices in fractions, of limits line by
 * line, of duties from the rows that were typed twice. STATE_CARTS sets their number.
 */

const carts = Number(process.env.STATE_CARTS ?? casesOf({ everyRun: 240, long: 1_000_000 }));
const seed = Number(process.env.STATE_CARTS_SEED ?? 20_261_128);

/** Mulberry32: the same carts each time. */
let state = seed;
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
}
const upTo = (max: number) => Math.floor(random() * (max + 1));
const one = <Value>(of: readonly Value[]): Value => of[upTo(of.length - 1)]!;

const days = ['2025-06-30', '2026-06-11', '2026-09-30', '2026-10-01', '2026-11-28', '2027-07-01'];
const contents: Readonly<Record<string, readonly string[]>> = {
  'non-concentrated': ['1', '3.5', '7', '28.349523125'],
  concentrated: ['500', '1000', '3543'],
  inhalables: ['300', '1000'],
  edibles: ['5', '100', '1000', '7087'],
  'low-dose-drinks': ['2.5', '10'],
  'mi-infused-solids': ['1', '16'],
  'mi-infused-fluids': ['12', '36'],
};
const potencies = [null, '0', '19.5', '35', '35.000001', '87.25'];

function goods(id: number) {
  const cannabisType = one(cannabisTypes);
  const stated: StatedContent = {
    ...{ cannabisType, unit: 'item', amount: '1', content: one(contents[cannabisType] ?? ['1']) },
    ...{ thcPercent: one(potencies), thcMg: upTo(5) === 0 ? one(['0', '12.5', '700']) : null },
  };
  return { id, stated, quantity: 1 + upTo(4), priceCents: upTo(9000) };
}
type Goods = ReturnType<typeof goods>;

const categoryOf = (type: CannabisType) => cannabisTypes.indexOf(type) + 1;
const categoriesOf = (types: readonly CannabisType[]) => types.map(categoryOf);

const presets = new Map<string, CartTax[]>();
function presetOf(jurisdiction: Jurisdiction, isMedical: boolean, day: string): CartTax[] {
  const key = `${jurisdiction.state} ${isMedical} ${day}`;
  const known = presets.get(key);
  if (known !== undefined) return known;
  const taxes = taxPresetInForce(jurisdiction, day)
    .filter(({ customerType }) => customerType === 'all' || (customerType === 'medical') === isMedical)
    .map((tax, index) => ({
      ...sampleTax({
        id: index + 10,
        description: tax.description,
        rate: tax.rate,
        basis: tax.basis ?? null,
      }),
      ...{ tier: tax.tier, type: tax.type, included: tax.included, encompass: tax.encompass },
      ...{ exemptable: isExemptable(tax), appliesToFees: tax.appliesToFees, rounding: tax.rounding },
      excludedProductCategoryIds: categoriesOf(tax.excludedCannabisTypes),
      nonExemptableProductCategoryIds: categoriesOf(tax.nonExemptableCannabisTypes),
    }));
  presets.set(key, taxes);
  return taxes;
}

/** In units of each content: grams of flower and THC, milligrams of extract and THC. */
const inGrams = { mg: '0.001', g: '1', oz: '28.349523125', 'fl oz': '1', count: '1' } as const;
const unitOf: Readonly<Record<string, keyof typeof inGrams>> = {
  ...{
    'non-concentrated': 'g',
    concentrated: 'mg',
    inhalables: 'mg',
    edibles: 'mg',
    'low-dose-drinks': 'mg',
  },
  ...{ 'mi-infused-solids': 'oz', 'mi-infused-fluids': 'fl oz' },
};
const size = (amount: string, unit: keyof typeof inGrams): Rational =>
  times(decimal(amount), decimal(inGrams[unit]));

/** THC of one unit in milligrams, a second time; null: not known. */
function thcByReference({ cannabisType: type, content, thcPercent, thcMg }: StatedContent): Rational | null {
  if (type === 'none' || content === null) return null;
  if (thcMg !== null) return decimal(thcMg);
  if (type === 'edibles' || type === 'low-dose-drinks') return decimal(content);
  const hasWeight = ['non-concentrated', 'concentrated', 'inhalables', 'mi-infused-solids'].includes(type);
  if (thcPercent === null || !hasWeight) return null;
  return times(times(size(content, unitOf[type]!), decimal('10')), decimal(thcPercent));
}

function usedByReference(rule: PurchaseLimitRule, lines: readonly Goods[]): Rational {
  let used = zero;
  for (const { stated, quantity } of lines) {
    const { cannabisType: type, content } = stated;
    const how = rule.counts[type];
    if (how === undefined || type === 'none' || content === null) continue;
    const isExtract = type === 'concentrated' || type === 'inhalables';
    const isThc = how !== 'one-to-one' && how.of === 'thc';
    const mg = isThc ? (thcByReference(stated) ?? (isExtract ? decimal(content) : zero)) : null;
    const held = mg === null ? size(content, unitOf[type] ?? 'count') : times(mg, decimal('0.001'));
    const counts =
      how === 'one-to-one'
        ? held
        : times(over(held, size(how.amount.amount, how.amount.unit)), size(how.uses.amount, how.uses.unit));
    used = plus(used, times(counts, whole(quantity)));
  }
  return over(used, size('1', rule.limit.unit));
}

/** The rows of a duty that are enforced, as they were typed a second time. */
const typed = (of: string, name: string) =>
  secondDuties[of as ShippedState]
    .map((row) => row.split(' | '))
    .filter(([duty, kind]) => duty === name && kind!.startsWith('enforced'));

function codesByReference(of: string, minute: number, channel: string, isMedical: boolean): string[] {
  const codes: string[] = [];
  const outside = (window: string) => {
    const [from, to] = window.split('-').map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));
    return from! < to! ? minute < from! || minute >= to! : minute < from! && minute >= to!;
  };
  const [delivery] = channel === 'delivery' ? typed(of, 'delivery') : [];
  const hours = /\d\d:\d\d-\d\d:\d\d/;
  const window =
    hours.exec(delivery?.[2] ?? '')?.[0] ?? hours.exec(typed(of, 'saleHours')[0]?.[2] ?? '')?.[0];
  if (window !== undefined && outside(window)) codes.push('OUTSIDE_SALE_HOURS');
  const to = delivery?.[2]?.split(' ')[0];
  if (to === 'none' || (to === 'patients' && !isMedical)) codes.push('DELIVERY_NOT_ALLOWED');
  return codes;
}

function judge(jurisdiction: Jurisdiction): void {
  const day = one(days);
  const isMedical = upTo(2) === 0;
  const cart = Array.from({ length: 1 + upTo(4) }, (_, index) => goods(index + 1));
  const what = () => JSON.stringify({ seed, state: jurisdiction.state, day, isMedical, cart });

  const input = {
    ...sampleCart(),
    ...{ taxExempt: isMedical, adjustments: [], loyaltyRewards: [], credits: [] },
    lines: cart.map(({ id, stated, quantity, priceCents }) => ({
      ...sampleLine({ productOptionId: id, productCategoryId: categoryOf(stated.cannabisType) }),
      ...{ quantity, priceCents, content: unitContent(stated), isCannabis: stated.cannabisType !== 'none' },
    })),
    taxes: [
      ...presetOf(jurisdiction, isMedical, day),
      sampleTax({ rate: '8.875', tier: '3', encompass: true }),
    ],
  };
  const discounts = { offered: [], situation: {} as never, presentedCodes: [], chosenIds: [] };
  const { cart: reference } = priceCartByReference({ ...input, discounts });
  const priced = priceCart(input);
  const chargedOf = ({ taxes, lines, customerGrandTotalCents }: PricedCart) =>
    JSON.stringify([
      taxes.map((tax) => [tax.id, tax.amountCents, tax.amountBeforeExemptionCents]),
      lines.map(({ taxAllocations }) => taxAllocations.map(({ taxId, amountCents }) => [taxId, amountCents])),
      customerGrandTotalCents,
    ]);
  if (chargedOf(priced) !== chargedOf(reference))
    expect(chargedOf(priced), what()).toBe(chargedOf(reference));

  const limits = rulesInForce(jurisdiction, day, isMedical ? 'medical' : 'adult-use');
  const verdict = checkPurchaseLimits({
    ...{ rules: limits, history: [], today: day },
    cartLines: cart.map(({ stated, quantity }) => ({
      ...{ cannabisType: stated.cannabisType, quantity, content: countedContent(stated) },
      thcMg: countedThc(stated),
    })),
  });
  for (const [index, rule] of limits.entries()) {
    const isOver = isLess(decimal(rule.limit.amount), usedByReference(rule, cart));
    if (verdict.limits[index]!.exceeded !== isOver)
      expect([rule.name, !isOver], what()).toEqual([rule.name, isOver]);
  }

  for (const { id, stated } of cart) {
    const productCategoryId = categoryOf(stated.cannabisType);
    const asked = { taxes: input.taxes, taxExempt: isMedical, limits: [] };
    const missing = missingFacts({ name: `${id}`, productCategoryId, stated }, asked).map(({ fact }) => fact);
    const wanted = input.taxes.flatMap(({ basis, excludedProductCategoryIds: excluded, exemptable }) => {
      if (basis == null || excluded.includes(productCategoryId) || (isMedical && exemptable)) return [];
      const thc = thcByReference(stated);
      if (basis.kind === 'thc-mg') return thc === null ? ['thcMg'] : [];
      return stated.thcPercent === null && (thc === null || unitContent(stated).grams === null)
        ? ['thcPercent']
        : [];
    });
    if (missing.join() !== wanted.join()) expect(missing, what()).toEqual(wanted);
  }

  const minute = upTo(1439);
  const channel = one(['in-store', 'delivery', 'pickup'] as const);
  const tz = 'America/Chicago';
  const asked = ['OUTSIDE_SALE_HOURS', 'DELIVERY_NOT_ALLOWED'];
  const on = '2026-11-28';
  const codes = refusedDuties({
    ...{ jurisdiction, tz, shop: strictShop, channel, isHandOver: true, limits: [] },
    ...{ nowMs: localInstantMs(on, minute, tz), buyer: { isNamed: true, isMedical } },
    lines: cart.map(({ stated, quantity, priceCents }) => ({
      ...{ name: 'Jar', cannabisType: stated.cannabisType, content: stated.content, quantity },
      unitPriceCents: priceCents,
    })),
  }).flatMap(({ code }) => (asked.includes(code) ? [code] : []));
  const hasCannabis = cart.some(({ stated }) => stated.cannabisType !== 'none');
  const expectedCodes = hasCannabis ? codesByReference(jurisdiction.state, minute, channel, isMedical) : [];
  if (codes.join() !== expectedCodes.join())
    expect(codes, `${minute} ${channel} ${what()}`).toEqual(expectedCodes);
}

test('carts of every state are taxed, limited and refused as second readings say', () => {
  const states = shippedLaw.edition.jurisdictions;
  for (let index = 0; index < carts; index++) judge(states[index % states.length]!);
  expect(carts).toBeGreaterThanOrEqual(states.length);
}, 7_200_000);
