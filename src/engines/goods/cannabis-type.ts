/** The kind of cannabis in a category: decides the unit of an option's content, and how purchase limits count it. */
export const cannabisTypes = [
  'non-concentrated',
  'concentrated',
  'mi-infused-solids',
  'mi-infused-fluids',
  'edibles',
  'immature-plant',
  // Added after the first ones: forms that some states limit apart from the rest.
  'seeds',
  'inhalables',
  'low-dose-drinks',
  'other-units',
  'none',
] as const;

export type CannabisType = (typeof cannabisTypes)[number];
