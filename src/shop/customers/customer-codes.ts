import { createHmac, timingSafeEqual } from 'node:crypto';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { queueMail } from '../../platform/mail/mail.ts';
import type { MasterKeys } from '../../platform/storage/master-keys.ts';
import { endCodeDeliveries, queueCodeDelivery } from '../webhooks/webhooks.ts';
import { isPhone } from './customer-identity.ts';
import {
  countCodesOfOthers,
  countCodeTry,
  deleteCustomerCodes,
  dropOldCustomerCodes,
  openCustomerCode,
  setCustomerCode,
} from './customer-session-queries.ts';
import { type Claim, type StartedSession, startCustomerSession } from './customer-sessions.ts';

/* The codes by which customers prove that an email or a phone is theirs (D62). */

export const codeLifeMinutes = 10;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** How long the counts of a contact are kept, with a code that was not used. */
export const codeAgeMsMax = 24 * hourMs;
const sendsPerHour = 5;
/** D62. Of a million codes, so a code of a contact is guessed once in more than ten years of trying. */
const triesPerHour = 10;

function hourAgo(nowMs: number): string {
  return isoTimestamp(nowMs - hourMs);
}

/**
 * Sends a new code to an email or a phone; the former one ends. The same work for a contact that the organization knows and
 * for one that it does not know. The code of a phone goes to the organization's endpoint for codes (D70); without one
 * nothing is sent. Fails with RATE_LIMITED after five within an hour, of all integrators of the shop together.
 */
export async function sendCustomerCode(
  context: Context,
  keys: MasterKeys,
  origin: Origin,
  { organizationId, ...of }: Claim,
): Promise<void> {
  const code = drawCode(context);
  const [present] = await keys.load(context.randomBytes);
  const digest = codeDigest(present.key, { organizationId, ...of }, code);
  const requestId = await context.ids.takeOne();
  await context.database.write(organizationId, async (tx) => {
    const nowMs = context.wallClock.now();
    const at = isoTimestamp(nowMs);
    const expiresAtMs = nowMs + codeLifeMinutes * minuteMs;
    const [[others], [counted], [organization]] = await tx.run(
      countCodesOfOthers({ ...of, hourAgo: hourAgo(nowMs) }),
      openCustomerCode({ ...of, at, hourAgo: hourAgo(nowMs) }),
      selectOrganization({}),
    );
    assert(counted !== undefined && organization !== undefined, 'the row of a contact is made');
    if (counted.sends + others!.sends >= sendsPerHour) {
      throw failure(
        'RATE_LIMITED',
        `At most ${sendsPerHour} codes are sent to an email or a phone within an hour.`,
      );
    }
    tx.queue(dropOldCustomerCodes({ before: isoTimestamp(nowMs - codeAgeMsMax) }));
    let deliveryId: number | null = null;
    if (isPhone(of.contact)) {
      endCodeDeliveries(tx, [counted.delivery_id]);
      const message = { phone: of.contact, code, expiresAtMs };
      deliveryId = await queueCodeDelivery(tx, context, keys, organizationId, nowMs, message);
    } else {
      const mail = codeMail(organization.name, code);
      await queueMail(tx, context, nowMs, { ...mail, to: of.contact, expiresAtMs });
    }
    tx.queue(setCustomerCode({ ...of, digest, expiresAt: isoTimestamp(expiresAtMs), deliveryId }));
    await announce(tx, context, origin, nowMs, {
      event: 'customer_session.requested',
      subjectType: 'customer_session',
      subjectId: requestId,
      payload: { integratorId: of.integratorId },
    });
  });
}

function codeMail(shop: string, code: string) {
  return {
    kind: 'customer-code',
    from: shop,
    subject: `Your code for ${shop}`,
    paragraphs: [
      `Type this code to sign in at ${shop}.`,
      `It is valid for ${codeLifeMinutes} minutes. Tell it to no other person: our staff never ask for it.`,
    ],
    code,
    footnote: 'If you did not ask for it, do nothing: without the code no one gets in.',
  };
}

/**
 * Starts a session if the code is the one that was sent last, is not used and has not expired; it is used up then. Null:
 * it is not. Each try counts, also for a contact without a code. Fails with RATE_LIMITED after ten within an hour, of all integrators together.
 */
export async function redeemCustomerCode(
  context: Context,
  keys: MasterKeys,
  origin: Origin,
  claim: Claim,
  code: string,
): Promise<StartedSession | null> {
  const { organizationId, ...of } = claim;
  const digests = (await keys.load(context.randomBytes)).map(({ key }) => codeDigest(key, claim, code));
  return context.database.write(organizationId, async (tx) => {
    const nowMs = context.wallClock.now();
    const [[others], [row]] = await tx.run(
      countCodesOfOthers({ ...of, hourAgo: hourAgo(nowMs) }),
      openCustomerCode({ ...of, at: isoTimestamp(nowMs), hourAgo: hourAgo(nowMs) }),
    );
    assert(row !== undefined, 'the row of a contact is made');
    if (row.tries + others!.tries >= triesPerHour) {
      throw failure(
        'RATE_LIMITED',
        `At most ${triesPerHour} codes are tried for an email or a phone within an hour.`,
      );
    }
    const { code_digest: sent, code_expires_at: expiresAtMs } = row;
    const fits = digests.map((digest) => sent !== null && timingSafeEqual(digest, sent)).includes(true);
    const isRight = fits && expiresAtMs !== null && expiresAtMs > nowMs;
    tx.queue(countCodeTry({ ...of, isRight }));
    if (isRight) {
      if (isPhone(of.contact)) endCodeDeliveries(tx, [row.delivery_id]);
      return startCustomerSession(tx, context, origin, nowMs, claim);
    }
    await announce(tx, context, origin, nowMs, {
      event: 'customer_session.refused',
      subjectType: 'customer_session',
      subjectId: await context.ids.takeOne(),
      payload: { integratorId: of.integratorId },
    });
    return null;
  });
}

/**
 * Deletes the codes of a customer's contacts, also what waits to be sent to a phone. Runs before the profile is blank: it has
 * the contacts.
 */
export async function eraseCustomerCodes(tx: TenantTransaction, customerId: number): Promise<void> {
  const [codes] = await tx.run(deleteCustomerCodes({ id: customerId }));
  endCodeDeliveries(
    tx,
    codes.map(({ delivery_id: deliveryId }) => deliveryId),
  );
}

/** Six digits, each as likely as any other. */
function drawCode({ randomBytes }: Pick<Context, 'randomBytes'>): string {
  for (;;) {
    const drawn = Buffer.from(randomBytes(4)).readUInt32BE();
    // The rest above the largest multiple of a million would favour some codes.
    if (drawn < 4_294_000_000) return String(drawn % 1_000_000).padStart(6, '0');
  }
}

/** What is stored instead of a code. */
export function codeDigest(
  key: Uint8Array,
  { organizationId, integratorId, contact }: Claim,
  code: string,
): Buffer {
  const text = `customer code:${organizationId}:${integratorId}:${contact}:${code}`;
  return createHmac('sha256', key).update(text).digest();
}
