import { localDateAt, localMomentAt } from '../../kernel/local-time.ts';
import type { CannabisType } from '../goods/cannabis-type.ts';
import { comparableSizes, contentUnits } from '../goods/content-units.ts';
import { typeNames } from '../jurisdictions/cannabis-type-names.ts';
import {
  type ClockWindow,
  type Duty,
  type DutyKind,
  type DutyName,
  dutyNames,
  dutyOn,
} from '../jurisdictions/duty.ts';
import { dollars, dutyInWords } from '../jurisdictions/duty-in-words.ts';
import type { Jurisdiction, Quantity } from '../jurisdictions/jurisdiction.ts';
import type { PurchaseLimitRule } from '../purchase-limits/purchase-limit-rule.ts';
import { isWithin } from './clock-window.ts';
import type { ShopDuties } from './shop-duties.ts';

/** The errors of duties that a cart breaks. A preview warns with the same codes. */
export const dutyCodes = [
  'OUTSIDE_SALE_HOURS',
  'PATIENTS_ONLY_PRODUCT',
  'DELIVERY_NOT_ALLOWED',
  'VEHICLE_VALUE_EXCEEDED',
  'BUYER_REQUIRED',
  'PRODUCT_FACT_MISSING',
] as const;
/** A cart breaks the first ones; the last one is asked at the hand-over alone. */
export type DutyCode = (typeof dutyCodes)[number] | 'ID_CHECK_REQUIRED';

/** One unit of a line: its type, and its content in the type's unit; null: not stated. */
export interface DutyLine {
  readonly name: string;
  readonly cannabisType: CannabisType;
  readonly content: string | null;
  /** The THC in milligrams that limits count; absent or null: none. */
  readonly thcMg?: string | null | undefined;
  readonly quantity: number;
  readonly unitPriceCents: number;
}

/** What the duties of a sale are judged by. */
export interface DutyFacts {
  /** Null: nothing is known of the state, and nothing but its absence can be said. */
  readonly jurisdiction: Jurisdiction | null;
  readonly nowMs: number;
  readonly tz: string;
  readonly shop: ShopDuties;
  readonly channel: 'delivery' | 'pickup' | 'in-store';
  /** Whether the goods change hands now. An order for later is placed at any time of the day. */
  readonly isHandOver: boolean;
  readonly buyer: { readonly isNamed: boolean; readonly isMedical: boolean };
  readonly lines: readonly DutyLine[];
  /** The limits of this buyer: the state's, and the shop's own. */
  readonly limits: readonly Pick<PurchaseLimitRule, 'name' | 'window' | 'counts'>[];
  /** Whether a member of staff has seen an ID of who takes the goods. Absent: it is not asked yet. */
  readonly isIdChecked?: boolean;
  /** The value of cannabis that the vehicle carries besides, in cents. */
  readonly carriedCents?: number;
}

/** A duty that refuses the sale. */
export interface DutyRefusal {
  readonly code: DutyCode;
  /** `buyer`: limits of a day or longer need a named buyer. `productFacts`: a tax or limit needs a fact. No law says so in these words. */
  readonly duty: DutyName | 'buyer' | 'productFacts';
  readonly words: string;
  /** The law; null: the rule is the shop's own. */
  readonly citation: string | null;
}

/** What is to be done about one duty of a sale. */
export interface DutyAnswer {
  readonly duty: DutyName;
  /** `refused`: the refusal says why. The last two bind no sale, and are not the same. */
  readonly outcome: 'allowed' | 'refused' | Exclude<DutyKind, 'enforced'> | 'not-found' | 'not-looked-up';
  /** What the law says; null: nothing is known to be in force. */
  readonly words: string | null;
  readonly citation: string | null;
  readonly refusal: DutyRefusal | null;
}

/**
 * What the law of a state and the shop's own stricter settings refuse, in the order of their importance; none: the sale is allowed (D93).
 * Goods without cannabis have no duties. Pure.
 */
export function refusedDuties(facts: DutyFacts): DutyRefusal[] {
  if (!facts.lines.some(isCannabis)) return [];
  return [
    ...refusedHours(facts),
    ...refusedDelivery(facts),
    ...refusedProducts(facts),
    ...refusedStranger(facts),
    ...refusedUnseen(facts),
  ];
}

/** The answer to every duty, for people: what is enforced, recorded, shown, done by hand, missing or unknown. Pure. */
export function answerDuties(facts: DutyFacts): DutyAnswer[] {
  const refusals = refusedDuties(facts);
  return dutyNames.map((name): DutyAnswer => {
    const known = dutyOn(facts.jurisdiction?.duties, name, todayOf(facts));
    const refusal = refusals.find(({ duty }) => duty === name) ?? null;
    if (known.known === 'value') {
      const { duty } = known;
      const stated = duty.kind === 'enforced' ? ('allowed' as const) : duty.kind;
      const outcome = refusal === null ? stated : 'refused';
      return { duty: name, outcome, words: dutyInWords(name, duty), citation: duty.citation, refusal };
    }
    // A row that is not in force yet, or no longer, was found: nothing else is said on this day.
    const outcome = known.known === 'not-looked-up' ? 'not-looked-up' : 'not-found';
    return {
      ...{ duty: name, words: null, citation: null, refusal },
      outcome: refusal === null ? outcome : 'refused',
    };
  });
}

const isCannabis = ({ cannabisType }: DutyLine) => cannabisType !== 'none';

/** What says which duties hold. */
type Holding = Pick<DutyFacts, 'jurisdiction' | 'shop' | 'nowMs' | 'tz'>;

const todayOf = ({ nowMs, tz }: Holding) => localDateAt(nowMs, tz);

/** The duty that the service enforces on this day; null: there is none, or the owner answers for it. */
function enforced<Name extends DutyName>(facts: Holding, name: Name): Duty<Name> | null {
  const known = dutyOn(facts.jurisdiction?.duties, name, todayOf(facts));
  if (known.known !== 'value' || known.duty.kind !== 'enforced') return null;
  const overrides: Readonly<Record<string, string | undefined>> = facts.shop.overrides;
  return known.duty.ownerMayOverride && overrides[name] !== undefined ? null : known.duty;
}

/** The duty whose hours hold for an order type, and its window; null: none. */
function legalHours(
  facts: Holding,
  channel: DutyFacts['channel'],
): { readonly name: 'delivery' | 'saleHours'; readonly law: Duty; readonly window: ClockWindow } | null {
  const delivery = channel === 'delivery' ? enforced(facts, 'delivery') : null;
  if (delivery?.value.hours != null) return { name: 'delivery', law: delivery, window: delivery.value.hours };
  const sale = enforced(facts, 'saleHours');
  if (sale === null || sale.value === 'local') return null;
  return { name: 'saleHours', law: sale, window: sale.value };
}

/** The local hours in which cannabis changes hands on a day, by law and by the shop: all of them hold. Pure. */
export function saleWindows(
  holding: Holding,
  channel: 'in-store' | 'delivery',
): (ClockWindow & { readonly citation: string | null })[] {
  const { shop } = holding;
  if (shop.isPractice === true) return [];
  const legal = legalHours(holding, channel);
  return [
    ...(legal === null ? [] : [{ ...legal.window, citation: legal.law.citation }]),
    ...(shop.saleHours === null ? [] : [{ ...shop.saleHours, citation: null }]),
  ];
}

function refusedHours(facts: DutyFacts): DutyRefusal[] {
  const { jurisdiction, isHandOver, nowMs, tz, shop, channel } = facts;
  if (!isHandOver || shop.isPractice === true) return [];
  const legal = legalHours(facts, channel);
  const { minuteOfDay } = localMomentAt(nowMs, tz);
  const refusal = (window: ClockWindow, whose: string, citation: string | null): DutyRefusal => ({
    code: 'OUTSIDE_SALE_HOURS',
    duty: citation === null ? 'saleHours' : legal!.name,
    words: `Cannabis is sold and handed over from ${window.from} to ${window.to}, ${whose}`,
    citation,
  });
  if (legal !== null && !isWithin(legal.window, minuteOfDay)) {
    const { citation } = legal.law;
    return [refusal(legal.window, `as the law of ${jurisdiction!.name} says (${citation})`, citation)];
  }
  if (shop.saleHours !== null && !isWithin(shop.saleHours, minuteOfDay)) {
    return [refusal(shop.saleHours, 'as the organization has set', null)];
  }
  return [];
}

function refusedDelivery(facts: DutyFacts): DutyRefusal[] {
  const { jurisdiction, channel, buyer } = facts;
  if (channel !== 'delivery') return [];
  const duty = enforced(facts, 'delivery');
  if (duty === null) return refusedValue(facts);
  const { to } = duty.value;
  const by = `the law of ${jurisdiction!.name} (${duty.citation})`;
  if (to === 'none' || (to === 'patients' && !buyer.isMedical)) {
    const words =
      to === 'none'
        ? `Cannabis is not delivered, by ${by}`
        : `Cannabis is delivered to patients only, by ${by}`;
    return [{ code: 'DELIVERY_NOT_ALLOWED', duty: 'delivery', words, citation: duty.citation }];
  }
  return refusedValue(facts);
}

/** What a vehicle would carry beyond what the law or the owner lets it. */
function refusedValue(facts: DutyFacts): DutyRefusal[] {
  const { jurisdiction, lines, carriedCents = 0 } = facts;
  const max = vehicleLimit(facts);
  const valueCents = lines
    .filter(isCannabis)
    .reduce((sum, { quantity, unitPriceCents }) => sum + quantity * unitPriceCents, carriedCents);
  if (max === null || valueCents <= max.cents) return [];
  const { cents, citation } = max;
  const whose =
    citation === null ? 'as the organization has set' : `by the law of ${jurisdiction!.name} (${citation})`;
  const words = `A vehicle carries cannabis for at most ${dollars(cents)}, ${whose}; this would be ${dollars(valueCents)}`;
  return [{ code: 'VEHICLE_VALUE_EXCEEDED', duty: 'delivery', words, citation }];
}

/** The narrower of what the law and what the owner lets a vehicle carry; `citation` null: the owner's. */
function vehicleLimit(facts: Holding): { readonly cents: number; readonly citation: string | null } | null {
  const duty = enforced(facts, 'delivery');
  const legal = duty?.value.vehicleValueCents ?? null;
  const own = facts.shop.vehicleValueCents ?? null;
  if (own !== null && (legal === null || own < legal)) return { cents: own, citation: null };
  return legal === null ? null : { cents: legal, citation: duty!.citation };
}

/** The value of cannabis, in cents, that law and owner let a vehicle carry; null: no limit is known, or the owner answers for it. */
export function vehicleValueMax(facts: Holding): number | null {
  return vehicleLimit(facts)?.cents ?? null;
}

function refusedProducts(facts: DutyFacts): DutyRefusal[] {
  const { jurisdiction, buyer, lines } = facts;
  const duty = buyer.isMedical ? null : enforced(facts, 'patientsOnlyProducts');
  if (duty === null) return [];
  return duty.value.packagesAbove.flatMap(({ cannabisType, amount }) =>
    lines
      .filter((line) => line.cannabisType === cannabisType && !isAtMost(line, amount))
      .map(({ name, content }): DutyRefusal => {
        const most = `${amount.amount} ${amount.unit} of ${typeNames[cannabisType]}`;
        const why =
          content === null
            ? `its content is not stated, and above ${most} it is`
            : `a package above ${most} is`;
        const words = `${name}: ${why} for patients only, by the law of ${jurisdiction!.name} (${duty.citation})`;
        return {
          code: 'PATIENTS_ONLY_PRODUCT',
          duty: 'patientsOnlyProducts',
          words,
          citation: duty.citation,
        };
      }),
  );
}

/** What a product does not state cannot be known to be allowed. */
function isAtMost({ cannabisType, content }: DutyLine, { amount, unit }: Quantity): boolean {
  if (content === null || cannabisType === 'none') return false;
  const [contentSize, amountSize] = comparableSizes(contentUnits[cannabisType], unit);
  return contentSize.times(content).lte(amountSize.times(amount));
}

const idCheckLaw = (facts: Holding) => (facts.shop.isPractice === true ? null : enforced(facts, 'idCheck'));

/** Whether cannabis is handed over only after an ID was seen, by the law or by the shop. */
export function asksForId(facts: Holding): boolean {
  return idCheckLaw(facts) !== null || facts.shop.idCheck === true;
}

/** D94: an ID is seen where the law or the shop asks for it. Only the law does not bind a shop to practice in. */
function refusedUnseen(facts: DutyFacts): DutyRefusal[] {
  const { isIdChecked, jurisdiction } = facts;
  if (isIdChecked !== false || !asksForId(facts)) return [];
  const law = idCheckLaw(facts);
  const whose =
    law === null ? 'as the organization has set' : `by the law of ${jurisdiction!.name} (${law.citation})`;
  const words = `A member of staff sees an ID before cannabis is paid and handed over, ${whose}`;
  return [{ code: 'ID_CHECK_REQUIRED', duty: 'idCheck', words, citation: law?.citation ?? null }];
}

/** D94: a limit of a day or longer can be kept only for a buyer who is known. */
function refusedStranger({ buyer, lines, limits, shop }: DutyFacts): DutyRefusal[] {
  if (buyer.isNamed || shop.isPractice === true || shop.overrides.buyer !== undefined) return [];
  const limit = limits.find(
    ({ window, counts }) =>
      window.kind !== 'transaction' &&
      lines.some(
        ({ cannabisType, content, thcMg }) =>
          (content !== null || thcMg != null) && counts[cannabisType] !== undefined,
      ),
  );
  if (limit === undefined) return [];
  const words = `The purchase limit “${limit.name}” counts a day or longer: the buyer must be known`;
  return [{ code: 'BUYER_REQUIRED', duty: 'buyer', words, citation: null }];
}
