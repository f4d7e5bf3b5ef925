import { notLoaded } from './load-failure.tsx';

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly disabled?: boolean;
}

/**
 * The options of a `<Select>`. Without any, one disabled option says why, and `todo` says what to do. It is an option, not a
 * message, because a listbox may contain only options.
 */
export function choicesOr(
  choices: readonly (Choice | string)[],
  query: { readonly data: unknown; readonly error: unknown },
  todo: string,
): (Choice | string)[] {
  if (choices.length > 0) return [...choices];
  const label = query.data === undefined ? (notLoaded(query) ?? 'Loading …') : `None yet. ${todo}`;
  return [{ value: '', label, disabled: true }];
}
/** Hints that say where the records to choose from are created. */
export const createHints = {
  locations: 'Add one under Inventory, Locations.',
  categories: 'Add one under Menu & catalog, Categories.',
  brands: 'Add one under Menu & catalog, Brands.',
  tags: 'Add one under Menu & catalog, Tags.',
  groups: 'A manager adds one under Marketing, Groups.',
  vendors: 'Add one with “New”, or under Purchasing, Vendors.',
  taxes: 'Add one under Settings, Taxes.',
  integrators: 'The service operator adds one.',
  registers: 'A manager adds one under Settings, Registers.',
  paymentTypes: 'A manager adds one under Settings, Payment types.',
} as const;
