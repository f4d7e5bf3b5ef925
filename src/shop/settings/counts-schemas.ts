import Type from 'typebox';
import { contentUnitNames } from '../../engines/goods/content-units.ts';
import { DecimalText, List, Named, Nullable, OneOf } from '../../platform/http/schemas.ts';
import { limitedTypes } from './fact-sources.ts';

/* What counts toward a purchase limit, as staff write and read it. */

const countedOf = ['content', 'thc'] as const;
const ofWords =
  'What `amount` is of: the content, or the milligrams of THC (then `unit` is a weight, and a product that states no THC cannot be sold)';

const CountedContent = Named(
  'CountedContent',
  Type.Object({
    cannabisType: OneOf(limitedTypes),
    amount: Type.Optional(
      Nullable(DecimalText({ sign: 'positive', description: 'This amount counts as `countsAs`' })),
    ),
    unit: Type.Optional(Nullable(OneOf(contentUnitNames))),
    countsAs: Type.Optional(Nullable(DecimalText({ sign: 'positive' }))),
    countsAsUnit: Type.Optional(Nullable(OneOf(contentUnitNames))),
    of: Type.Optional(OneOf(countedOf, { description: `${ofWords}. Default: \`content\`` })),
  }),
);

const countsDescription =
  'The types that count toward the limit: one to one, or `amount` of it counts as `countsAs`. Types that are not listed do not count';

export const CountsBody = List(CountedContent, {
  min: 1,
  max: limitedTypes.length,
  description: `${countsDescription}. Default: \`cannabisType\`, one to one`,
});

export const ShownCounts = List(
  Type.Object({
    cannabisType: OneOf(limitedTypes),
    amount: Nullable(DecimalText()),
    unit: Nullable(OneOf(contentUnitNames)),
    countsAs: Nullable(DecimalText()),
    countsAsUnit: Nullable(OneOf(contentUnitNames)),
    of: OneOf(countedOf, { description: ofWords }),
  }),
  { max: limitedTypes.length, description: countsDescription },
);

export const countsExample = [
  {
    cannabisType: 'non-concentrated' as const,
    ...{ amount: null, unit: null, countsAs: null, countsAsUnit: null, of: 'content' as const },
  },
];
