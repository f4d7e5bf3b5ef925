import type { CannabisType } from '../kernel/cannabis-type.ts';

/** The names of cannabis types, for use within a sentence. */
export const typeNames: Readonly<Record<CannabisType, string>> = {
  'non-concentrated': 'flower',
  concentrated: 'concentrate',
  'mi-infused-solids': 'infused solids',
  'mi-infused-fluids': 'infused fluids',
  edibles: 'edibles',
  'immature-plant': 'immature plants',
  none: 'goods without cannabis',
};
