import Type, { type Static } from 'typebox';
import { readinessItems, readinessStandings } from '../../engines/duties/ready-shop.ts';
import { dutyNames } from '../../engines/jurisdictions/duty.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import {
  Flag,
  List,
  LocalDate,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from '../../platform/http/schemas.ts';
import { FactSource, factSourceExample, shownSource } from '../settings/terms-of-sale.ts';
import { markDutyDone } from './mark-duty-done.ts';
import { readReadiness } from './shop-readiness.ts';

const Readiness = Named(
  'Readiness',
  Type.Object({
    state: Text({ max: 2 }),
    reporting: Type.Object(
      {
        system: Nullable(Text({ max: 200, description: 'null: not known' })),
        isSetUp: Flag({ description: 'Whether this service reports the sales of the shop there' }),
        words: Text({ max: 500 }),
      },
      { description: 'The system in which the state asks for reports of sales' },
    ),
    lastReadOn: Nullable(
      LocalDate({
        description:
          "The day of the newest reading of the state's law: what was looked for and not found is as old as that; null: nothing was read",
      }),
    ),
    lines: List(
      Type.Object({
        item: OneOf(readinessItems),
        name: Text({ max: 100 }),
        standing: OneOf(readinessStandings, {
          description:
            '`enforced`: what breaks it is refused; `recorded`: it is asked, and the answer is kept; `by-hand`: people do it; `missing`: the law asks for it, and nothing here meets it; `unknown`: it does not mean that anything is allowed',
        }),
        words: Nullable(Text({ max: 4000, description: 'What the law says, or what is missing' })),
        unknown: Nullable(
          OneOf(['not-found', 'not-looked-up', 'not-in-force'], {
            description: 'Why nothing is known for today; null: something is',
          }),
        ),
        canBeMarked: Flag({ description: 'People meet it outside of the service, and say so here' }),
        lastDone: Nullable(
          Type.Object({
            at: Timestamp(),
            by: Nullable(Text({ max: 300, description: 'null: the account is gone' })),
          }),
        ),
        source: Nullable(FactSource),
      }),
      { max: readinessItems.length },
    ),
  }),
);

const example: Static<typeof Readiness> = {
  state: 'CA',
  reporting: {
    system: 'Metrc',
    isSetUp: false,
    words: 'Reporting to Metrc is not set up: people enter each sale there themselves.',
  },
  lastReadOn: '2026-11-27',
  lines: [
    {
      ...{ item: 'receipts', name: 'Receipts', standing: 'by-hand', words: 'Each item with its price' },
      ...{ unknown: null, canBeMarked: true, source: factSourceExample },
      lastDone: { at: '2026-11-27T18:00:00.000Z', by: 'Rosa Delgado' },
    },
  ],
};

/** Whether a shop is ready for the law of its state (D97). */
export function readinessStaffRoutes(context: Context): StaffEndpoint[] {
  const success = {
    status: 200,
    data: Readiness,
    description: 'Everything that the law asks',
    example,
  } as const;
  const shared = { path: '/staff/v1/readiness', roles: ['manager'], tag: 'Settings', success } as const;
  return [
    staffEndpoint({
      ...shared,
      id: 'readReadiness',
      method: 'GET',
      kind: 'read',
      summary: 'Retrieve whether the shop is ready to open',
      description:
        'Everything that the law of the state asks of a shop today, and how this shop meets it. Not legal advice.',
      failures: [],
      handle: async ({ staff }) => reply(await shownReadiness(context, staff.organizationId)),
    }),
    staffEndpoint({
      ...shared,
      id: 'markDutyDone',
      method: 'POST',
      kind: 'write',
      summary: 'Say that a duty is done',
      description:
        'Keeps who says so, and when, for a duty that people meet outside of the service. The audit has every time.',
      body: Type.Object({ duty: OneOf(dutyNames) }),
      requestExample: { duty: 'reporting' },
      failures: [],
      handle: async ({ staff, body, requestId }) => {
        const { organizationId, staffId } = staff;
        await markDutyDone(context, staffOrigin(staff, requestId), organizationId, staffId, body.duty);
        return reply(await shownReadiness(context, organizationId));
      },
    }),
  ];
}

async function shownReadiness(
  context: Context,
  organization: Parameters<typeof readReadiness>[1],
): Promise<Static<typeof Readiness>> {
  const { state, today, reporting, lastReadOn, lines } = await readReadiness(context, organization);
  return {
    ...{ state, reporting, lastReadOn },
    lines: lines.map(({ item, name, standing, words, unknown, byHand, lastDone, fact }) => ({
      ...{ item, name, standing, words, unknown, lastDone },
      canBeMarked: byHand,
      source: fact === null ? null : shownSource(fact, today),
    })),
  };
}
