import { t } from '../words/words.ts';
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
  const label = query.data === undefined ? (notLoaded(query) ?? t`Loading …`) : t`None yet. ${todo}`;
  return [{ value: '', label, disabled: true }];
}
/** Hints that say where the records to choose from are created. */
export const createHints = {
  locations: t`Add one under Inventory, Locations.`,
  categories: t`Add one under Menu & catalog, Categories.`,
  brands: t`Add one under Menu & catalog, Brands.`,
  tags: t`Add one under Menu & catalog, Tags.`,
  groups: t`A manager adds one under Marketing, Groups.`,
  vendors: t`Add one with “New”, or under Purchasing, Vendors.`,
  taxes: t`Add one under Settings, Taxes.`,
  integrators: t`The service operator adds one.`,
  registers: t`A manager adds one under Settings, Registers.`,
  paymentTypes: t`A manager adds one under Settings, Payment types.`,
} as const;
