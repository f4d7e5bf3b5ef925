import Type from 'typebox';
import {
  CentsTotal,
  DateSince1900,
  DecimalNumber,
  Flag,
  Id,
  List,
  LocalDate,
  Named,
  NonBlankText,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  UuidV4,
  WholeNumber,
  withErrorCode,
} from '../../platform/http/schemas.ts';

import { consentSources, consentsMax } from './consents.ts';

/** Shapes of the operations on customers, their groups and their points (D32, D37, D38). */

/** More groups than any organization has; the list has no pages (D16). */
export const groupsMax = 10_000;

/** The maximum number of points of one event. */
const pointsMax = 1_000_000_000;

const customerFields = {
  id: Id(),
  hashId: Text({ max: 20, description: 'Short id shown to the customer and the dispensary' }),
  firstName: Text({ description: 'First name', max: 100 }),
  lastName: Text({ description: 'Last name', max: 100 }),
  email: Nullable(Text({ description: 'Email address', max: 300 })),
  phone: Nullable(Text({ description: 'Phone number, in replies as E.164', max: 40 })),
  joinedAt: Timestamp({ description: 'When the customer was first known' }),
  updatedAt: Timestamp({ description: 'Changes with the profile, the groups or the points' }),
  birthday: Nullable(LocalDate({ description: 'Date of birth' })),
  sex: Nullable(OneOf(['male', 'female', 'tertiary'], { description: 'Sex, as on file' })),
  zip: Nullable(Text({ max: 20, description: 'ZIP code' })),
  licenseExpiry: Nullable(
    LocalDate({ description: "Expiry of the driver's license; null when not recorded" }),
  ),
  marketingOptIn: Flag({ description: 'Whether the customer agreed to be written to' }),
  marketingOptInAt: Nullable(Timestamp({ description: 'Since when' })),
  marketingOptInSource: Nullable(
    OneOf(consentSources, {
      description: 'How the consent was recorded; null without consent, and where sources were not kept yet',
    }),
  ),
  customerGroups: List(Text({ max: 200 }), { max: groupsMax, description: 'Names of the groups' }),
  loyalty: Type.Object(
    {
      pointsAmount: DecimalNumber({
        description: 'Points, as a decimal',
        min: 0,
        max: Number.MAX_SAFE_INTEGER,
      }),
    },
    { description: 'The loyalty account' },
  ),
  mostRecentAddress: Nullable(
    Type.Object(
      {
        street1: Text({ description: 'Street and number', max: 200 }),
        street2: Nullable(Text({ description: 'Apartment, floor or suite', max: 200 })),
        city: Text({ description: 'City', max: 100 }),
        state: Text({ description: 'State, as two letters', max: 50 }),
        postalCode: Text({ description: 'ZIP code', max: 20 }),
      },
      { description: 'The address of the last delivery' },
    ),
  ),
  medicalExpiration: Nullable(LocalDate({ description: 'Null for adult-use customers' })),
  erasedAt: Nullable(Timestamp({ description: "When the customer's personal data was erased" })),
};

export const Customer = Named('Customer', Type.Object(customerFields));

const stateName = (description: string) =>
  Type.String({
    description,
    minLength: 2,
    maxLength: 2,
    pattern: '^[A-Z]{2}$',
    'x-expected': 'a state as two capital letters',
  });

const residence = Nullable(
  stateName('The state where the person lives, as a scanned card or they say; null: not asked'),
);
const patientState = Nullable(stateName("The state that keeps the patient's number"));

const notes = Nullable(
  Text({ max: 2000, description: 'Of staff, for staff: what helps to serve the person' }),
);

const staffCustomerFields = {
  ...customerFields,
  residence,
  notes,
  patientState,
  patientNumberLastFour: Nullable(
    Text({ max: 4, description: "The end of the patient's number, which is kept encrypted" }),
  ),
  taxExempt: Nullable(
    Flag({ description: "Set by staff; null: decided by the card and the organization's settings" }),
  ),
  orderCount: WholeNumber({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    description: 'Orders, except canceled ones',
  }),
  spent: CentsTotal({ description: 'Cents: the grand totals of fulfilled orders, before returns' }),
  lastOrderAt: Nullable(Timestamp({ description: 'When the latest order was placed, except canceled ones' })),
};

export const StaffCustomer = Named('StaffCustomer', Type.Object(staffCustomerFields));

const cared = (description: string) =>
  List(
    Type.Object({
      customerId: Id(),
      name: Text({ max: 201 }),
      expiresOn: Nullable(LocalDate({ description: 'The last valid day; null: none is known' })),
    }),
    { max: 1000, description },
  );

export const StaffCustomerDetail = Named(
  'StaffCustomerDetail',
  Type.Object({
    ...staffCustomerFields,
    patients: cared('Whom the customer may buy for, as a caregiver'),
    caregivers: cared('Who may buy for the customer'),
    consents: List(
      Type.Object({
        purpose: OneOf(['marketing']),
        isGiven: Flag({ description: 'False: withdrawn' }),
        source: OneOf(consentSources),
        recordedAt: Timestamp(),
        staffId: Nullable(Id({ description: 'Who recorded it, if staff did' })),
        mergedFromId: Nullable(
          Id({ description: 'Of which customer it was, if that one was merged into this one' }),
        ),
      }),
      { max: consentsMax, description: 'Each consent that was given or withdrawn, newest first' },
    ),
  }),
);

const profileFields = {
  firstName: NonBlankText({ max: 100 }),
  lastName: NonBlankText({ max: 100 }),
  email: Nullable(Text({ max: 300, description: 'Must not belong to another customer' })),
  phone: Nullable(
    Text({ max: 40, description: 'Must not belong to another customer; US without country code' }),
  ),
  birthday: Nullable(DateSince1900()),
  sex: Nullable(OneOf(['male', 'female', 'tertiary'])),
  zip: Nullable(Text({ max: 20 })),
  licenseExpiry: Nullable(LocalDate()),
  medicalExpiration: Nullable(LocalDate({ description: "The card's last valid day" })),
  residence,
  notes,
  patientState,
  patientNumber: Nullable(
    Text({
      max: 50,
      description:
        "The patient's number in the state's register, of at least 5 characters; replies have its last four",
    }),
  ),
  marketingOptIn: Flag(),
  taxExempt: Nullable(Flag({ description: "Null: decided by the card and the organization's settings" })),
};
const { firstName, lastName, ...furtherFields } = profileFields;

export const NewCustomer = Named(
  'NewCustomer',
  Type.Object({ firstName, lastName, ...Type.Partial(Type.Object(furtherFields)).properties }),
);

export const CustomerChanges = Named('CustomerChanges', Type.Partial(Type.Object(profileFields)));

export const CustomerGroup = Named(
  'CustomerGroup',
  Type.Object({
    id: Id(),
    name: Text({ max: 200 }),
    description: Nullable(Text({ max: 2000 })),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
  }),
);

/** Longer than any address or number with outer spaces. */
const contactLengthMax = 300;

export const GroupMemberBody = Named(
  'CustomerGroupMember',
  Type.Object({
    emailOrPhone: Text({
      min: 1,
      max: contactLengthMax,
      description:
        'An email address or a phone number of the customer, in any usual spelling; US without country code',
    }),
  }),
);

export const LoyaltyEventBody = Named(
  'LoyaltyEventRequest',
  Type.Object(
    {
      customerId: Type.Optional(Id({ description: 'Id of the customer' })),
      customerEmail: Type.Optional(
        Text({ description: 'Email of the customer, in place of an id', max: contactLengthMax }),
      ),
      customerPhone: Type.Optional(Text({ max: contactLengthMax, description: 'US without country code' })),
      pointsAmount: DecimalNumber({
        min: -pointsMax,
        max: pointsMax,
        description: 'Not 0, at most 2 decimals; negative removes points, never below 0',
      }),
      reason: NonBlankText({ description: 'Why the points change; the customer may see it', max: 500 }),
      idempotencyKey: Type.Optional(
        withErrorCode(
          UuidV4({ description: 'A unique UUID v4: a request with a used key gets the first event' }),
          'INVALID_IDEMPOTENCY_KEY',
        ),
      ),
    },
    {
      description:
        'Needs at least one of `customerId`, `customerEmail` and `customerPhone`; several must match one customer',
    },
  ),
);

export const LoyaltyEventShape = Named(
  'LoyaltyEvent',
  Type.Object({
    id: Id(),
    organizationId: Id(),
    userId: Id({ description: 'The customer' }),
    type: OneOf(['open-api'], { description: 'Where the event comes from' }),
    pointsAmount: DecimalNumber({ description: 'Points, as a decimal', min: -pointsMax, max: pointsMax }),
    reason: Text({ description: 'Why the points changed', max: 500 }),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
  }),
);
