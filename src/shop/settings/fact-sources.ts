import Type, { type Static } from 'typebox';
import { cannabisTypes } from '../../engines/goods/cannabis-type.ts';
import type { Sourced } from '../../engines/jurisdictions/jurisdiction.ts';
import { confidenceOn, equivalencesOf, isStale } from '../../engines/jurisdictions/jurisdictions.ts';
import { equivalenceInWords } from '../../engines/jurisdictions/limit-in-words.ts';
import { Flag, List, LocalDate, Named, Nullable, OneOf, Text } from '../../platform/http/schemas.ts';

/** The source of a legal fact, and its age. */
export const FactSource = Named(
  'FactSource',
  Type.Object({
    citation: Text({ max: 500, description: 'The law' }),
    effectiveFrom: Nullable(LocalDate({ description: 'First day; null: in force before 2024' })),
    effectiveTo: Nullable(LocalDate({ description: 'Last day; null: open' })),
    confidence: OneOf(['high', 'medium'], {
      description:
        '`high`: a primary text, read less than a year ago, without pending changes; `medium`: secondary sources that agree, or a primary text that is old or partial',
    }),
    source: Text({ max: 1000, description: 'The text that was read, and limits of its reliability' }),
    link: Nullable(Text({ max: 500, description: 'Address of the law, or of the page that was read' })),
    sourceKind: OneOf(['primary', 'secondary'], {
      description: '`primary`: the text of the law, or a page of its authority',
    }),
    readOn: LocalDate({ description: 'The day on which the source was read' }),
    textOf: Nullable(
      Text({
        max: 10,
        description: 'The date of the text, as precisely as it is known: `2021-07`; null: no date',
      }),
    ),
    pending: Nullable(Text({ max: 500, description: 'A known upcoming change' })),
    isStale: Flag({ description: 'Whether the reading is more than twelve months old' }),
  }),
);

/** The types whose content limits can count. */
export const limitedTypes = cannabisTypes.filter((type) => type !== 'none');

/** The equivalences of a limit of the state; none for a limit of the organization. */
export const Equivalences = List(
  Named(
    'LimitEquivalence',
    Type.Object({
      cannabisType: OneOf(limitedTypes),
      words: Text({ max: 200, description: '`concentrate (8 g as 1 oz)`' }),
      source: FactSource,
    }),
  ),
  {
    max: limitedTypes.length,
    description: 'The equivalences by which a limit of the state counts, each with its own source and age',
  },
);

/** The equivalences of a limit as shown on a local day. */
export function shownEquivalences(
  rule: Parameters<typeof equivalencesOf>[0],
  today: string,
): Static<typeof Equivalences> {
  return equivalencesOf(rule).map((it) => ({
    cannabisType: it.cannabisType,
    words: equivalenceInWords(it.cannabisType, it),
    source: shownSource(it, today),
  }));
}

/** The source of a fact as shown on a local day. */
export function shownSource(fact: Sourced, today: string): Static<typeof FactSource> {
  return {
    citation: fact.citation,
    effectiveFrom: fact.effectiveFrom,
    effectiveTo: fact.effectiveTo,
    confidence: confidenceOn(fact, today),
    source: fact.source,
    link: fact.link,
    sourceKind: fact.sourceKind,
    readOn: fact.readOn,
    textOf: fact.textOf,
    pending: fact.pending,
    isStale: isStale(fact, today),
  };
}

export const factSourceExample: Static<typeof FactSource> = {
  citation: '4 CCR 15409(a)(1)',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'high',
  source: 'Text of the regulation.',
  link: 'https://govt.westlaw.com/calregs/Document/ICD121243543B11ECAE2D000D3A7C4BC3',
  sourceKind: 'primary',
  readOn: '2026-11-20',
  textOf: '2021-07-14',
  pending: null,
  isStale: false,
};
