import Type from 'typebox';
import {
  DateSince1900,
  Flag,
  Id,
  LocalDate,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from '../../platform/http/schemas.ts';

/** Shapes of the operations on the queue (D55). */

const queueCustomerFields = {
  id: Id({ description: 'The customer' }),
  email: Nullable(Text({ description: 'Email address', max: 300 })),
  firstName: Text({ description: 'First name', max: 100 }),
  lastName: Text({ description: 'Last name', max: 100 }),
  phone: Nullable(Text({ description: 'Phone number, in replies as E.164', max: 40 })),
  hashId: Text({ description: 'The id as text, for links', max: 20 }),
  birthday: Nullable(LocalDate({ description: 'Date of birth' })),
  isFirstTime: Flag({ description: 'The customer has no fulfilled order yet' }),
};

export const QueueCustomer = Named('QueueCustomer', Type.Object(queueCustomerFields));

export const QueueEntry = Named(
  'QueueEntry',
  Type.Object({
    entryId: Id({ description: 'The place in the queue' }),
    ...queueCustomerFields,
    line: OneOf(['intake', 'pos'], {
      description: '`intake`: at the front desk; `pos`: admitted, waiting for a station',
    }),
    checkedInAt: Timestamp(),
    since: Timestamp({ description: 'Start of waiting in this line' }),
    calledAt: Nullable(Timestamp({ description: 'Time of the last call in this line' })),
    leftAt: Nullable(Timestamp()),
    leftReason: Nullable(Text({ max: 200 })),
  }),
);

export const IntakeBody = Named(
  'QueueIntake',
  Type.Object(
    {
      customerId: Type.Optional(Id({ description: 'Id of an existing customer' })),
      person: Type.Optional(
        Type.Object({
          firstName: Text({ min: 1, max: 100 }),
          lastName: Text({ min: 1, max: 100 }),
          email: Type.Optional(Text({ max: 300 })),
          phone: Type.Optional(Text({ max: 40, description: 'US without country code' })),
          birthday: Type.Optional(DateSince1900()),
        }),
      ),
    },
    { description: 'Either `customerId` or `person`' },
  ),
);
