import { assert } from '../../kernel/assert.ts';
import { isAscending } from '../../kernel/is-ascending.ts';
import type { UnitContent } from '../goods/potency.ts';
import { findBasisFault, type TaxBasis } from '../goods/tax-basis.ts';
import { allocate, allocateByCents } from './allocate.ts';
import { bracketOf, chargeByContent, shareByPotency } from './charge-by-basis.ts';
import {
  add,
  type Fraction,
  fraction,
  fractionText,
  isSafeToRound,
  leastCommonMultiple,
  multiply,
  parsePercent,
  roundCents,
  roundWholes,
} from './exact-amounts.ts';
import type { PriceStep } from './price-step.ts';
import type { CartTax } from './pricing-facts.ts';

const one = fraction(1n);

/** A base of taxes: a line of the cart, or the delivery fee, which has no category. */
export interface TaxableLine {
  readonly subject: string;
  readonly productCategoryId: number | null;
  readonly grossCents: number;
  /** What one unit holds, and how many they are, for taxes with a basis. */
  readonly content?: UnitContent | null | undefined;
  readonly quantity?: number;
}

export interface ChargedTax {
  readonly tax: CartTax;
  readonly amountBeforeExemptionCents: number;
  readonly amountCents: number;
  /** Parallel to the taxable lines; null where the tax does not apply to the line. */
  readonly allocatedCents: readonly (number | null)[];
}

/** A line while taxes are charged. */
interface TaxedLine {
  readonly subject: string;
  readonly productCategoryId: number | null;
  readonly content: UnitContent | null;
  readonly quantity: number;
  /** `grossCents` without the included taxes, in units (see `netLines`). */
  readonly netUnits: bigint;
  /** Charged by the tiers below the current one. */
  lowerTiersCents: number;
}

/**
 * The reason why these taxes cannot be charged together, or null. An included tax may encompass only included
 * taxes: otherwise its share of a price would depend on a tax that is not in that price.
 */
export function findTaxContradiction(taxes: readonly CartTax[]): string | null {
  for (const tax of taxes) {
    const fault = tax.basis == null ? null : findFaultOfBasis(tax, tax.basis);
    if (fault !== null) return fault;
    if (!tax.included || !tax.encompass) continue;
    const added = taxes.find((lower) => lower.tier < tax.tier && !lower.included);
    if (added !== undefined) {
      return `"${tax.description}" is included in prices and encompasses "${added.description}", which is not`;
    }
  }
  return null;
}

/**
 * Why a tax cannot have its basis, in words that begin with the field; null: it can. A delivery fee has no content; an amount for content
 * has no share of a price.
 */
export function findFaultOfBasis(
  tax: Pick<CartTax, 'rate' | 'included' | 'encompass' | 'appliesToFees'>,
  basis: TaxBasis,
): string | null {
  if (Number(tax.rate) !== 0) return 'rate must be 0 beside a basis, which says what is charged';
  if (tax.appliesToFees) return 'appliesToFees must be false beside a basis: a fee has no content';
  if (basis.kind !== 'potency' && (tax.included || tax.encompass)) {
    const field = tax.included ? 'included' : 'encompass';
    return `${field} must be false for cents by content, which are no share of a price`;
  }
  const fault = findBasisFault(basis);
  return fault === null ? null : `basis: ${fault}`;
}

/**
 * Charges every tax on its lines, by tier and then by id; amounts are rounded once per tax and then allocated
 * to the lines by their bases. The taxes must not contradict each other.
 */
export function chargeTaxes(
  taxes: readonly CartTax[],
  taxableLines: readonly TaxableLine[],
  taxExempt: boolean,
  steps: PriceStep[] | null,
): ChargedTax[] {
  const contradiction = findTaxContradiction(taxes);
  assert(contradiction === null, contradiction ?? '');
  const tiers = groupByTier(taxes);
  const inCents = steps === null ? chargeTaxesInCents(tiers, taxableLines, taxExempt) : null;
  if (inCents !== null) return inCents;
  const { lines, unitsPerCent } = netLines(tiers, taxableLines, steps);
  return tiers.flatMap((tier) => {
    const chargedTaxes = tier.map((tax) => chargeTax(tax, lines, unitsPerCent, taxExempt, steps));
    // Only now, because taxes of one tier do not include each other.
    for (const { allocatedCents } of chargedTaxes) {
      for (const [index, line] of lines.entries()) line.lowerTiersCents += allocatedCents[index] ?? 0;
    }
    return chargedTaxes;
  });
}

/**
 * The same for most carts: without included taxes, bases are whole cents, and where no product exceeds the safe
 * integers, plain integers replace big ones (a third of the time of a priced cart, measured). Null for any
 * other cart.
 */
function chargeTaxesInCents(
  tiers: readonly (readonly CartTax[])[],
  lines: readonly TaxableLine[],
  taxExempt: boolean,
): ChargedTax[] | null {
  const lowerTiersCents = lines.map(() => 0);
  const chargedTaxes: ChargedTax[] = [];
  for (const tier of tiers) {
    const charged = tier.map((tax) =>
      tax.included || tax.basis != null ? null : chargeTaxInCents(tax, lines, lowerTiersCents, taxExempt),
    );
    if (!charged.every((tax) => tax !== null)) return null;
    for (const { allocatedCents } of charged) {
      for (let index = 0; index < lines.length; index++)
        lowerTiersCents[index]! += allocatedCents[index] ?? 0;
    }
    chargedTaxes.push(...charged);
  }
  return chargedTaxes;
}

function chargeTaxInCents(
  tax: CartTax,
  lines: readonly TaxableLine[],
  lowerTiersCents: readonly number[],
  taxExempt: boolean,
): ChargedTax | null {
  let baseCents = 0;
  let chargedBaseCents = 0;
  const weights: number[] = [];
  for (let index = 0; index < lines.length; index++) {
    const { productCategoryId, grossCents } = lines[index]!;
    let weight = 0;
    if (touches(tax, productCategoryId)) {
      const lineCents = grossCents + (tax.encompass ? lowerTiersCents[index]! : 0);
      baseCents += lineCents;
      if (!taxExempt || staysTaxed(tax, productCategoryId)) weight = lineCents;
      chargedBaseCents += weight;
    }
    weights.push(weight);
  }
  const { plainNumerator, plainDenominator } = parsePercent(tax.rate);
  if (!isSafeToRound(baseCents, plainNumerator)) return null;
  const round = (cents: number) => roundWholes(cents * plainNumerator, plainDenominator, tax.rounding);
  const amountBeforeExemptionCents = round(baseCents);
  const amountCents = round(chargedBaseCents);
  const parts: (number | null)[] = allocateByCents(amountCents, weights);
  for (let index = 0; index < lines.length; index++) {
    if (!touches(tax, lines[index]!.productCategoryId)) parts[index] = null;
  }
  return { tax, amountBeforeExemptionCents, amountCents, allocatedCents: parts };
}

function chargeTax(
  tax: CartTax,
  lines: readonly TaxedLine[],
  unitsPerCent: bigint,
  taxExempt: boolean,
  steps: PriceStep[] | null,
): ChargedTax {
  if (tax.basis != null) return chargeByBasis(tax, tax.basis, lines, unitsPerCent, taxExempt, steps);
  const touched = lines.map((line) => touches(tax, line.productCategoryId));
  let baseUnits = 0n;
  let chargedBaseUnits = 0n;
  const weights = lines.map((line, index) => {
    if (!touched[index]) return 0n;
    const lineUnits = line.netUnits + (tax.encompass ? BigInt(line.lowerTiersCents) * unitsPerCent : 0n);
    baseUnits += lineUnits;
    if (taxExempt && !staysTaxed(tax, line.productCategoryId)) return 0n;
    chargedBaseUnits += lineUnits;
    return lineUnits;
  });

  const rate = parsePercent(tax.rate);
  const roundTax = (units: bigint) =>
    roundCents(units * rate.numerator, unitsPerCent * rate.denominator, tax.rounding);
  const amountBeforeExemptionCents = roundTax(baseUnits);
  const amountCents = roundTax(chargedBaseUnits);
  const parts = allocate(amountCents, weights);

  if (steps !== null) {
    const step = (name: 'tax' | 'exemption', units: bigint, roundedCents: number): PriceStep => ({
      step: name,
      rule:
        (name === 'tax' ? 'rate of the base' : 'rate of the part of the base that stays taxed') +
        (tax.rounding === 'up' ? ', to the next whole cent' : ', to the nearest cent'),
      subject: tax.description,
      base: fractionText(fraction(units, unitsPerCent)),
      rate: tax.rate,
      exact: fractionText(multiply(rate, fraction(units, unitsPerCent))),
      roundedCents,
    });
    steps.push(step('tax', baseUnits, amountBeforeExemptionCents));
    if (taxExempt && tax.exemptable) steps.push(step('exemption', chargedBaseUnits, amountCents));
    explainShares(tax, lines, { weights, unitsPerCent, amountCents, parts }, steps);
  }
  return {
    tax,
    amountBeforeExemptionCents,
    amountCents,
    allocatedCents: parts.map((part, index) => (touched[index] ? part : null)),
  };
}

interface Shares {
  readonly weights: readonly bigint[];
  readonly unitsPerCent: bigint;
  readonly amountCents: number;
  readonly parts: readonly number[];
}

function explainShares(
  tax: CartTax,
  lines: readonly TaxedLine[],
  { weights, unitsPerCent, amountCents, parts }: Shares,
  steps: PriceStep[],
): void {
  if (amountCents === 0) return;
  const total = weights.reduce((sum, units) => sum + units, 0n);
  for (const [index, line] of lines.entries()) {
    const units = weights[index]!;
    // One line that bears the whole amount needs no step.
    if (units === 0n || units === total) continue;
    steps.push({
      step: 'tax-share',
      rule: `share of ${amountCents} by weight, largest remainders first`,
      subject: `${tax.description}, ${line.subject}`,
      base: fractionText(fraction(units, unitsPerCent)),
      rate: null,
      exact: fractionText(fraction(BigInt(amountCents) * units, total)),
      roundedCents: parts[index]!,
    });
  }
}

/** A tax whose lines have rates of their own: each line's charge is exact, and their sum is rounded once. */
function chargeByBasis(
  tax: CartTax,
  basis: TaxBasis,
  lines: readonly TaxedLine[],
  unitsPerCent: bigint,
  taxExempt: boolean,
  steps: PriceStep[] | null,
): ChargedTax {
  const touched = lines.map((line) => touches(tax, line.productCategoryId));
  const charges = lines.map((line, index) => {
    if (!touched[index]) return nothing;
    const lower = tax.encompass ? BigInt(line.lowerTiersCents) * unitsPerCent : 0n;
    const base = fraction(line.netUnits + lower, unitsPerCent);
    const { exact, ...explained } = chargeOfLine(basis, line, base);
    const subject = `${tax.description}, ${line.subject}`;
    steps?.push({ step: 'tax-line', subject, ...explained, exact: fractionText(exact), roundedCents: null });
    return exact;
  });
  const charged = charges.map((charge, index) =>
    taxExempt && !staysTaxed(tax, lines[index]!.productCategoryId) ? nothing : charge,
  );
  const round = (sum: Fraction) => roundCents(sum.numerator, sum.denominator, tax.rounding);
  const total = charges.reduce(add, nothing);
  const chargedTotal = charged.reduce(add, nothing);
  const amountBeforeExemptionCents = round(total);
  const amountCents = round(chargedTotal);
  const denominator = charged.reduce((all, each) => leastCommonMultiple(all, each.denominator), 1n);
  const weights = charged.map((each) => each.numerator * (denominator / each.denominator));
  const parts = allocate(amountCents, weights);
  if (steps !== null) {
    const rule = `sum of the lines${tax.rounding === 'up' ? ', to the next whole cent' : ', to the nearest cent'}`;
    const step = (name: 'tax' | 'exemption', exact: Fraction, roundedCents: number): PriceStep => {
      const text = fractionText(exact);
      const of = name === 'tax' ? rule : `${rule}, without what is exempt`;
      return {
        step: name,
        rule: of,
        subject: tax.description,
        base: text,
        rate: null,
        exact: text,
        roundedCents,
      };
    };
    steps.push(step('tax', total, amountBeforeExemptionCents));
    if (taxExempt && tax.exemptable) steps.push(step('exemption', chargedTotal, amountCents));
    explainShares(tax, lines, { weights, unitsPerCent: denominator, amountCents, parts }, steps);
  }
  return {
    tax,
    amountBeforeExemptionCents,
    amountCents,
    allocatedCents: parts.map((part, index) => (touched[index] ? part : null)),
  };
}

const nothing = fraction(0n);

/** The exact charge of a line in cents, and how it comes about. */
function chargeOfLine(
  basis: TaxBasis,
  { content, quantity }: TaxedLine,
  base: Fraction,
): Pick<PriceStep, 'rule' | 'base' | 'rate'> & { readonly exact: Fraction } {
  if (basis.kind === 'potency') {
    const bracket = bracketOf(basis, content);
    const { aboveThcPercent: above, upToThcPercent: upTo, rate = null } = bracket ?? {};
    const bounds = [
      ...(above == null ? [] : [`above ${above} %`]),
      ...(upTo == null ? [] : [`up to ${upTo} %`]),
    ].join(' ');
    const rule =
      bracket === null
        ? 'nothing: its THC in percent is not known'
        : `rate of the base for THC of ${content!.thcPercent} %${bounds && ` (${bounds})`}`;
    return { rule, base: fractionText(base), rate, exact: multiply(shareByPotency(basis, content), base) };
  }
  const charge = chargeByContent(basis, content, quantity);
  const what = basis.kind === 'grams' ? 'gram' : 'milligram of THC';
  return {
    rule: `${basis.cents} cents for each ${what}`,
    base: fractionText(charge.content),
    rate: null,
    exact: charge.cents,
  };
}

/**
 * Takes the included taxes out of each line's gross. Nets are exact: a cent is divided into `unitsPerCent`
 * equal units, so that every net is a whole number of them (1 when no tax is included).
 */
function netLines(
  tiers: readonly (readonly CartTax[])[],
  taxableLines: readonly TaxableLine[],
  steps: PriceStep[] | null,
): { lines: TaxedLine[]; unitsPerCent: bigint } {
  const factors = taxableLines.map((line) => includedFactor(tiers, line));
  let unitsPerCent = 1n;
  for (const factor of factors) unitsPerCent = leastCommonMultiple(unitsPerCent, factor.numerator);
  const lines = taxableLines.map((line, index) => {
    const { numerator, denominator } = factors[index]!;
    const netUnits = BigInt(line.grossCents) * denominator * (unitsPerCent / numerator);
    if (numerator !== denominator) {
      steps?.push({
        step: 'net-of-included-taxes',
        rule: 'gross ÷ factor of the included taxes',
        subject: line.subject,
        base: `${line.grossCents}`,
        rate: fractionText(factors[index]!),
        exact: fractionText(fraction(netUnits, unitsPerCent)),
        roundedCents: null,
      });
    }
    const { subject, productCategoryId, content = null, quantity = 1 } = line;
    return { subject, productCategoryId, content, quantity, netUnits, lowerTiersCents: 0 };
  });
  return { lines, unitsPerCent };
}

/** The gross of a net price of 1, with the included taxes on the line. */
function includedFactor(
  tiers: readonly (readonly CartTax[])[],
  { productCategoryId, content }: TaxableLine,
): Fraction {
  let factor = one;
  for (const tier of tiers) {
    let withTier = factor;
    for (const tax of tier) {
      if (!tax.included || !touches(tax, productCategoryId)) continue;
      const rate =
        tax.basis?.kind === 'potency' ? shareByPotency(tax.basis, content ?? null) : parsePercent(tax.rate);
      withTier = add(withTier, tax.encompass ? multiply(rate, factor) : rate);
    }
    factor = withTier;
  }
  return factor;
}

/** The delivery fee (null) never has an included tax: it is charged as it is. */
function touches(tax: CartTax, productCategoryId: number | null): boolean {
  if (productCategoryId === null) return tax.appliesToFees && !tax.included;
  return !tax.excludedProductCategoryIds.includes(productCategoryId);
}

function staysTaxed(tax: CartTax, productCategoryId: number | null): boolean {
  if (!tax.exemptable) return true;
  return productCategoryId !== null && tax.nonExemptableProductCategoryIds.includes(productCategoryId);
}

/** Whether a product of a category bears a tax for this buyer. */
export function isOwed(tax: CartTax, productCategoryId: number, taxExempt: boolean): boolean {
  return touches(tax, productCategoryId) && (!taxExempt || staysTaxed(tax, productCategoryId));
}

function groupByTier(taxes: readonly CartTax[]): CartTax[][] {
  const tiers: CartTax[][] = [];
  for (const tax of isAscending(taxes, inTurn) ? taxes : taxes.toSorted(inTurn)) {
    const tier = tiers.at(-1);
    if (tier !== undefined && tier[0]!.tier === tax.tier) tier.push(tax);
    else tiers.push([tax]);
  }
  return tiers;
}

function inTurn(a: CartTax, b: CartTax): number {
  return a.tier === b.tier ? a.id - b.id : a.tier < b.tier ? -1 : 1;
}
