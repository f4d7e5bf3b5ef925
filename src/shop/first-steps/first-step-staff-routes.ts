import Type from 'typebox';
import type { Context } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Flag, List, Named, OneOf, WholeNumber } from '../../platform/http/schemas.ts';
import { firstSteps, readFirstSteps } from './first-steps.ts';

const stepWords = `\`license\`: the shop has a license number; \`taxes\`: a tax that has not ended, and nothing open that the state's preset leaves to the owner (\`leftTaxes\` of \`getOrganizationSettings\`); \`locations\`: a stock location in use; \`order-locations\`: every offered order type takes goods from one; \`payment-types\`, \`categories\`, \`products\`, \`register\`: one in use; \`stock\`: goods were taken in; \`staff\`: a second person who may sign in, or is invited; \`client-key\`: a key that works`;

const FirstSteps = Named(
  'FirstSteps',
  Type.Object({
    steps: List(
      Type.Object({
        step: OneOf(firstSteps, { description: stepWords }),
        done: Flag(),
        neededToSell: Flag({ description: 'Without it the shop cannot sell, or not within the law' }),
      }),
      { max: firstSteps.length, description: 'In the order in which they are best taken' },
    ),
    remaining: WholeNumber({ min: 0, max: firstSteps.length, description: 'Steps that are not done' }),
    canSell: Flag({ description: 'All steps that are needed to sell are done' }),
    hidden: Flag({
      description: 'The owner put the list away: `firstStepsHidden` of `PATCH /staff/v1/organization`',
    }),
  }),
);

/** What a new shop still lacks, for its owner. */
export function firstStepStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'getFirstSteps',
      method: 'GET',
      path: '/staff/v1/first-steps',
      roles: ['owner'],
      kind: 'read',
      summary: 'Retrieve the first steps of a shop',
      description:
        'What a shop needs on its first day, and whether it has it. A step is done when the shop has what it asks for, so the list can be left and taken up again at any time.',
      tag: 'Settings',
      success: {
        status: 200,
        data: FirstSteps,
        description: 'The steps',
        example: {
          steps: [
            { step: 'license', done: true, neededToSell: false },
            { step: 'taxes', done: false, neededToSell: true },
          ],
          remaining: 1,
          canSell: false,
          hidden: false,
        },
      },
      failures: [],
      handle: async ({ staff }) => reply(await readFirstSteps(context, staff.organizationId)),
    }),
  ];
}
