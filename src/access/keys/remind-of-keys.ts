import { assert } from '../../kernel/assert.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { Database, TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import type { RequestLog } from '../../platform/http/endpoint.ts';
import { queueMail } from '../../platform/mail/mail.ts';
import { type RunningJob, startForEachOrganization } from '../../platform/upkeep/each-organization.ts';
import { selectOrganization } from '../organizations/organizations.ts';
import { selectOwnerEmails } from '../staff/staff.ts';
import { noteKeysTold, selectOrganizationsWithEndingKeys, type ToldKeyRow } from './client-key-queries.ts';
import { soonAt, soonDays } from './key-attention.ts';

const periodMs = 3_600_000;
const ownersMax = 20;

/**
 * Tells of each key that ends within two weeks, once: a mail to each owner, and the event `client_key.reminded`. A key that was made
 * for less than two weeks ends as its maker said.
 */
export async function remindOfKeys(context: Context, organization: OrganizationId): Promise<void> {
  const nowMs = context.clock.now();
  const ending = { at: isoTimestamp(nowMs), before: isoTimestamp(soonAt(nowMs)), days: soonDays };
  await context.database.write(organization, async (tx) => {
    // Those that another process has not told of.
    const [keys] = await tx.run(noteKeysTold(ending));
    if (keys.length === 0) return;
    await mailOwners(tx, context, keys, nowMs);
    for (const { id, integrator_id: integratorId, expires_at: expiresAtMs } of keys) {
      await announce(tx, context, { actor: 'job:key-reminders', requestId: null }, nowMs, {
        event: 'client_key.reminded',
        subjectType: 'client_key',
        subjectId: id,
        payload: { clientKeyId: id, integratorId, expiresAt: isoTimestamp(expiresAtMs) },
      });
    }
  });
}

async function mailOwners(
  tx: TenantTransaction,
  context: Context,
  keys: readonly ToldKeyRow[],
  nowMs: number,
): Promise<void> {
  const [[shop], owners] = await tx.run(selectOrganization({}), selectOwnerEmails({ limit: ownersMax }));
  assert(shop !== undefined, 'the organization of a key exists');
  const lines = keys.map(
    ({ name, integrator_name: integrator, expires_at: atMs }) =>
      `The client key ${name} of ${integrator} ends on ${isoTimestamp(atMs).slice(0, 10)}.`,
  );
  for (const owner of owners) {
    await queueMail(tx, context, nowMs, {
      kind: 'keys-ending',
      from: shop.name,
      subject: keys.length === 1 ? `A key of ${shop.name} ends soon` : `Keys of ${shop.name} end soon`,
      paragraphs: [
        ...lines,
        'From then on the integrator is refused. To go on, issue a key with a later end under Integrations, Keys in the staff console, and give it to the integrator.',
      ],
      to: owner.email,
      expiresAtMs: null,
      cause: `keys-ending:${keys[0]!.id}:${owner.id}`,
    });
  }
}

/** Looks at the keys of all organizations at the start and every hour, and enters those that have some to tell of. */
export function startRemindingOfKeys(
  context: Context,
  operator: Pick<Database, 'global'>,
  logger: RequestLog,
): RunningJob {
  return startForEachOrganization({
    failureMessage: 'owners could not be told of keys that end',
    periodMs,
    listOrganizations: () =>
      operator.global(
        selectOrganizationsWithEndingKeys({ at: isoTimestamp(context.clock.now()), days: soonDays }),
      ),
    logger,
    work: (organization) => remindOfKeys(context, organization),
  });
}
