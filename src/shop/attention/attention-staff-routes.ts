import Type from 'typebox';
import { staffRoles } from '../../kernel/staff-roles.ts';
import type { Context } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import {
  Id,
  List,
  LocalDate,
  Named,
  Nullable,
  OneOf,
  Timestamp,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import {
  attentionKinds,
  failingAfterMinutes,
  lateAfterMinutes,
  readAttention,
  shownForDays,
} from './attention.ts';

const Count = WholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER });

const kindWords = `\`late-orders\`: placed more than ${lateAfterMinutes} minutes ago and not packed; \`state-reports\`: reports to the state that are refused, or late by half of their time; \`payments\`: tasks about payments at terminals and banks; \`documents\`: customers' documents to review; \`offline-sales\`: flagged and not settled; \`open-drawers\`: open since before the present business day; \`drawer-differences\`: closed over or short in the last ${shownForDays} days; \`expiring-packages\` and \`low-stock\`: as in \`getToday\`; \`failed-imports\`: of the last ${shownForDays} days, unless a later one succeeded; \`lacking-facts\`: options on the menu that cannot be sold, because they lack a fact that a tax or limit needs; \`lost-photos\`: could not be fetched; \`backups\`: warnings of the deployment that the archive of the database's log is behind, or that a base backup or a restore drill failed (\`warnings\` of \`getOrganization\` has the words); \`webhooks\`: endpoints that are switched off, or have failed for ${failingAfterMinutes} minutes; \`left-taxes\`: taxes that the state's preset leaves to the owner, neither set up nor dismissed; \`refused-mail\`: by the mail server in the last ${shownForDays} days; \`ending-keys\`: client keys that end within two weeks`;

const Attention = Named(
  'Attention',
  Type.Object({
    total: Count,
    items: List(
      Type.Object({
        kind: OneOf(attentionKinds, { description: kindWords }),
        count: Count,
        since: Nullable(
          Timestamp({
            description: 'The oldest of them; of `ending-keys` the first end. null: the kind has no moment',
          }),
        ),
        day: Nullable(LocalDate({ description: 'The first last day of sale, of `expiring-packages` only' })),
        customerId: Nullable(Id({ description: 'Whose document is the oldest, of `documents` only' })),
      }),
      { max: attentionKinds.length, description: 'Kinds of which nothing waits are left out' },
    ),
  }),
);

/** What waits for staff, within their role. */
export function attentionStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'getAttention',
      method: 'GET',
      path: '/staff/v1/attention',
      roles: [...staffRoles],
      kind: 'read',
      summary: 'Retrieve what needs attention',
      description:
        'Everything that waits for staff, counted by kind, with the oldest moment. Only kinds that the role can do something about. An entry is gone once its cause is.',
      tag: 'Reports',
      success: {
        status: 200,
        data: Attention,
        description: 'What waits',
        example: {
          total: 5,
          items: [
            { kind: 'late-orders', count: 3, since: '2026-03-10T17:05:09.123Z', day: null, customerId: null },
            { kind: 'expiring-packages', count: 2, since: null, day: '2026-03-12', customerId: null },
          ],
        },
      },
      failures: [],
      handle: async ({ staff }) => reply(await readAttention(context, staff.organizationId, staff.role)),
    }),
  ];
}
