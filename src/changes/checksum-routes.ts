import Type from 'typebox';
import type { Context } from '../database/context.ts';
import { joinDigests } from '../database/record-digest.ts';
import { eventFeedOf } from '../events/event-feed.ts';
import { cursorText, cursorTextMax } from '../events/feed-cursor.ts';
import { type Endpoint, endpoint, reply } from '../http/endpoint.ts';
import { List, Named, Text, WholeNumber } from '../http/schemas.ts';
import { lazily } from '../kernel/lazily.ts';
import type { ChecksummedCollection } from './checksummed-collection.ts';

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
  count: WholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }),
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
  // The declarations are also made without a database.
  const feed = lazily(() => eventFeedOf(context.database));
  return collections.map(({ collection, id, permission, list, byMonth, select }) => {
    const shared = {
      id,
      method: 'GET',
      path: `/api/v1/checksums/${collection}`,
      address: 'base',
      permission,
      kind: 'read',
      summary: `Retrieve the checksum of ${collection.replace('_', ' ')}`,
      description:
        `Count and digest of the records that ${list} lists, exact at \`cursor\`. A copy with all changes up to the ` +
        'cursor and the same digest is complete and current. The digest is the exclusive or, over all records, of the ' +
        'first 16 bytes of SHA-256 of `id`, a line feed and `updatedAt`, as the list shows them.' +
        (byMonth ? ' `months` has count and digest of each month, to find the month that differs.' : ''),
      source: ['D65'],
      tag: 'Changes',
      failures: ['TRANSACTION_RETRY_EXCEEDED'],
    } as const;
    if (!byMonth) {
      return endpoint({
        ...shared,
        success: {
          status: 200,
          data: Checksum,
          description: 'The checksum',
          example: { ...example, cursor: '3k-2n1x' },
        },
        handle: async ({ caller: { organizationId } }) => {
          const read = await feed().readAtCursor(organizationId, await select(organizationId));
          return reply({ ...joinDigests(read.rows), cursor: cursorText(read.cursor) });
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
      handle: async ({ caller: { organizationId }, query }) => {
        const statement = await select(organizationId, query.month);
        const read = await feed().readAtCursor(organizationId, statement);
        const months = read.rows.map((row) => ({ month: row.month!, ...joinDigests([row]) }));
        return reply({ ...joinDigests(read.rows), cursor: cursorText(read.cursor), months });
      },
    });
  });
}
