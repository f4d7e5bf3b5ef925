import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import {
  closeSessionRow,
  countHandMovements,
  handMovementsMax,
  holdSession,
  insertCounts,
  insertMovements,
  insertSessions,
  lockSession,
  oneOpenSession,
  type SessionRow,
  selectDrawerSums,
  selectOpenSession,
  selectPaymentMethods,
} from './drawer-queries.ts';
import { lockRegister, registers } from './register-setting.ts';

/** The staff member who handles the drawer. */
interface DrawerStaff {
  readonly staffId: number;
  readonly role: StaffRole;
}

/** Managers and owners see what a drawer should hold, pay out, and close the drawers of others. */
export function managesDrawers({ role }: Pick<DrawerStaff, 'role'>): boolean {
  return role === 'owner' || role === 'manager';
}

/** Opens the drawer of a register with this cash in it (D74). Fails with DRAWER_IS_OPEN if it is open: one wins a race. */
export async function openDrawer(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  registerId: number,
  { floatCents, staffId }: { readonly floatCents: number; readonly staffId: number },
): Promise<number> {
  return context.database.write(
    organization,
    async (tx) => {
      const [[register], [open]] = await tx.run(
        lockRegister({ id: registerId }),
        selectOpenSession({ registerId }),
      );
      if (register === undefined || register.archivedAt !== null) throw registers.writes.notFound();
      if (open !== undefined)
        throw failure('DRAWER_IS_OPEN', `The drawer of ${register.name} is already open.`);
      const nowMs = context.clock.now();
      const [id, movementId] = await context.ids.take(2);
      assert(id !== undefined && movementId !== undefined, 'ids were taken');
      const at = isoTimestamp(nowMs);
      tx.queue(
        ...insertSessions([{ id, registerId, floatCents, openedAt: at, openedByStaffId: staffId }]),
        ...cashByHand({
          id: movementId,
          registerId,
          sessionId: id,
          kind: 'float',
          amountCents: floatCents,
          reason: null,
          staffId,
          at,
        }),
      );
      await announce(tx, context, origin, nowMs, {
        event: 'drawer_session.opened',
        subjectType: 'drawer_session',
        subjectId: id,
        payload: { drawerSessionId: id, registerId },
        details: { drawerSessionId: id, registerId, float: floatCents },
      });
      return id;
    },
    { retryOnConstraints: [oneOpenSession] },
  );
}

interface CashByHand {
  readonly kind: 'paid-in' | 'paid-out' | 'drop';
  /** Positive, whichever way the money goes. */
  readonly amountCents: number;
  readonly reason: string;
}

/**
 * Pays cash into or out of an open drawer, or drops it into the safe. A budtender cannot pay out. What the drawer holds is not
 * compared: a refusal would tell the amount that the count must not know.
 */
export async function moveCash(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  sessionId: number,
  { kind, amountCents, reason }: CashByHand,
  staff: DrawerStaff,
): Promise<void> {
  if (kind === 'paid-out' && !managesDrawers(staff)) {
    throw failure('INSUFFICIENT_PERMISSIONS', 'Only owners and managers pay out of a drawer.');
  }
  await context.database.write(organization, async (tx) => {
    const [[session], [counted]] = await tx.run(
      holdSession({ id: sessionId }),
      countHandMovements({ sessionId }),
    );
    assertOpen(session);
    if (counted!.movements >= handMovementsMax) {
      throw failure(
        'INVALID_PARAMS',
        `A drawer session takes at most ${handMovementsMax} movements by hand.`,
      );
    }
    const nowMs = context.clock.now();
    const id = await context.ids.takeOne();
    const { register_id: registerId } = session;
    tx.queue(
      ...cashByHand({
        id,
        registerId,
        sessionId,
        kind,
        amountCents: kind === 'paid-in' ? amountCents : -amountCents,
        reason,
        staffId: staff.staffId,
        at: isoTimestamp(nowMs),
      }),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'drawer_session.cash_moved',
      subjectType: 'drawer_session',
      subjectId: sessionId,
      payload: { drawerSessionId: sessionId, registerId, kind },
      details: { drawerSessionId: sessionId, kind, amount: amountCents, reason },
    });
  });
}

interface DrawerCount {
  /** Null: the cash. */
  readonly paymentTypeId: number | null;
  readonly countedCents: number;
}

/**
 * Closes a drawer with a count (D74). Waits for payments that are being recorded; later ones do not belong to the session. What
 * is expected is computed here, after the count came: the one who counts cannot know it. What was not counted counts as 0.
 */
export async function closeDrawer(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  sessionId: number,
  { counts, note }: { readonly counts: readonly DrawerCount[]; readonly note: string | null },
  staff: DrawerStaff,
): Promise<void> {
  await context.database.write(organization, async (tx) => {
    const [[session]] = await tx.run(lockSession({ id: sessionId }));
    assertOpen(session);
    if (session.opened_by_staff_id !== staff.staffId && !managesDrawers(staff)) {
      throw failure(
        'INSUFFICIENT_PERMISSIONS',
        'Only owners and managers close a drawer that another person opened.',
      );
    }
    const lines = await countedLines(tx, sessionId, counts);
    const nowMs = context.clock.now();
    tx.queue(
      closeSessionRow({ id: sessionId, staffId: staff.staffId, note, at: isoTimestamp(nowMs) }),
      ...insertCounts(lines.map((line, position) => ({ ...line, sessionId, position }))),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'drawer_session.closed',
      subjectType: 'drawer_session',
      subjectId: sessionId,
      payload: { drawerSessionId: sessionId, registerId: session.register_id },
      details: {
        drawerSessionId: sessionId,
        counts: lines.map(({ paymentTypeId, expectedCents, countedCents }) => ({
          paymentTypeId,
          expected: expectedCents,
          counted: countedCents,
        })),
      },
    });
  });
}

/** Expected and counted by payment type, cash first. The session is locked: its sums are final. */
async function countedLines(tx: TenantTransaction, sessionId: number, counts: readonly DrawerCount[]) {
  const typeIds = counts.flatMap(({ paymentTypeId }) => (paymentTypeId === null ? [] : [paymentTypeId]));
  const [sums, types] = await tx.run(
    selectDrawerSums({ sessionIds: [sessionId] }),
    selectPaymentMethods({ ids: typeIds }),
  );
  for (const [index, { paymentTypeId }] of counts.entries()) {
    if (paymentTypeId === null) continue;
    const type = types.find(({ id }) => id === paymentTypeId);
    if (type === undefined) throw failure('PAYMENT_TYPE_NOT_FOUND', 'There is no such payment type.');
    if (type.method === 'cash') {
      throw failure('INVALID_PARAMS', `counts[${index}].paymentTypeId must be null for cash.`);
    }
  }
  const expected = new Map(sums.map((sum) => [sum.payment_type_id, sum.expected_cents]));
  const counted = new Map(counts.map((count) => [count.paymentTypeId, count.countedCents]));
  const keys = [...new Set([...expected.keys(), ...counted.keys()])];
  const lines = keys.map((paymentTypeId) => ({
    paymentTypeId,
    expectedCents: expected.get(paymentTypeId) ?? 0,
    countedCents: counted.get(paymentTypeId) ?? 0,
  }));
  // A type that was neither used nor found says nothing.
  return lines.filter(
    ({ paymentTypeId, expectedCents, countedCents }) =>
      paymentTypeId === null || expected.has(paymentTypeId) || expectedCents !== countedCents,
  );
}

function assertOpen(session: SessionRow | undefined): asserts session is SessionRow {
  if (session === undefined) throw sessionNotFound();
  if (session.closed_at !== null) throw failure('DRAWER_SESSION_CLOSED', 'This drawer session is closed.');
}

/** The error for a session that does not exist or belongs to another organization. */
export function sessionNotFound() {
  return failure('DRAWER_SESSION_NOT_FOUND', 'There is no such drawer session.');
}

function cashByHand(moved: {
  readonly id: number;
  readonly registerId: number;
  readonly sessionId: number;
  readonly kind: 'float' | CashByHand['kind'];
  readonly amountCents: number;
  readonly reason: string | null;
  readonly staffId: number;
  readonly at: string;
}) {
  const { at, ...row } = moved;
  return insertMovements([
    { ...row, paymentTypeId: null, isCash: true, orderId: null, orderReturnId: null, createdAt: at },
  ]);
}
