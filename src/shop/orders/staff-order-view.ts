import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { shownReduction } from './edited-order.ts';
import { orderJson } from './order-document.ts';
import { actionsOf } from './order-lifecycle.ts';
import { type StaffOrderRow, selectStaffOrder } from './staff-order-queries.ts';

/** An order as staff see it, as JSON text: the document of the lists, and the fields for staff only. */
export function staffOrderJson(row: StaffOrderRow, beside: Readonly<Record<string, unknown>> = {}): string {
  const theirs = JSON.stringify({
    number: row.number,
    deliveryNotes: row.delivery_notes,
    internalNotes: row.internal_notes,
    idempotencyKey: row.idempotency_key,
    postalCode: row.postal_code,
    needsHistoryCheck: row.is_unproven && ['draft', 'new', 'packed'].includes(row.status),
    discountsTotal: row.discounts_total_cents,
    taxExemptReason: row.tax_exempt_reason,
    priceOverrides: (row.price_overrides ?? []).map(
      ({ productOptionId, unitPriceCents, reason, adminId }) => ({
        ...{ productOptionId, unitPrice: unitPriceCents, reason, adminId },
      }),
    ),
    lineReductions: (row.line_reductions ?? []).map((it) => ({ ...shownReduction(it), adminId: it.adminId })),
    discountAmounts: (row.discount_amounts ?? []).map(({ discountId, reason, ...given }) => ({
      discountId,
      percent: given.type === 'percent' ? given.percent : null,
      amount: given.type === 'flat' ? given.cents : null,
      reason,
    })),
    typedContact: row.typed_contact ?? null,
    packedBy: row.packed_by ?? {},
    canceledBy: row.canceled_by ?? {},
    boughtBy: row.bought_by,
    idCheck:
      row.id_checked_at === null
        ? null
        : { at: isoTimestamp(row.id_checked_at), by: row.id_checked_by ?? {}, how: row.id_check_how },
    lawEdition: row.law_edition,
    exchange: row.exchange,
    allowedActions: actionsOf({
      ...{ status: row.status, type: row.type },
      ...{ isReturnable: row.is_returnable, hasReturns: row.has_returns },
    }),
    ...beside,
  });
  return `${orderJson(row).slice(0, -1)},${theirs.slice(1)}`;
}

/** The reply with the current order. Fails with ORDER_NOT_FOUND. */
export async function shownStaffOrder(
  { database }: Pick<Context, 'database'>,
  organizationId: OrganizationId,
  orderId: string,
  beside?: Readonly<Record<string, unknown>>,
): Promise<string> {
  const [[row]] = await database.read(organizationId, selectStaffOrder({ id: orderId }));
  if (row === undefined) throw failure('ORDER_NOT_FOUND', 'There is no such order.');
  return `{"data":${staffOrderJson(row, beside)}}`;
}
