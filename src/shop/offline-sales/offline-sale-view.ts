import type { Static } from 'typebox';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { type ListCount, totalOf } from '../../kernel/list-count.ts';
import type { SortQuery } from '../../kernel/list-sort.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { SortOf } from '../../platform/lists/sorted-list.ts';
import {
  countOfflineSales,
  countOfflineSalesOfRegister,
  countReviewedOfflineSales,
  countReviewedOfflineSalesOfRegister,
  type OfflineSaleRow,
  offlineSaleList,
  selectOfflineSale,
} from './offline-sale-queries.ts';
import type { StaffOfflineSale } from './offline-sale-schemas.ts';
import { offlineSaleNotFound } from './settle-offline-sale.ts';

type ShownSale = Static<typeof StaffOfflineSale>;

interface SaleQuery extends SortQuery<SortOf<typeof offlineSaleList>> {
  readonly needsReview?: boolean | undefined;
  readonly registerId?: number | undefined;
  readonly startingAfter?: number | undefined;
}

/** A page of offline sales (D14). Fails with INVALID_CURSOR. */
export async function offlineSalePage(
  { database }: Context,
  organization: OrganizationId,
  { needsReview, registerId, startingAfter, ...order }: SaleQuery,
): Promise<{ readonly sales: ShownSale[]; readonly count: ListCount }> {
  const filters = [
    ...(needsReview === undefined ? [] : (['review'] as const)),
    ...(registerId === undefined ? [] : (['register'] as const)),
  ];
  const values = {
    ...(needsReview !== undefined && { needsReview }),
    ...(registerId !== undefined && { registerId }),
  };
  const [[counted], rows, cursor] = await database.read(
    organization,
    countOf(needsReview, registerId),
    offlineSaleList.page({ ...order, startingAfter }, values, filters),
    startingAfter === undefined ? null : selectOfflineSale({ id: startingAfter }),
  );
  if (startingAfter !== undefined && cursor.length === 0) {
    throw failure('INVALID_CURSOR', 'startingAfter must be the id of an offline sale.');
  }
  return { sales: rows.map(shownSale), count: totalOf(counted!.count) };
}

function countOf(needsReview: boolean | undefined, registerId: number | undefined) {
  if (needsReview === undefined) {
    return registerId === undefined ? countOfflineSales({}) : countOfflineSalesOfRegister({ registerId });
  }
  return registerId === undefined
    ? countReviewedOfflineSales({ needsReview })
    : countReviewedOfflineSalesOfRegister({ registerId, needsReview });
}

/** One offline sale. Fails with OFFLINE_SALE_NOT_FOUND. */
export async function shownOfflineSaleById(
  { database }: Context,
  organization: OrganizationId,
  id: number,
): Promise<ShownSale> {
  const [[row]] = await database.read(organization, selectOfflineSale({ id }));
  if (row === undefined) throw offlineSaleNotFound();
  return shownSale(row);
}

function shownSale(row: OfflineSaleRow): ShownSale {
  return {
    id: row.id,
    saleKey: row.sale_id,
    registerId: row.register_id,
    registerName: row.register_name,
    number: row.number,
    orderId: row.order_id,
    orderNumber: row.order_number,
    soldAt: isoTimestamp(row.sold_at),
    receivedAt: isoTimestamp(row.received_at),
    soldBy:
      row.seller_staff_id === null
        ? null
        : {
            staffId: row.seller_staff_id,
            firstName: row.seller_first_name ?? '',
            lastName: row.seller_last_name ?? '',
          },
    sentBy: {
      staffId: row.sent_by_staff_id,
      firstName: row.sender_first_name,
      lastName: row.sender_last_name,
    },
    total: row.total_cents,
    doubts: row.details as ShownSale['doubts'],
    needsReview: row.details.length > 0 && row.settled_at === null,
    settledAt: row.settled_at === null ? null : isoTimestamp(row.settled_at),
    settledBy:
      row.settled_by_staff_id === null
        ? null
        : {
            staffId: row.settled_by_staff_id,
            firstName: row.settler_first_name ?? '',
            lastName: row.settler_last_name ?? '',
          },
    note: row.note,
  };
}
