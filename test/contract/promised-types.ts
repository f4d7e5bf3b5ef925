/*
 * What integrators were promised: every field of every reply, written down by hand from the description of the service
 * and its decisions. Nothing here comes from the schemas of the program, so that leaving a field out there does not leave
 * it out here. `promised-replies.ts` holds live replies against it.
 *
 * A type is a word, or several joined by `or`:
 *   id       a whole number from 1            string   text
 *   cents    a whole number                   decimal  a decimal as text, without exponent
 *   number   any number                       date     YYYY-MM-DD
 *   boolean  true or false                    time     ISO 8601 in UTC with milliseconds
 *   null     null                             microtime  the same with microseconds
 *   'x'      this text
 * `[shape]` is a list. A name with `?` may be left out. Every name must have a value other than null in some reply, but
 * for `null` alone, and for what is `rare`.
 */

export type Shape = string | readonly [Shape] | { readonly [name: string]: Shape } | Either;

/** One of several shapes: null, or an object without fields, beside the promised one. */
export interface Either {
  readonly either: readonly [Shape, 'null' | 'empty'];
}

export const orNull = (shape: Shape): Either => ({ either: [shape, 'null'] });
export const orEmpty = (shape: Shape): Either => ({ either: [shape, 'empty'] });
export const oneOf = (...values: readonly string[]) => values.map((value) => `'${value}'`).join(' or ');

export const stamps = { createdAt: 'time', updatedAt: 'time' };
export const cannabisType = oneOf(
  ...['non-concentrated', 'concentrated', 'mi-infused-solids', 'mi-infused-fluids'],
  ...['edibles', 'immature-plant', 'seeds', 'inhalables', 'low-dose-drinks', 'other-units', 'none'],
);
export const strainType = oneOf(
  ...['sativa', 'indica', 'hybrid', 'hybrid-sativa', 'hybrid-indica', 'cbd', 'mixed', 'none'],
);
export const orderType = oneOf('delivery', 'pickup', 'in-store');
export const orderStatus = oneOf('draft', 'new', 'packed', 'fulfilled', 'canceled');
export const orderSource = oneOf('open-api', 'web-admin', 'in-store', 'kiosk', 'menu');
export const taxType = oneOf('standard', 'excise', 'california-excise');
export const unit = oneOf('gram', 'item');
export const inventoryType = oneOf('option', 'product', 'none');
export const potencyUnit = `${oneOf('%', 'mg')} or null`;

export const address = {
  street1: 'string',
  street2: 'string or null',
  city: 'string',
  state: 'string',
  postalCode: 'string',
};
