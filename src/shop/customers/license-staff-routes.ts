import Type from 'typebox';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import {
  DateSince1900,
  Flag,
  Id,
  List,
  LocalDate,
  Named,
  NonBlankText,
  Nullable,
  OneOf,
  Text,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { staffCustomerDetailExample } from './customer-examples.ts';
import { StaffCustomerDetail } from './customer-schemas.ts';
import { selectCustomerDetail } from './customer-search-queries.ts';
import { identifyByLicense } from './identify-by-license.ts';
import { staffCustomerDetail } from './shown-customer.ts';

const roles = ['owner', 'manager', 'budtender'] as const;

const LicenseHolder = Named(
  'LicenseHolder',
  Type.Object({
    customer: Nullable(StaffCustomerDetail),
    isNew: Flag({ description: 'The customer was created' }),
    suspected: List(StaffCustomerDetail, {
      max: 20,
      description:
        'Customers with the birthday and nearly the name of the card: ask whether the holder is one of them, and send `customerId` or `isAnother`',
    }),
    age: WholeNumber({ min: -1, max: 200, description: 'In full years, on the day of the shop' }),
    minimumAge: WholeNumber({ min: 1, max: 100 }),
    allowedOn: LocalDate({ description: 'The first day on which the holder is old enough' }),
    isExpired: Flag(),
  }),
);

/** Two capital letters; a card of another form tells no state. */
function stateOf(text: string | null = null): string | null {
  const state = text?.trim().toUpperCase() ?? '';
  return /^[A-Z]{2}$/.test(state) ? state : null;
}

/** The staff operation behind the scan of a driver's license. */
export function licenseStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'identifyCustomerByLicense',
      method: 'POST',
      path: '/staff/v1/customers/by-license',
      roles,
      kind: 'write',
      summary: "Find or create the customer of a driver's license",
      description:
        "Finds the customer of a license that was shown before, else by names and birthday, else creates one. Where the names on file are nearly those of the card (a second given name, a suffix) or several customers fit, `suspected` lists them, `customer` is null and nothing is written: send the card again with `customerId`, or with `isAnother` for a person who is not on file. The license replaces another birthday and expiry on file. A holder below the minimum age of the state, or of patients if they are one on file, gets no customer: `customer` is null, nothing is written, and `allowedOn` is the first day on which they are old enough. An expired license is answered with `isExpired`. The license's number is kept as a digest only, the scanned text not at all.",
      tag: 'Customers',
      body: Type.Object({
        issuer: Text({ min: 6, max: 6, description: "The issuer's six digits, as on the card (AAMVA)" }),
        number: NonBlankText({ max: 25, description: 'The number of the license' }),
        firstName: NonBlankText({ max: 100 }),
        lastName: Text({ max: 100, description: 'Empty for a person with one name' }),
        birthday: DateSince1900(),
        expiry: Type.Optional(Nullable(LocalDate({ description: 'The last valid day; null: none' }))),
        sex: Type.Optional(Nullable(OneOf(['male', 'female', 'tertiary']))),
        zip: Type.Optional(Nullable(Text({ max: 20, description: 'ZIP code' }))),
        state: Type.Optional(
          Nullable(Text({ max: 20, description: 'The state of the address: the residence of the holder' })),
        ),
        customerId: Type.Optional(Id({ description: 'The holder, one of `suspected`' })),
        isAnother: Type.Optional(Flag({ description: 'The holder is none of `suspected`' })),
      }),
      requestExample: {
        issuer: '636014',
        number: 'D1234567',
        firstName: 'Marisol',
        lastName: 'Okafor',
        birthday: '1988-02-29',
        expiry: '2029-02-28',
      },
      success: {
        status: 200,
        data: LicenseHolder,
        description: 'The holder of the license',
        example: {
          customer: staffCustomerDetailExample,
          isNew: false,
          suspected: [],
          age: 38,
          minimumAge: 21,
          allowedOn: '2009-03-01',
          isExpired: false,
        },
      },
      failures: ['USER_NOT_FOUND'],
      handle: async ({ staff, body, requestId }) => {
        const { organizationId } = staff;
        const { customerId: chosenId, isAnother, state, ...card } = body;
        const answer =
          chosenId !== undefined ? { customerId: chosenId } : isAnother ? 'another-person' : null;
        const { customerId, suspectedIds, ...facts } = await identifyByLicense(
          context,
          staffOrigin(staff, requestId),
          organizationId,
          {
            ...card,
            ...{ expiry: card.expiry ?? null, sex: card.sex ?? null, zip: card.zip ?? null },
            residence: stateOf(state),
          },
          answer,
        );
        const shown = async (id: number) => {
          const [[row]] = await context.database.read(organizationId, selectCustomerDetail({ id }));
          return row === undefined ? [] : [staffCustomerDetail(row)];
        };
        const suspected = (await Promise.all(suspectedIds.map(shown))).flat();
        const [customer = null] = customerId === null ? [] : await shown(customerId);
        return reply({ ...facts, suspected, customer });
      },
    }),
  ];
}
