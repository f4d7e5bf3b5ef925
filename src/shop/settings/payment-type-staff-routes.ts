import Type, { type Static } from 'typebox';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import {
  Cents,
  Flag,
  Id,
  List,
  Named,
  NonBlankText,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from '../../platform/http/schemas.ts';
import { selectPaymentTypeSettings } from './payment-type-queries.ts';
import {
  changePaymentType,
  createPaymentType,
  type PaymentTypeChanges,
  type PaymentTypeSettings,
  type SavedPaymentType,
  savedPaymentType,
} from './save-payment-type.ts';
import { PercentText, settingsReaders, settingsWriters } from './settings-schemas.ts';

const fields = {
  name: NonBlankText({ max: 200 }),
  fee: Cents({ description: 'Flat fee in cents' }),
  feeDescription: Nullable(Text({ max: 500, description: 'Text for customers' })),
  method: OneOf(['cash', 'debit', 'other', 'processor']),
  feePercent: PercentText({ description: 'Fee on the amount paid with this type, in percent' }),
  availableDelivery: Flag({ description: 'Whether delivery orders can use it' }),
};

const PaymentTypeSetting = Named(
  'PaymentTypeSetting',
  Type.Object({
    id: Id(),
    ...fields,
    archivedAt: Nullable(Timestamp({ description: 'Carts cannot use it since then' })),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
  }),
);

const { name, method, ...optionalFields } = fields;
const PaymentTypeBody = Type.Object({
  name,
  method,
  ...Type.Partial(Type.Object(optionalFields)).properties,
});
const PaymentTypePatch = Type.Object({
  ...Type.Partial(Type.Object(fields)).properties,
  archived: Type.Optional(Flag({ description: 'false restores, true archives' })),
  archivedAt: Type.Optional(Nullable(Timestamp({ description: 'null restores, a time archives (now)' }))),
});

const params = Type.Object({ paymentTypeId: Id() });
const resourceParams = { paymentTypeId: 'PAYMENT_TYPE_NOT_FOUND' } as const;

const bodyExample = {
  name: 'Debit at the door',
  fee: 350,
  feeDescription: 'Terminal fee',
  method: 'debit',
  feePercent: '0',
  availableDelivery: true,
} as const;
const example: Static<typeof PaymentTypeSetting> = {
  id: 2301,
  ...bodyExample,
  archivedAt: null,
  createdAt: '2026-03-01T17:05:09.123Z',
  updatedAt: '2026-03-01T17:05:09.123Z',
};

/** Staff operations on payment types. */
export function paymentTypeStaffRoutes(context: Context): StaffEndpoint[] {
  const success = {
    status: 200,
    data: PaymentTypeSetting,
    description: 'The payment type',
    example,
  } as const;
  return [
    staffEndpoint({
      id: 'listPaymentTypeSettings',
      method: 'GET',
      path: '/staff/v1/payment-types',
      roles: settingsReaders,
      kind: 'read',
      readsFrom: 'standby',
      summary: 'List payment types',
      description: 'All payment types, including archived ones.',
      source: ['D16', 'D28'],
      tag: 'Settings',
      sorts: { id: 'ascending', name: 'ascending', fee: 'descending', createdAt: 'descending' },
      success: {
        status: 200,
        data: List(PaymentTypeSetting, { max: 10_000 }),
        description: 'The payment types',
        example: [example],
      },
      failures: [],
      handle: async ({ staff }) => {
        const [rows] = await context.database.read(staff.organizationId, selectPaymentTypeSettings({}));
        return reply(rows.map((row) => shown(savedPaymentType(row))));
      },
    }),
    staffEndpoint({
      id: 'createPaymentType',
      method: 'POST',
      path: '/staff/v1/payment-types',
      roles: settingsWriters,
      kind: 'write',
      summary: 'Create a payment type',
      description: 'By default without fees and available for deliveries.',
      source: ['D28'],
      tag: 'Settings',
      body: PaymentTypeBody,
      requestExample: bodyExample,
      success: { ...success, status: 201 },
      failures: [],
      handle: async ({ staff, body, requestId }) => {
        const origin = staffOrigin(staff, requestId);
        return reply(shown(await createPaymentType(context, origin, staff.organizationId, wholeType(body))));
      },
    }),
    staffEndpoint({
      id: 'updatePaymentType',
      method: 'PATCH',
      path: '/staff/v1/payment-types/{paymentTypeId}',
      roles: settingsWriters,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Change a payment type',
      description:
        'Changes the given fields; orders keep their fees. `archived: false` or `archivedAt: null` restores one.',
      tag: 'Settings',
      params,
      resourceParams,
      body: PaymentTypePatch,
      requestExample: { fee: 300 },
      success,
      failures: ['PAYMENT_TYPE_NOT_FOUND'],
      handle: async ({ staff, params: { paymentTypeId }, body, requestId, expectedUpdatedAtMs }) => {
        const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        const changes = changesOf(body);
        return reply(
          shown(await changePaymentType(context, origin, staff.organizationId, paymentTypeId, changes)),
        );
      },
    }),
    staffEndpoint({
      id: 'replacePaymentType',
      method: 'PUT',
      path: '/staff/v1/payment-types/{paymentTypeId}',
      roles: settingsWriters,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Replace the settings of a payment type',
      description:
        'Absent fields get their defaults. An archived one stays archived; orders keep their fees.',
      tag: 'Settings',
      params,
      resourceParams,
      body: PaymentTypeBody,
      requestExample: bodyExample,
      success,
      failures: ['PAYMENT_TYPE_NOT_FOUND'],
      handle: async ({ staff, params: { paymentTypeId }, body, requestId, expectedUpdatedAtMs }) => {
        const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        const settings = wholeType(body);
        return reply(
          shown(await changePaymentType(context, origin, staff.organizationId, paymentTypeId, settings)),
        );
      },
    }),
    staffEndpoint({
      id: 'archivePaymentType',
      method: 'DELETE',
      path: '/staff/v1/payment-types/{paymentTypeId}',
      roles: settingsWriters,
      kind: 'write',
      summary: 'Archive a payment type',
      description: 'Carts cannot use it any more; it stays listed here. Archiving it again changes nothing.',
      tag: 'Settings',
      params,
      resourceParams,
      success: { ...success, example: { ...example, archivedAt: '2026-05-01T17:05:09.123Z' } },
      failures: ['PAYMENT_TYPE_NOT_FOUND'],
      handle: async ({ staff, params: { paymentTypeId }, requestId }) => {
        const origin = staffOrigin(staff, requestId);
        return reply(
          shown(
            await changePaymentType(context, origin, staff.organizationId, paymentTypeId, {
              isArchived: true,
            }),
          ),
        );
      },
    }),
  ];
}

function changesOf({
  fee,
  feePercent,
  archived,
  archivedAt,
  ...sent
}: Static<typeof PaymentTypePatch>): PaymentTypeChanges {
  const isArchived = archived ?? (archivedAt === undefined ? undefined : archivedAt !== null);
  if (archivedAt !== undefined && isArchived !== (archivedAt !== null)) {
    throw failure(
      'INVALID_PARAMS',
      'archivedAt must be null with archived: false, and a time with archived: true',
    );
  }
  return {
    ...sent,
    ...(fee !== undefined && { feeCents: fee }),
    ...(feePercent !== undefined && { feePercent: canonicalDecimalText(feePercent) }),
    ...(isArchived !== undefined && { isArchived }),
  };
}

/** With the defaults of absent fields. */
function wholeType({ name, method, ...sent }: Static<typeof PaymentTypeBody>): PaymentTypeSettings {
  return {
    feeCents: 0,
    feeDescription: null,
    feePercent: '0',
    availableDelivery: true,
    ...changesOf(sent),
    name,
    method,
  };
}

function shown({ feeCents, createdAtMs, updatedAtMs, archivedAtMs, ...type }: SavedPaymentType) {
  return {
    ...type,
    fee: feeCents,
    archivedAt: archivedAtMs === null ? null : isoTimestamp(archivedAtMs),
    createdAt: isoTimestamp(createdAtMs),
    updatedAt: isoTimestamp(updatedAtMs),
  };
}
