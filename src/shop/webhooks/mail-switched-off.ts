import { selectOrganization } from '../../access/organizations/organizations.ts';
import { selectOwnerEmails } from '../../access/staff/staff.ts';
import { assert } from '../../kernel/assert.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { queueMail } from '../../platform/mail/mail.ts';

const ownersMax = 20;

/** An endpoint that the service has switched off. */
interface SwitchedOff {
  readonly id: number;
  readonly url: string;
  /** The receiver wants no more; otherwise it has only failed. */
  readonly isGone: boolean;
}

/**
 * Queues a mail to each owner: the integrator gets no events until the endpoint is switched on again (D66). One a day for an
 * endpoint, however often it is switched on and off. Of the address it names the host only: the rest may be a secret.
 */
export async function mailSwitchedOff(
  tx: TenantTransaction,
  context: Pick<Context, 'ids' | 'sealing'>,
  { id, url, isGone }: SwitchedOff,
  nowMs: number,
): Promise<void> {
  const [[shop], owners] = await tx.run(selectOrganization({}), selectOwnerEmails({ limit: ownersMax }));
  assert(shop !== undefined, 'the organization of an endpoint exists');
  const day = isoTimestamp(nowMs).slice(0, 10);
  for (const owner of owners) {
    await queueMail(tx, context, nowMs, {
      kind: 'webhook-switched-off',
      from: shop.name,
      subject: `Webhooks of ${shop.name} are switched off`,
      paragraphs: [
        `The webhook endpoint ${id} at ${new URL(url).host} is switched off: ${
          isGone ? 'its receiver wants no more events' : 'it has failed for five days'
        }.`,
        'Nothing is lost: events are kept for 30 days. When the receiver works again, open Integrations, Webhooks in the staff console, and switch the endpoint on.',
      ],
      to: owner.email,
      expiresAtMs: null,
      cause: `webhook-switched-off:${id}:${day}:${owner.id}`,
    });
  }
}
