import type { Schema } from '../../api.ts';
import { dollars, grouped } from '../../parts/dollars.ts';
import { t } from '../../words/words.ts';

type PriceStep = Schema['PriceStep'];

/** A step of the price calculation for people. */
interface ExplainedStep {
  readonly title: string;
  readonly subject: string;
  /** How the amount was calculated. */
  readonly how: string;
  /** Null: the step has a fraction, which `how` shows. */
  readonly cents: number | null;
  /** Whether the step only splits an amount over the lines. */
  readonly isShare: boolean;
  /** Whether the step is a sum that later steps start from. */
  readonly isSum: boolean;
}

const titles: Readonly<Record<string, string>> = {
  line: t`Line`,
  discount: t`Discount`,
  'discount-share': t`Share of a discount`,
  'discount-trimmed': t`Discount limit`,
  'best-of': t`Better of both discounts`,
  'total-price': t`Subtotal`,
  'discount-cap': t`Maximum reduction`,
  'loyalty-reward': t`Reward`,
  'taxable-price': t`Taxed price`,
  'net-of-included-taxes': t`Price without included taxes`,
  'tax-line': t`Tax of a line`,
  tax: t`Tax`,
  exemption: t`Tax after exemption`,
  'tax-share': t`Share of a tax`,
  adjustment: t`Adjustment`,
  'before-credits': t`Subtotal with taxes`,
  credit: t`Credit`,
  'net-price': t`Due for the goods`,
  'payment-fee': t`Payment fee`,
  'grand-total': t`Total`,
};

const explanations: Readonly<Record<string, string>> = {
  'total-price': t`all lines, after their own discounts`,
  'before-credits': t`goods after discounts + adjustments + taxes not included in prices`,
  'net-price': t`less credits`,
  'grand-total': t`with delivery and payment fees`,
};

const sums = new Set(['total-price', 'before-credits', 'net-price', 'grand-total']);

/** The steps in words; `nameOf` maps option ids, the only reference in the steps, to names. */
export function explainedSteps(
  steps: readonly PriceStep[],
  nameOf: (productOptionId: number) => string | undefined,
): readonly ExplainedStep[] {
  return steps.map((step) => ({
    title: titles[step.step] ?? step.step,
    subject: subjectOf(step, nameOf),
    how: howOf(step),
    cents: step.roundedCents,
    isShare: step.step.endsWith('-share'),
    isSum: sums.has(step.step),
  }));
}

function subjectOf({ subject }: PriceStep, nameOf: (id: number) => string | undefined): string {
  if (subject === 'cart' || subject === 'order') return '';
  return subject.replace(/\boption (\d+)\b/g, (text, id: string) => nameOf(Number(id)) ?? text);
}

/** `9.25% of $113.05 = $10.457125, to the nearest cent`. */
function howOf({ step, rule, base, rate, exact, roundedCents }: PriceStep): string {
  const isExact = roundedCents !== null && exact === String(roundedCents);
  const explanation = explanations[step];
  if (explanation) return explanation;
  const points = /^(\S+) points at the rate/.exec(rule)?.[1];
  if (points) return t`${points} points at ${rate} ¢ each, at most ${amount(base)}`;
  if (step === 'net-of-included-taxes') return `${amount(base)} ÷ ${rate} = ${amount(exact)}`;
  const share = /^share of (\d+) by weight/.exec(rule);
  if (share) {
    const whole = dollars(Number(share[1]));
    return t`${whole} in proportion to ${amount(base)}${isExact ? '' : t` = ${amount(exact)}; the odd cents go to the largest remainders`}`;
  }
  if (step === 'tax-line') {
    const thc = /for THC of (\S+) %/.exec(rule)?.[1];
    const cents = /^(\S+) cents for each (gram|milligram of THC)$/.exec(rule);
    if (thc) return t`${rate}% of ${amount(base)}, for THC of ${thc}% = ${amount(exact)}`;
    if (!cents) return t`nothing: its THC is not known`;
    const [, each, what] = cents;
    if (what === 'gram') return t`${each} ¢ × ${base} g = ${amount(exact)}`;
    return t`${each} ¢ × ${base} mg THC = ${amount(exact)}`;
  }
  if (rate !== null) {
    const rest = rule.replace(/^.*?rate of [^,]*/, '').replace(/^, /, '');
    const flat = /^flat fee of (\d+) \+/.exec(rule)?.[1];
    const fee = flat && flat !== '0' ? `${dollars(Number(flat))} + ` : '';
    return t`${fee}${rate}% of ${amount(base)}${isExact ? '' : ` = ${amount(exact)}${rest ? `, ${rest}` : ''}`}`;
  }
  const times = /^unit price × (\d+)$/.exec(rule)?.[1];
  if (times) return `${grouped(times)} × ${amount(base)}`;
  return rule.replace(/floor of (\d+)/, (_, cents: string) => t`floor of ${dollars(Number(cents))}`);
}

/** Cents as the service writes them, exactly: `1045.7125` → `$10.457125`, `582 1863/1966` → `582 1863/1966 ¢`. */
export function amount(cents: string): string {
  if (/^-?\d+$/.test(cents)) return dollars(Number(cents));
  const decimal = /^(-?)(\d+)\.(\d+)$/.exec(cents);
  if (!decimal) return `${cents} ¢`;
  const [, sign, whole = '', fraction = ''] = decimal;
  const digits = whole.padStart(3, '0');
  return `${sign ? '−' : ''}$${grouped(digits.slice(0, -2))}.${digits.slice(-2)}${fraction}`;
}
