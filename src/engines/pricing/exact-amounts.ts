import { assert } from '../../kernel/assert.ts';

/** Percent as decimal text: 0 to 100 inclusive, at most 6 decimals, e.g. "9.25". */
export type Percent = string;

/** An exact, non-negative number; the denominator is above 0. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** A share of a whole; the plain numbers are equal to the exact ones and hold every percent exactly. */
export interface Rate extends Fraction {
  readonly plainNumerator: number;
  readonly plainDenominator: number;
}

const percentPattern = /^(0|[1-9]\d{0,2})(?:\.(\d{1,6}))?$/;
const centsPattern = /^(0|[1-9]\d{0,15})$/;
const decimalPattern = /^(0|[1-9]\d{0,15})(?:\.(\d{1,6}))?$/;

/** 100 percent without its decimal point, written with 0, 1, 2 … decimals. */
const wholeByDecimals = [100n, 1_000n, 10_000n, 100_000n, 1_000_000n, 10_000_000n, 100_000_000n];

/** `numerator / denominator` in lowest terms; the numerator is at least 0, the denominator above 0. */
export function fraction(numerator: bigint, denominator = 1n): Fraction {
  assert(numerator >= 0n && denominator > 0n, () => `not a fraction: ${numerator}/${denominator}`);
  const divisor = greatestCommonDivisor(numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

/** Exact sum, in lowest terms. */
export function add(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

/** Exact product, in lowest terms. */
export function multiply(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.numerator, a.denominator * b.denominator);
}

/** A shop has a few dozen rates, and every cart uses all of them. */
const readPercents = new Map<Percent, Rate>();
const readPercentsMax = 1000;

/**
 * The share that a percent stands for: "9.25" gives 925/10000, not reduced. Fails on any other text.
 */
export function parsePercent(text: Percent): Rate {
  const known = readPercents.get(text);
  if (known !== undefined) return known;
  const rate = readPercent(text);
  if (readPercents.size >= readPercentsMax) readPercents.clear();
  readPercents.set(text, rate);
  return rate;
}

function readPercent(text: Percent): Rate {
  const match = percentPattern.exec(text);
  assert(match !== null, () => `not a percent: "${text}"`);
  const decimals = match[2] ?? '';
  const numerator = BigInt(match[1]! + decimals);
  const denominator = wholeByDecimals[decimals.length]!;
  assert(numerator <= denominator, () => `above 100 percent: "${text}"`);
  return {
    numerator,
    denominator,
    plainNumerator: Number(numerator),
    plainDenominator: Number(denominator),
  };
}

/** Whole cents of a setting from decimal text: "500". Fails on any other text. */
export function parseCents(text: string): number {
  const cents = centsPattern.test(text) ? Number(text) : Number.NaN;
  assert(Number.isSafeInteger(cents), () => `not whole cents: "${text}"`);
  return cents;
}

/** An exact, non-negative number from decimal text with at most 6 decimals: "0.5". */
export function parseDecimal(text: string): Fraction {
  const match = decimalPattern.exec(text);
  assert(match !== null, () => `not a decimal: "${text}"`);
  const decimals = match[2] ?? '';
  return fraction(BigInt(match[1]! + decimals), 10n ** BigInt(decimals.length));
}

/** The whole quotient of `dividend` (not negative) and `divisor` (above 0), both whole. */
export function wholeQuotient(dividend: number, divisor: number): number {
  return Number(BigInt(dividend) / BigInt(divisor));
}

/** The smallest whole number that both (above 0) divide. */
export function leastCommonMultiple(a: bigint, b: bigint): bigint {
  return (a / greatestCommonDivisor(a, b)) * b;
}

/** For people, and exact: a decimal if there is one ("849.66"), otherwise a mixed number ("333 1/3"). */
export function fractionText(exact: Fraction): string {
  const { numerator, denominator } = fraction(exact.numerator, exact.denominator);
  let places = 0;
  let scale = 1n;
  for (let rest = denominator; rest !== 1n; places += 1, scale *= 10n) {
    const next = rest / greatestCommonDivisor(rest, 10n);
    if (next === rest) return mixedNumberText(numerator, denominator);
    rest = next;
  }
  const digits = ((numerator * scale) / denominator).toString().padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

function mixedNumberText(numerator: bigint, denominator: bigint): string {
  const proper = `${numerator % denominator}/${denominator}`;
  return numerator < denominator ? proper : `${numerator / denominator} ${proper}`;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}

/** Halves away from zero; or up to the next whole cent; or (for caps) down. */
export type Rounding = 'half-up' | 'up' | 'down';

/**
 * `numerator / denominator` cents as whole cents: 'half-up' to the nearest, halves away from zero; 'up' away
 * from zero; 'down' towards zero. All mirror at zero, so a return reverses a sale exactly. The denominator is
 * above 0; fails for a result beyond the safe integers.
 */
export function roundCents(numerator: bigint, denominator: bigint, rounding: Rounding = 'half-up'): number {
  assert(denominator > 0n, 'rounding over a denominator that is not above zero');
  const absolute = numerator < 0n ? -numerator : numerator;
  const whole = absolute / denominator;
  const rest = absolute - whole * denominator;
  const goesUp = rounding === 'half-up' ? rest * 2n >= denominator : rounding === 'up' && rest > 0n;
  const rounded = Number(goesUp ? whole + 1n : whole);
  assert(Number.isSafeInteger(rounded), () => `rounded amount is not a safe integer: ${rounded}`);
  return numerator < 0n && rounded !== 0 ? -rounded : rounded;
}

/** Whether `roundWholes` may get the product of these non-negative whole numbers. */
export function isSafeToRound(amount: number, numerator: number): boolean {
  // Doubled, because rounding compares halves.
  return Number.isSafeInteger(amount) && Number.isSafeInteger(2 * amount * numerator);
}

/** `roundCents` for non-negative whole numbers that are `isSafeToRound`. */
export function roundWholes(numerator: number, denominator: number, rounding: Rounding = 'half-up'): number {
  const rest = numerator % denominator;
  // Whole: the dividend is a multiple.
  const whole = (numerator - rest) / denominator;
  const goesUp = rounding === 'half-up' ? rest * 2 >= denominator : rounding === 'up' && rest > 0;
  return goesUp ? whole + 1 : whole;
}

/**
 * A share of a non-negative amount in cents, to the nearest cent, with plain integers. Null where a product
 * would exceed the safe integers: `roundCents` computes that.
 */
export function roundShare(amountCents: number, { plainNumerator, plainDenominator }: Rate): number | null {
  if (!isSafeToRound(amountCents, plainNumerator)) return null;
  return roundWholes(amountCents * plainNumerator, plainDenominator);
}

/**
 * Returns the amount if it is a whole, non-negative number of cents that a JS number holds exactly; fails
 * otherwise.
 */
export function wholeCents(amountCents: number, what: string): number {
  assert(
    Number.isSafeInteger(amountCents) && amountCents >= 0,
    () => `${what} is not an amount: ${amountCents}`,
  );
  return amountCents;
}

/** The sum in cents of `centsOf` over the items; fails beyond the safe integers. */
export function sumCents<T>(items: readonly T[], centsOf: (item: T) => number): number {
  let totalCents = 0;
  for (let index = 0; index < items.length; index++) totalCents += centsOf(items[index]!);
  assert(Number.isSafeInteger(totalCents), () => `sum is not a safe integer: ${totalCents}`);
  return totalCents;
}

/**
 * The same for plain amounts: every preview runs this, and a loop without function calls takes a third of the
 * time. By index, because V8 iterates some arrays more slowly.
 */
export function sumOf(amountsCents: readonly number[]): number {
  let totalCents = 0;
  for (let index = 0; index < amountsCents.length; index++) totalCents += amountsCents[index]!;
  assert(Number.isSafeInteger(totalCents), () => `sum is not a safe integer: ${totalCents}`);
  return totalCents;
}
