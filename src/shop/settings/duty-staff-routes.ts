import Type, { type Static } from 'typebox';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { tagsPackages } from '../../engines/duties/ready-shop.ts';
import { overridableDuties } from '../../engines/duties/shop-duties.ts';
import { dutyNames, dutyOn, dutyTraits } from '../../engines/jurisdictions/duty.ts';
import { dutyInWords } from '../../engines/jurisdictions/duty-in-words.ts';
import { assert } from '../../kernel/assert.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { localDateAt } from '../../kernel/local-time.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import {
  Cents,
  Flag,
  List,
  Named,
  NonBlankText,
  Nullable,
  OneOf,
  Text,
} from '../../platform/http/schemas.ts';
import { FactSource, factSourceExample, shownSource } from './fact-sources.ts';
import { setDuties, shownDuties } from './set-duties.ts';
import { settingsReaders } from './settings-schemas.ts';

const timeOfDay = (description: string) =>
  Type.String({
    description,
    maxLength: 5,
    pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$',
    'x-expected': 'a time of day from 00:00 to 24:00',
  });

const settings = {
  saleHours: Nullable(
    Named(
      'SaleHours',
      Type.Object(
        {
          from: timeOfDay("`HH:MM` in the organization's time zone"),
          to: timeOfDay(
            '`HH:MM`, or 24:00: the first minute without a sale; not after `from`: on the next day',
          ),
        },
        { description: "Narrower hours of sale than those of the law; null: the law's" },
      ),
    ),
  ),
  overrides: List(
    Type.Object({
      duty: OneOf(overridableDuties, {
        description:
          '`buyer`: how the shop holds walk-ins to a limit of a day without knowing them. The others only where the law lets an owner answer for them',
      }),
      reason: NonBlankText({ max: 1000, description: 'Why, for the audit' }),
    }),
    { max: overridableDuties.length },
  ),
};

const idCheck = Flag({
  description:
    'A member of staff sees an ID before cannabis is paid and handed over, also where the law does not ask for it',
});

const vehicleValue = Nullable(
  Cents({
    description:
      'The most cannabis that a vehicle carries, by the price of its goods: less than the law lets it, or your own limit where the value that the law names is not known. Null: as the law says',
  }),
);

const ShopDuties = Named(
  'ShopDuties',
  Type.Object({
    state: Text({ max: 2 }),
    ...settings,
    ...{ idCheck, vehicleValue },
    isPractice: Flag({ description: 'A shop to practice in: hours and named buyers do not bind it' }),
    tagsPackages: Flag({
      description: "Cannabis carries the state's tags: it is received in packages only, by their labels",
    }),
    duties: List(
      Type.Object({
        duty: OneOf(dutyNames),
        name: Text({ max: 100 }),
        standing: OneOf(['enforced', 'recorded', 'shown', 'by-hand', 'not-found', 'not-looked-up'], {
          description:
            '`not-found`: it was looked for; `not-looked-up`: it was not. Neither means that anything is allowed',
        }),
        words: Nullable(
          Text({ max: 2000, description: 'What the law says; null: nothing is known to be in force' }),
        ),
        ownerMayOverride: Flag(),
        source: Nullable(FactSource),
      }),
      { max: dutyNames.length },
    ),
  }),
);

const example: Static<typeof ShopDuties> = {
  state: 'CA',
  saleHours: { from: '09:00', to: '21:00' },
  overrides: [{ duty: 'buyer', reason: 'A log at the door holds walk-ins to the limit.' }],
  ...{ idCheck: true, vehicleValue: 500_000 },
  isPractice: false,
  tagsPackages: true,
  duties: [
    {
      ...{ duty: 'saleHours', name: 'Hours of sale', standing: 'enforced', words: 'from 06:00 to 22:00' },
      ...{ ownerMayOverride: false, source: { ...factSourceExample, citation: '4 CCR 15403' } },
    },
  ],
};

/** Staff operations on the duties of the shop's state, and on how the shop meets them (D93). */
export function dutyStaffRoutes(context: Context): StaffEndpoint[] {
  const success = { status: 200, data: ShopDuties, description: 'The duties', example } as const;
  return [
    staffEndpoint({
      id: 'readDuties',
      method: 'GET',
      path: '/staff/v1/duties',
      roles: settingsReaders,
      kind: 'read',
      summary: "Retrieve the duties of the shop's state",
      description:
        'What the law of the state asks of a shop today, what becomes of each duty, and what the owner has set. Not legal advice.',
      tag: 'Settings',
      success,
      failures: [],
      handle: async ({ staff }) => reply(await readDuties(context, staff.organizationId)),
    }),
    staffEndpoint({
      id: 'setDuties',
      method: 'PUT',
      path: '/staff/v1/duties',
      roles: ['owner'],
      kind: 'write',
      summary: 'Set how the shop meets its duties',
      description:
        'Narrower hours of sale, and the duties that the owner answers for, each with a reason that the audit keeps. Nothing can be set that the law of the state forbids.',
      tag: 'Settings',
      body: Type.Object({
        ...settings,
        ...{ idCheck: Type.Optional(idCheck), vehicleValue: Type.Optional(vehicleValue) },
      }),
      requestExample: { saleHours: { from: '09:00', to: '21:00' }, overrides: [] },
      success,
      failures: [],
      handle: async ({ staff, body, requestId }) => {
        const { organizationId } = staff;
        await setDuties(context, staffOrigin(staff, requestId), organizationId, body);
        return reply(await readDuties(context, organizationId));
      },
    }),
  ];
}

async function readDuties(
  { database, clock, law }: Context,
  organization: OrganizationId,
): Promise<Static<typeof ShopDuties>> {
  const [[row]] = await database.read(organization, selectOrganization({}));
  assert(row !== undefined, 'the organization of a signed-in caller exists');
  const { state, tz } = row;
  const today = localDateAt(clock.now(), tz);
  const jurisdiction = law.current.find(state);
  const { duties } = jurisdiction ?? {};
  const { saleHours, overrides, idCheck: seesIds, vehicleValue: carried } = shownDuties(row);
  return {
    ...{
      state,
      saleHours,
      overrides: [...overrides],
      ...{ idCheck: seesIds, vehicleValue: carried },
      isPractice: row.duty_settings.isPractice === true,
      tagsPackages: tagsPackages(jurisdiction, today),
    },
    duties: dutyNames.map((duty) => {
      const { name } = dutyTraits[duty];
      const known = dutyOn(duties, duty, today);
      if (known.known !== 'value') {
        const standing =
          known.known === 'not-looked-up' ? ('not-looked-up' as const) : ('not-found' as const);
        return { duty, name, standing, words: null, ownerMayOverride: false, source: null };
      }
      const { kind, ownerMayOverride } = known.duty;
      const words = dutyInWords(duty, known.duty);
      return { duty, name, standing: kind, words, ownerMayOverride, source: shownSource(known.duty, today) };
    }),
  };
}
