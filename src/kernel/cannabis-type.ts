/** What a category holds: decides the unit of an option's content, and what purchase limits count. */
export const cannabisTypes = [
  'non-concentrated',
  'concentrated',
  'mi-infused-solids',
  'mi-infused-fluids',
  'edibles',
  'immature-plant',
  'none',
] as const;

export type CannabisType = (typeof cannabisTypes)[number];
