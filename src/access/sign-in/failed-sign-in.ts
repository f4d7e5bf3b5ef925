import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import type { RequestLog } from '../../platform/http/endpoint.ts';

interface TriedAccount {
  readonly organization: OrganizationId;
  readonly row: { readonly id: number };
}

/**
 * Records a failed sign-in: in the log at once, and in the audit log of each account tried, with the client address.
 * Neither contains the typed email. The reply does not wait for the audit: its duration would show whether the account
 * exists.
 */
export function recordFailedSignIn(
  context: Context,
  { log, requestId, clientAddress }: { log: RequestLog; requestId: string; clientAddress: string },
  accounts: readonly TriedAccount[],
): void {
  log.warn({ from: clientAddress, staffIds: accounts.map(({ row }) => row.id) }, 'sign-in failed');
  const nowMs = context.clock.now();
  for (const { organization, row } of accounts) {
    const origin = { actor: 'visitor:not-signed-in', requestId } as const;
    context.database
      .write(
        organization,
        (tx) =>
          announce(tx, context, origin, nowMs, {
            event: 'staff.sign_in_failed',
            subjectType: 'staff',
            subjectId: row.id,
            payload: { staffId: row.id },
            details: { staffId: row.id, networkAddress: clientAddress },
          }),
        // Does not invalidate caches: guesses must not make menus be rebuilt.
        { countsAsChange: false },
      )
      .catch((error: unknown) => log.error({ err: error }, 'a failed sign-in could not be audited'));
  }
}
