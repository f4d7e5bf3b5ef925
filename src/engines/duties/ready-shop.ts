import {
  type Duty,
  type DutyName,
  type DutyRow,
  dutyNames,
  dutyOn,
  dutyRows,
  dutyTraits,
} from '../jurisdictions/duty.ts';
import { dutyInWords } from '../jurisdictions/duty-in-words.ts';
import type { Jurisdiction, LocalDate, Sourced } from '../jurisdictions/jurisdiction.ts';
import {
  factsOf,
  minimumAgeInForce,
  rulesInForce,
  taxPresetInForce,
} from '../jurisdictions/jurisdictions.ts';
import type { OverridableDuty, ShopDuties } from './shop-duties.ts';

/** What a shop of a state has to meet: the duties of its state, and what the service asks of each shop. */
export const readinessItems = ['ages', 'limits', 'patientLimits', 'buyer', 'taxes', ...dutyNames] as const;
export type ReadinessItem = (typeof readinessItems)[number];

/**
 * How a shop meets it. enforced: what breaks it is refused. recorded: it is asked, and the answer is kept. by-hand: people do it, and have said
 * so. missing: the law asks for it, and nothing here meets it. unknown: no text is known to be in force.
 */
export const readinessStandings = ['enforced', 'recorded', 'by-hand', 'missing', 'unknown'] as const;
export type ReadinessStanding = (typeof readinessStandings)[number];

/** What a shop has, besides the law of its state. */
export interface ReadyShop {
  readonly duties: ShopDuties;
  readonly hasTaxes: boolean;
  /** The state's preset leaves taxes to the owner that are still open. */
  readonly leavesTaxes: boolean;
  /** Sales are reported to the state's system by this service. */
  readonly isReporting: boolean;
  /** The duties that people have said to be done. */
  readonly done: ReadonlySet<DutyName>;
}

/** One line of the list. */
export interface ReadinessLine {
  readonly item: ReadinessItem;
  readonly name: string;
  readonly standing: ReadinessStanding;
  /** What the law says, or what is missing; null: nothing is known. */
  readonly words: string | null;
  /** Why nothing is known; null: something is. */
  readonly unknown: 'not-found' | 'not-looked-up' | 'not-in-force' | null;
  /** People mark it as done: the service cannot see it. What is unknown stays so, whatever people do. */
  readonly byHand: boolean;
  readonly fact: Sourced | null;
}

/** Everything that a shop of a state has to meet on a local day, in the order in which people read it. Pure. */
export function readinessOf(
  jurisdiction: Jurisdiction | null,
  today: LocalDate,
  shop: ReadyShop,
): ReadinessLine[] {
  return [
    ...ownLines(jurisdiction, today, shop),
    ...dutyNames.map((name) => dutyLine(jurisdiction, today, shop, name)),
  ];
}

/** The day of the newest reading of a state's law: what was looked for and not found is as old as that; null: nothing was read. Pure. */
export function newestReading(jurisdiction: Jurisdiction | null): LocalDate | null {
  const days = jurisdiction === null ? [] : factsOf(jurisdiction).map(({ readOn }) => readOn);
  return days.toSorted().at(-1) ?? null;
}

/** The system that the state asks its reports in on a local day; null: not known. Pure. */
export function reportingSystem(jurisdiction: Jurisdiction | null, today: LocalDate): string | null {
  const known = dutyOn(jurisdiction?.duties, 'reporting', today);
  return known.known === 'value' ? known.duty.value.system : null;
}

/** Whether all cannabis of a shop carries the state's tags, by package: Metrc's do. Unknown: it does not. Pure. */
export function tagsPackages(jurisdiction: Jurisdiction | null, today: LocalDate): boolean {
  return reportingSystem(jurisdiction, today)?.startsWith('Metrc') === true;
}

const own = (
  item: ReadinessItem,
  name: string,
  standing: ReadinessStanding,
  words: string | null,
): ReadinessLine => ({
  ...{ item, name, standing, words, byHand: false, fact: null },
  unknown: standing === 'unknown' ? 'not-found' : null,
});

/** Ages, limits, named buyers and taxes: the service itself checks them. */
function ownLines(jurisdiction: Jurisdiction | null, today: LocalDate, shop: ReadyShop): ReadinessLine[] {
  const ageOf = (audience: 'adult-use' | 'medical') =>
    jurisdiction === null ? null : minimumAgeInForce(jurisdiction, today, audience);
  const rulesOf = (audience: 'adult-use' | 'medical') =>
    jurisdiction === null ? [] : rulesInForce(jurisdiction, today, audience);
  const [adults, patients] = [ageOf('adult-use'), ageOf('medical')];
  const [limits, patientLimits] = [rulesOf('adult-use'), rulesOf('medical')];
  const isDaily = [...limits, ...patientLimits].some(({ window }) => window.kind !== 'transaction');
  const counted = (rules: typeof limits) => rules.map(({ name }) => name).join(', ');
  const answered = shop.duties.overrides.buyer;
  return [
    own(
      'ages',
      'Minimum ages',
      'enforced',
      `${adults ?? 21} years${adults === null ? ', as long as the state is not read' : ''}; patients ${patients ?? 18} years${patients === null ? ', as long as the state is not read' : ''}`,
    ),
    limits.length === 0
      ? own('limits', 'Purchase limits', 'unknown', null)
      : own('limits', 'Purchase limits', 'enforced', counted(limits)),
    patientLimits.length === 0
      ? own('patientLimits', 'Purchase limits of patients', 'unknown', null)
      : own('patientLimits', 'Purchase limits of patients', 'enforced', counted(patientLimits)),
    answered === undefined
      ? own(
          'buyer',
          'Named buyers',
          'enforced',
          isDaily ? 'Limits of a day or longer need a buyer who is known' : 'No limit counts a day or longer',
        )
      : own('buyer', 'Named buyers', 'by-hand', `The owner answers for it: ${answered}`),
    taxLine(jurisdiction, today, shop),
  ];
}

function taxLine(jurisdiction: Jurisdiction | null, today: LocalDate, shop: ReadyShop): ReadinessLine {
  const taxLineOf = (standing: ReadinessStanding, words: string | null) =>
    own('taxes', 'Taxes', standing, words);
  if (!shop.hasTaxes) return taxLineOf('missing', 'No tax is set up');
  if (shop.leavesTaxes)
    return taxLineOf('missing', "The state's preset leaves taxes to the owner that are open");
  const known = jurisdiction === null ? [] : taxPresetInForce(jurisdiction, today);
  return known.length === 0
    ? taxLineOf('unknown', null)
    : taxLineOf('enforced', known.map(({ description }) => description).join(', '));
}

function dutyLine(
  jurisdiction: Jurisdiction | null,
  today: LocalDate,
  shop: ReadyShop,
  item: DutyName,
): ReadinessLine {
  const { name } = dutyTraits[item];
  const known = dutyOn(jurisdiction?.duties, item, today);
  const own = ownRule(item, shop.duties);
  if (known.known === 'value') {
    const standing = standingOf(item, known.duty, shop);
    const reason = shop.duties.overrides[item as OverridableDuty];
    const isAnswered = known.duty.ownerMayOverride && reason !== undefined;
    const said = dutyInWords(item, known.duty);
    return {
      ...{ item, name, fact: known.duty, unknown: null },
      standing: isAnswered ? 'by-hand' : own === null ? standing : 'enforced',
      words: isAnswered
        ? `${said}. The owner answers for it: ${reason}`
        : [said, own].filter(Boolean).join('. '),
      byHand: !isAnswered && own === null && (standing === 'by-hand' || standing === 'missing'),
    };
  }
  const coming = dutyRows(jurisdiction?.duties).find((row) => isComing(row, item, today));
  return {
    ...{
      item,
      name,
      standing: own === null ? 'unknown' : 'enforced',
      unknown: known.known,
      byHand: own === null,
    },
    words:
      coming === undefined
        ? own
        : `From ${coming.duty.effectiveFrom}: ${dutyInWords(item, coming.duty as Duty<typeof item>)}`,
    fact: coming?.duty ?? null,
  };
}

/** What the shop itself is stricter in than its state, or asks where the law is not known: that is refused as well. */
function ownRule(item: DutyName, { saleHours, idCheck }: ShopDuties): string | null {
  if (item === 'idCheck' && idCheck === true)
    return 'The shop itself asks for an ID before cannabis is handed over';
  if (item === 'saleHours' && saleHours !== null)
    return `The shop itself sells from ${saleHours.from} to ${saleHours.to}`;
  return null;
}

const isComing = ({ name, duty }: DutyRow, item: DutyName, today: LocalDate) =>
  name === item && duty.effectiveFrom !== null && duty.effectiveFrom > today;

/** People are told of what is `shown`, and then do it: that is by hand as well. */
function standingOf(item: DutyName, { kind }: Duty, shop: ReadyShop): ReadinessStanding {
  if (kind === 'enforced' || kind === 'recorded') return kind;
  if (item === 'reporting' && shop.isReporting) return 'enforced';
  return shop.done.has(item) ? 'by-hand' : 'missing';
}
