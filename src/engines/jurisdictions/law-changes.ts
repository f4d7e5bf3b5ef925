import { addDays } from '../../kernel/local-time.ts';
import { chargeInWords } from '../goods/tax-basis.ts';
import { dutyRows, dutyTraits } from './duty.ts';
import { dutyInWords } from './duty-in-words.ts';
import type { Jurisdiction, LocalDate, Provenance, Sourced } from './jurisdiction.ts';
import { limitInWords } from './limit-in-words.ts';

/** A difference between two editions that affects prices, limits or ages. */
export interface LawChange {
  readonly kind: 'age' | 'limit' | 'tax' | 'rule' | 'duty';
  /** The first day of the change; null: at once. */
  readonly from: LocalDate | null;
  /** The whole change, for people. */
  readonly words: string;
}

/** The content of a fact, without its source. */
interface Said {
  readonly kind: LawChange['kind'];
  /** The subject of the fact: facts of one topic replace each other. */
  readonly topic: string;
  readonly words: string;
  /** Everything that affects a decision, as text to compare. */
  readonly substance: string;
  readonly effectiveFrom: LocalDate | null;
  readonly effectiveTo: LocalDate | null;
}

/**
 * The changes between two versions of a state's law, oldest first: beginnings, ends and corrections. A newly
 * read source is not a change. Null: the state is unknown.
 */
export function lawChanges(before: Jurisdiction | null, after: Jurisdiction | null): LawChange[] {
  const [former, present] = [saidOf(before), saidOf(after)];
  const gone = former.filter((fact) => !present.some((other) => isSame(fact, other)));
  const come = present.filter((fact) => !former.some((other) => isSame(fact, other)));
  const changes: LawChange[] = [];
  for (const fact of come) {
    const at = gone.findIndex(
      (other) => other.topic === fact.topic && other.effectiveFrom === fact.effectiveFrom,
    );
    const [replaced] = at < 0 ? [] : gone.splice(at, 1);
    changes.push(replaced === undefined ? begun(fact) : corrected(replaced, fact));
  }
  for (const { kind, topic, words } of gone) {
    changes.push({ kind, from: null, words: `${topic}: ${words} is no longer known.` });
  }
  return changes.sort((a, b) => ((a.from ?? '') < (b.from ?? '') ? -1 : a.from === b.from ? 0 : 1));
}

function isSame(a: Said, b: Said): boolean {
  return (
    a.topic === b.topic &&
    a.substance === b.substance &&
    a.effectiveFrom === b.effectiveFrom &&
    a.effectiveTo === b.effectiveTo
  );
}

function begun({ kind, topic, words, effectiveFrom, effectiveTo }: Said): LawChange {
  const until = effectiveTo === null ? '' : ` until ${effectiveTo}`;
  const from = effectiveFrom === null ? 'at once' : `from ${effectiveFrom}`;
  return { kind, from: effectiveFrom, words: `${topic}: ${words}, ${from}${until}.` };
}

function corrected(former: Said, fact: Said): LawChange {
  const { kind, topic, words, effectiveFrom, effectiveTo } = fact;
  if (former.substance === fact.substance) {
    const ends = effectiveTo === null ? 'no longer ends' : `ends after ${effectiveTo}`;
    const lastDay = effectiveTo ?? former.effectiveTo;
    const from = lastDay === null ? null : addDays(lastDay, 1);
    return { kind, from, words: `${topic}: ${words} ${ends}.` };
  }
  const said =
    former.words === words ? `${words} applies differently than before` : `${former.words} becomes ${words}`;
  const until = effectiveTo === null ? '' : ` until ${effectiveTo}`;
  const from = effectiveFrom === null ? 'at once' : `from ${effectiveFrom}`;
  return { kind, from: effectiveFrom, words: `${topic}: ${said}, ${from}${until}.` };
}

/**
 * The facts that end on a day or later while no fact of their topic is known from the next day on: their change is
 * certain, its content is not.
 */
export function unknownSuccessions(
  jurisdiction: Jurisdiction,
  localDate: LocalDate,
): Pick<LawChange, 'kind' | 'words'>[] {
  const facts = saidOf(jurisdiction);
  return facts.flatMap(({ kind, topic, words, effectiveTo }) => {
    if (effectiveTo === null || effectiveTo < localDate) return [];
    const next = addDays(effectiveTo, 1);
    const isFollowed = facts.some(
      (other) =>
        other.topic === topic &&
        (other.effectiveFrom === null || other.effectiveFrom <= next) &&
        (other.effectiveTo === null || other.effectiveTo >= next),
    );
    if (isFollowed) return [];
    return [
      { kind, words: `${topic}: ${words} ends after ${effectiveTo}, and what follows is not known here.` },
    ];
  });
}

const audienceNames = {
  'adult-use': 'adult-use customers',
  'adult-use-non-resident': 'adult-use non-residents',
  medical: 'patients',
  'medical-under-21': 'patients under 21',
} as const;

function saidOf(jurisdiction: Jurisdiction | null): Said[] {
  if (jurisdiction === null) return [];
  const { minimumAges, purchaseLimits, taxes } = jurisdiction;
  const { freeProductsBarred, taxedBeforeDiscounts, tiedDiscountsBarred } = jurisdiction;
  const rules = [
    ['Free cannabis', 'it is barred', freeProductsBarred],
    ['Taxes and discounts', 'taxes are charged on prices before discounts', taxedBeforeDiscounts],
    ['Tied discounts', 'a discount must not depend on the sale of another item', tiedDiscountsBarred],
  ] as const;
  return [
    ...minimumAges.map((age) =>
      said('age', `Minimum age of ${audienceNames[age.audience]}`, `${age.years} years`, age),
    ),
    ...purchaseLimits.map((rule) =>
      said('limit', `Limit "${rule.name}" for ${audienceNames[rule.audience]}`, limitInWords(rule), rule),
    ),
    ...taxes.map((tax) => {
      const who = tax.customerType === 'all' ? '' : ` for ${tax.customerType} customers`;
      return said('tax', `Tax "${tax.description}"${who}`, chargeInWords(tax), tax);
    }),
    ...rules.flatMap(([topic, words, fact]) => (fact === null ? [] : [said('rule', topic, words, fact)])),
    ...dutyRows(jurisdiction.duties).map(({ name, duty }) =>
      said('duty', dutyTraits[name].name, dutyInWords(name, duty), duty),
    ),
  ];
}

function said(kind: Said['kind'], topic: string, words: string, fact: Sourced): Said {
  const { effectiveFrom, effectiveTo, ...substance } = fact;
  return { kind, topic, words, substance: asText(substance), effectiveFrom, effectiveTo };
}

/** Where a fact or an equivalence was read: not what it says. */
const provenanceNames: ReadonlySet<string> = new Set([
  'citation',
  'confidence',
  'source',
  'link',
  'sourceKind',
  'readOn',
  'textOf',
  'pending',
] satisfies (keyof Provenance)[]);

/** The same text for the same facts, independent of the order of names and of the sources. */
function asText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(
          Object.entries(part)
            .filter(([name]) => !provenanceNames.has(name))
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : part,
  );
}
