import { canonicalDecimalText } from '../../kernel/decimal.ts';
import type { EventType } from '../../kernel/event-catalogue.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { refuseStaleEdit } from '../../platform/database/stale-edit.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import {
  insertPaymentTypes,
  lockPaymentType,
  type PaymentTypeSettingsRow,
  updatePaymentType,
} from './payment-type-queries.ts';

/** The fields of a payment type. */
export interface PaymentTypeSettings {
  readonly name: string;
  readonly feeCents: number;
  readonly feeDescription: string | null;
  /** Percent as decimal text. */
  readonly feePercent: string;
  readonly method: 'cash' | 'debit' | 'other' | 'processor';
  readonly availableDelivery: boolean;
}

export interface SavedPaymentType extends PaymentTypeSettings {
  readonly id: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly archivedAtMs: number | null;
}

export interface PaymentTypeChanges extends Partial<PaymentTypeSettings> {
  readonly isArchived?: boolean;
}

/** Maps a row to a payment type. */
export function savedPaymentType(row: PaymentTypeSettingsRow): SavedPaymentType {
  return {
    id: row.id,
    name: row.name,
    feeCents: row.fee_cents,
    feeDescription: row.fee_description,
    feePercent: canonicalDecimalText(row.fee_percent),
    method: row.method,
    availableDelivery: row.available_delivery,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at ?? row.created_at,
    archivedAtMs: row.archived_at,
  };
}

/** The audit's values of a payment type, with the API's field names. */
function toldPaymentType(type: PaymentTypeSettings) {
  const { name, feeCents: fee, feeDescription, feePercent, method, availableDelivery } = type;
  return { name, fee, feeDescription, feePercent, method, availableDelivery };
}

/** Creates a payment type. */
export async function createPaymentType(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  settings: PaymentTypeSettings,
): Promise<SavedPaymentType> {
  const id = await context.ids.takeOne();
  const nowMs = context.clock.now();
  await context.database.write(organization, async (tx) => {
    tx.queue(...insertPaymentTypes([{ ...settings, id, createdAt: isoTimestamp(nowMs) }]));
    await announce(tx, context, origin, nowMs, {
      event: 'payment_type.created',
      subjectType: 'payment_type',
      subjectId: id,
      payload: { paymentTypeId: id },
      details: { paymentTypeId: id, ...toldPaymentType(settings) },
    });
  });
  return { ...settings, id, createdAtMs: nowMs, updatedAtMs: nowMs, archivedAtMs: null };
}

/**
 * Changes the given fields of a payment type, archives or restores it; unchanged values write nothing. Orders keep
 * their fees. Fails with PAYMENT_TYPE_NOT_FOUND.
 */
export async function changePaymentType(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  paymentTypeId: number,
  { isArchived, ...changes }: PaymentTypeChanges,
): Promise<SavedPaymentType> {
  return context.database.write(organization, async (tx) => {
    const [[row]] = await tx.run(lockPaymentType({ id: paymentTypeId }));
    if (row === undefined) throw failure('PAYMENT_TYPE_NOT_FOUND', 'There is no such payment type.');
    const nowMs = context.clock.now();
    const former = savedPaymentType(row);
    refuseStaleEdit(origin, former.updatedAtMs);
    const wasArchived = former.archivedAtMs !== null;
    const told = changesOf(toldPaymentType(former), toldPaymentType({ ...former, ...changes }));
    const turns = isArchived !== undefined && isArchived !== wasArchived;
    if (told === null && !turns) return former;
    const type: SavedPaymentType = {
      ...former,
      ...changes,
      updatedAtMs: nowMs,
      archivedAtMs: turns ? (isArchived ? nowMs : null) : former.archivedAtMs,
    };
    tx.queue(
      updatePaymentType({
        id: type.id,
        name: type.name,
        feeCents: type.feeCents,
        feeDescription: type.feeDescription,
        feePercent: type.feePercent,
        method: type.method,
        availableDelivery: type.availableDelivery,
        archivedAt: type.archivedAtMs === null ? null : isoTimestamp(type.archivedAtMs),
        at: isoTimestamp(nowMs),
      }),
    );
    const event: EventType = turns
      ? isArchived
        ? 'payment_type.archived'
        : 'payment_type.restored'
      : 'payment_type.updated';
    await announce(tx, context, origin, nowMs, {
      event,
      subjectType: 'payment_type',
      subjectId: paymentTypeId,
      payload: { paymentTypeId },
      details: { paymentTypeId, name: type.name, ...told },
    });
    return type;
  });
}
