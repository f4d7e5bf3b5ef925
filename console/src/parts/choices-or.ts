import { notLoaded } from './load-failure.tsx';

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly disabled?: boolean;
}

/**
 * The choices of a `<Select>`; without any, one line that says why, and `todo`, what to do about it. An option that cannot be
 * chosen, not a message: a listbox holds nothing else.
 */
export function choicesOr(
  choices: readonly (Choice | string)[],
  query: { readonly data: unknown; readonly error: unknown },
  todo: string,
): (Choice | string)[] {
  if (choices.length > 0) return [...choices];
  const label = query.data === undefined ? (notLoaded(query) ?? 'Loading …') : `There is none yet. ${todo}`;
  return [{ value: '', label, disabled: true }];
}
/** Where what is chosen from is made. */
export const whereMade = {
  locations: 'Add one under Inventory, Locations.',
  categories: 'Add one under Menu & catalog, Categories.',
  brands: 'Add one under Menu & catalog, Brands.',
  tags: 'Add one under Menu & catalog, Tags.',
  groups: 'A manager adds one under Marketing, Groups.',
  vendors: 'Add one with “New”, or under Purchasing, Vendors.',
  taxes: 'Add one under Settings, Taxes.',
  integrators: 'The operator of the service adds one.',
  paymentTypes: 'A manager adds one under Settings, Payment types.',
} as const;
