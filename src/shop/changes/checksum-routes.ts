import Type from 'typebox';
import { allows } from '../../kernel/permission-catalog.ts';
import type { Context } from '../../platform/database/context.ts';
import { cursorText, cursorTextMax } from '../../platform/events/feed-cursor.ts';
import { type Endpoint, endpoint, reply } from '../../platform/http/endpoint.ts';
import { List, Named, Text, WholeNumber } from '../../platform/http/schemas.ts';
import type { ChecksummedCollection } from './checksummed-collection.ts';
import { joinSums, ownSumsAtCursor, sumsAtCursor } from './record-sums.ts';

/** More months than any shop has. */
const monthsMax = 12_000;

const Month = (description: string) =>
  Type.String({
    pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$',
    maxLength: 7,
    'x-expected': 'a month YYYY-MM',
    description,
  });

const digested = {
  count: WholeNumber({ description: 'How many records', min: 0, max: Number.MAX_SAFE_INTEGER }),
  digest: Text({ min: 32, max: 32, description: '32 hexadecimal digits; zeros if there are no records' }),
};
const cursor = Text({
  min: 3,
  max: cursorTextMax,
  description: 'The digest includes the changes up to this cursor, and no later ones (`GET /api/v1/changes`)',
});

const Checksum = Named('Checksum', Type.Object({ ...digested, cursor }));

const MonthlyChecksum = Named(
  'MonthlyChecksum',
  Type.Object({
    ...digested,
    cursor,
    months: List(
      Type.Object({ month: Month("Month of placing, in the organization's time zone"), ...digested }),
      {
        max: monthsMax,
        description: 'The months with orders, oldest first',
      },
    ),
  }),
);

const example = { count: 2, digest: '5b0f3a9d41c68e27d0b1f4a6c3728e95' };

/** The checksums of collections (D65). */
export function checksumRoutes(context: Context, collections: readonly ChecksummedCollection[]): Endpoint[] {
  return collections.map((collection) => {
    const { id, permission, list, timeZone, own } = collection;
    const shared = {
      id,
      method: 'GET',
      path: `/api/v1/checksums/${collection.collection}`,
      address: 'base',
      permission,
      ...(own && { permissionForLess: own.permission }),
      kind: 'read',
      readsFrom: 'standby',
      summary: `Retrieve the checksum of ${collection.collection.replace('_', ' ')}`,
      description:
        `Count and digest of the records that ${list} lists, exact at \`cursor\`. A copy with all changes up to the ` +
        'cursor and the same digest is complete and current. The digest is the exclusive or, over all records, of the ' +
        'first 16 bytes of SHA-256 of `id`, a line feed and `updatedAt`, as the list shows them.' +
        (timeZone ? ' `months` has count and digest of each month, to find the month that differs.' : '') +
        (own
          ? ` With \`${own.permission}\` and without \`${permission}\`: of those that the own integrator placed.`
          : ''),
      publishableKey: 'refused',
      tag: 'Changes',
      failures: ['TRANSACTION_RETRY_EXCEEDED'],
    } as const;
    if (!timeZone) {
      return endpoint({
        ...shared,
        success: {
          status: 200,
          data: Checksum,
          description: 'The checksum',
          example: { ...example, cursor: '3k-2n1x' },
        },
        handle: async ({ caller: { organizationId } }) => {
          const { months, cursor } = await sumsAtCursor(context, collection, organizationId);
          return reply({ ...joinSums(months), cursor: cursorText(cursor) });
        },
      });
    }
    return endpoint({
      ...shared,
      query: Type.Object({
        month: Type.Optional(Month("Only orders placed in that month, in the organization's time zone")),
      }),
      success: {
        status: 200,
        data: MonthlyChecksum,
        description: 'The checksum',
        example: { ...example, cursor: '3k-2n1x', months: [{ month: '2026-03', ...example }] },
      },
      handle: async ({ caller, query: { month } }) => {
        const { organizationId, integratorId } = caller;
        const isOwn = own !== undefined && !allows(caller.permissions, 'read', permission);
        const { months: all, cursor } = isOwn
          ? await ownSumsAtCursor(context, collection, organizationId, integratorId)
          : await sumsAtCursor(context, collection, organizationId);
        const months = month === undefined ? all : all.filter((sum) => sum.month === month);
        return reply({ ...joinSums(months), cursor: cursorText(cursor), months });
      },
    });
  });
}
