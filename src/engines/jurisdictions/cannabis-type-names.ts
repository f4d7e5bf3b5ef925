import type { CannabisType } from '../goods/cannabis-type.ts';

/** The names of cannabis types, for use within a sentence. */
export const typeNames: Readonly<Record<CannabisType, string>> = {
  'non-concentrated': 'flower',
  concentrated: 'concentrate',
  'mi-infused-solids': 'infused solids',
  'mi-infused-fluids': 'infused fluids',
  edibles: 'edibles',
  'immature-plant': 'immature plants',
  seeds: 'seeds',
  inhalables: 'inhalable products',
  'low-dose-drinks': 'low-dose drinks',
  'other-units': 'other infused units',
  none: 'goods without cannabis',
};
