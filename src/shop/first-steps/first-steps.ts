import { assert } from '../../kernel/assert.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { readLeftTaxes } from '../settings/terms-of-sale.ts';
import { type StandingRow, selectStanding } from './first-step-queries.ts';

/**
 * Front door of the first steps: what a new shop still lacks. Owns nothing and keeps nothing: a step is done when the shop has
 * what it asks for, however that came about, so the list can be left and taken up again at any time.
 */

/** The steps in the order in which they are best taken: each needs at most what those before it made. */
export const firstSteps = [
  'license',
  'taxes',
  'locations',
  'order-locations',
  'payment-types',
  'categories',
  'products',
  'stock',
  'staff',
  'register',
  'client-key',
] as const;
type FirstStep = (typeof firstSteps)[number];

/** A shop cannot sell without these, or not within the law. */
const neededToSell: ReadonlySet<FirstStep> = new Set<FirstStep>([
  'taxes',
  'locations',
  'order-locations',
  'payment-types',
  'categories',
  'products',
  'stock',
]);

/** The first steps of the organization, in order, and whether its owner has put the list away. */
export async function readFirstSteps(
  context: Context,
  organization: OrganizationId,
): Promise<{
  readonly steps: { readonly step: FirstStep; readonly done: boolean; readonly neededToSell: boolean }[];
  readonly remaining: number;
  readonly canSell: boolean;
  readonly hidden: boolean;
}> {
  const { database, clock } = context;
  const [[[row]], left] = await Promise.all([
    database.read(organization, selectStanding({ at: isoTimestamp(clock.now()) })),
    readLeftTaxes(context, organization),
  ]);
  assert(row !== undefined, 'an organization with staff exists');
  const done = doneSteps(row, left.length > 0);
  const open = firstSteps.filter((step) => !done[step]);
  return {
    steps: firstSteps.map((step) => ({ step, done: done[step], neededToSell: neededToSell.has(step) })),
    remaining: open.length,
    canSell: !open.some((step) => neededToSell.has(step)),
    hidden: row.first_steps_hidden,
  };
}

/**
 * What the state's preset leaves to the owner keeps the step of taxes open. No state's law is known to tax nothing: where a file
 * has no taxes, they were not looked up. So each shop needs one.
 */
function doneSteps(row: StandingRow, leavesTaxes: boolean): Readonly<Record<FirstStep, boolean>> {
  return {
    license: row.has_license,
    taxes: row.has_taxes && !leavesTaxes,
    locations: row.has_locations,
    'order-locations': row.has_order_locations,
    'payment-types': row.has_payment_types,
    categories: row.has_categories,
    products: row.has_products,
    stock: row.has_stock,
    staff: row.has_colleagues,
    register: row.has_registers,
    'client-key': row.has_keys,
  };
}
