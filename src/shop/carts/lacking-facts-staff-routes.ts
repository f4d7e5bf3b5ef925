import Type from 'typebox';
import type { Context } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Id, List, Named, OneOf, Text, WholeNumber } from '../../platform/http/schemas.ts';
import { optionLabel } from '../catalog/products.ts';
import { lackingOptions } from './lacking-facts.ts';

/** So many are shown; the count is of all. */
const shownMax = 500;

const LackingFacts = Named(
  'LackingFacts',
  Type.Object({
    count: WholeNumber({ min: 0, max: 1_000_000, description: 'How many options lack a fact' }),
    options: List(
      Type.Object({
        productId: Id(),
        productName: Text({ max: 500 }),
        productOptionId: Id(),
        optionName: Text({ max: 200 }),
        facts: List(
          Type.Object({
            fact: OneOf(['thcPercent', 'thcMg', 'grams'], {
              description: '`grams`: the weight, which the content of flower and extracts states',
            }),
            neededBy: Text({ max: 200, description: 'The tax or limit that needs it' }),
          }),
          { min: 1, max: 1000 },
        ),
      }),
      { max: shownMax, description: 'The first of them by option' },
    ),
  }),
);

/** The staff operation on options that cannot be sold for want of a fact. */
export function lackingFactsStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'readLackingFacts',
      method: 'GET',
      path: '/staff/v1/products/lacking-facts',
      roles: ['owner', 'manager', 'inventory', 'budtender'],
      kind: 'read',
      summary: 'Retrieve the options that lack a fact the law needs',
      description:
        'Options on the menu that cannot be sold to adults or patients, because a tax in force or a limit of the state needs a fact that they do not state (`PRODUCT_FACT_MISSING`). State it with the option: `thcPercent` or `thcMg`.',
      tag: 'Catalog',
      success: {
        status: 200,
        data: LackingFacts,
        description: 'The options, with what each lacks and what needs it',
        example: {
          count: 1,
          options: [
            {
              productId: 3001,
              productName: 'Moonlit Grove',
              productOptionId: 3101,
              optionName: '3.5 grams',
              facts: [{ fact: 'thcPercent' as const, neededBy: 'Illinois cannabis purchaser excise tax' }],
            },
          ],
        },
      },
      failures: [],
      handle: async ({ staff }) => {
        const found = await lackingOptions(context, staff.organizationId);
        return reply({
          count: found.length,
          options: found.slice(0, shownMax).map(({ option, facts }) => ({
            productId: option.product_id,
            productName: option.product_name,
            productOptionId: option.option_id,
            optionName: optionLabel(option.option_name, option.option_amount, option.product_unit),
            facts: facts.map(({ fact, neededBy }) => ({ fact, neededBy })),
          })),
        });
      },
    }),
  ];
}
