import type { CannabisType } from '../kernel/cannabis-type.ts';

/** What categories hold, in words that run on in a sentence. */
export const typeNames: Readonly<Record<CannabisType, string>> = {
  'non-concentrated': 'flower',
  concentrated: 'concentrate',
  'mi-infused-solids': 'infused solids',
  'mi-infused-fluids': 'infused fluids',
  edibles: 'edibles',
  'immature-plant': 'immature plants',
  none: 'goods without cannabis',
};
