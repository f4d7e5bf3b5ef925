import { countOfRows } from '../../platform/lists/counted-rows.ts';
import { sortedList } from '../../platform/lists/sorted-list.ts';
import { insertMany, statement } from '../../platform/statements/statement.ts';

/** SQL on sales that registers made alone. */

export interface OfflineSaleRow {
  id: number;
  sale_id: string;
  register_id: number;
  register_name: string;
  number: string;
  order_id: string;
  order_number: number | null;
  sold_at: number;
  received_at: number;
  total_cents: number;
  /** Reason to words; several words of one reason are one text. */
  details: { readonly reason: string; readonly words: string }[];
  seller_staff_id: number | null;
  seller_first_name: string | null;
  seller_last_name: string | null;
  sent_by_staff_id: number;
  sender_first_name: string;
  sender_last_name: string;
  settled_at: number | null;
  settled_by_staff_id: number | null;
  settler_first_name: string | null;
  settler_last_name: string | null;
  note: string | null;
}

/** D14. */
export const offlineSalesPerPage = 50;

const shown = `select s.id, s.sale_id, s.register_id, r.name as register_name, s.number, s.order_id, s.order_number,
          s.sold_at, s.received_at, s.total_cents, s.details, s.settled_at, s.settled_by_staff_id,
          s.seller_staff_id, seller.first_name as seller_first_name, seller.last_name as seller_last_name,
          s.sent_by_staff_id, sender.first_name as sender_first_name, sender.last_name as sender_last_name,
          m.first_name as settler_first_name, m.last_name as settler_last_name, s.note`;
const beside = `join registers r on r.organization_id = :organizationId and r.id = s.register_id
     join staff_members sender on sender.organization_id = :organizationId and sender.id = s.sent_by_staff_id
     left join staff_members seller on seller.organization_id = :organizationId and seller.id = s.seller_staff_id
     left join staff_members m on m.organization_id = :organizationId and m.id = s.settled_by_staff_id`;

export const selectOfflineSale = statement<{ id: number }, OfflineSaleRow>(
  'select_offline_sale',
  `${shown} from offline_sales s ${beside} where s.organization_id = :organizationId and s.id = :id`,
);

/** Newest first; those that wait for review, of a register. */
export const offlineSaleList = sortedList<
  OfflineSaleRow,
  'soldAt' | 'receivedAt' | 'total',
  'review' | 'register'
>({
  name: 'list_offline_sales',
  rows: 'from offline_sales s where s.organization_id = :organizationId',
  ids: ['s.id'],
  sorts: {
    soldAt: { key: 's.sold_at', own: 'descending' },
    receivedAt: { key: 's.received_at', own: 'descending' },
    total: { key: 's.total_cents', own: 'descending' },
  },
  filters: {
    review: `and (s.reasons <> '{}' and s.settled_at is null) = :needsReview`,
    register: 'and s.register_id = :registerId',
  },
  rowsPerPage: offlineSalesPerPage,
  show: (page) => `${shown} from ${page}
     join offline_sales s on s.organization_id = :organizationId and s.id = page.id0
     ${beside}`,
});

const all = 'select from offline_sales s where s.organization_id = :organizationId';
const ofRegister = 'and s.register_id = :registerId';
const inReview = `and (s.reasons <> '{}' and s.settled_at is null) = :needsReview`;
export const countOfflineSales = statement<Record<never, never>, { count: number }>(
  'count_offline_sales',
  countOfRows(all),
);
export const countOfflineSalesOfRegister = statement<{ registerId: number }, { count: number }>(
  'count_offline_sales_of_register',
  countOfRows(`${all} ${ofRegister}`),
);
export const countReviewedOfflineSales = statement<{ needsReview: boolean }, { count: number }>(
  'count_reviewed_offline_sales',
  countOfRows(`${all} ${inReview}`),
);
export const countReviewedOfflineSalesOfRegister = statement<
  { registerId: number; needsReview: boolean },
  { count: number }
>('count_reviewed_offline_sales_of_register', countOfRows(`${all} ${ofRegister} ${inReview}`));

/** One sale is placed by one request: the others wait here, and find its row. */
export const lockOfflineSale = statement<{ saleKey: string }, never>(
  'lock_offline_sale',
  `select pg_advisory_xact_lock(hashtextextended('offline sale ' || :saleKey, :organizationId))`,
);

/** Counts of a register's sales hold until the end of the transaction. Taken after the lock of the sale. */
export const lockOfflineRegister = statement<{ registerId: number }, never>(
  'lock_offline_register',
  `select pg_advisory_xact_lock(hashtextextended('offline sales of register ' || :registerId::bigint, :organizationId))`,
);

/** The sale that was placed before, under the lock. */
export const selectPlacedOfflineSale = statement<{ saleKey: string }, { id: number; digest: Uint8Array }>(
  'select_placed_offline_sale',
  `select id, digest from offline_sales where organization_id = :organizationId and sale_id = :saleKey`,
);

/** What the register's other sales say of this one: those of its outage, and all on the same issue of terms, whatever outage they name. */
export const selectOutage = statement<
  { registerId: number; outageKey: string; number: string; termsIssuedAt: string },
  { total_cents: number; is_number_used: boolean }
>(
  'select_outage',
  `select coalesce((select sum(s.total_cents) from offline_sales s
                     where s.organization_id = :organizationId and s.register_id = :registerId
                       and (s.outage_id = :outageKey or s.terms_issued_at = :termsIssuedAt)), 0)::bigint as total_cents,
          exists (select from offline_sales s
                   where s.organization_id = :organizationId and s.register_id = :registerId
                     and s.number = :number) as is_number_used`,
);

export const insertOfflineSales = insertMany<{
  id: number;
  saleKey: string;
  registerId: number;
  number: string;
  outageKey: string;
  orderId: string;
  orderNumber: number | null;
  soldAt: string;
  receivedAt: string;
  sentByStaffId: number;
  sellerStaffId: number;
  termsIssuedAt: string;
  totalCents: number;
  digest: Uint8Array;
  reasons: readonly string[];
  details: string;
}>('offline_sales', {
  id: 'id',
  saleKey: 'sale_id',
  registerId: 'register_id',
  number: 'number',
  outageKey: 'outage_id',
  orderId: 'order_id',
  orderNumber: 'order_number',
  soldAt: 'sold_at',
  receivedAt: 'received_at',
  sentByStaffId: 'sent_by_staff_id',
  sellerStaffId: 'seller_staff_id',
  termsIssuedAt: 'terms_issued_at',
  totalCents: 'total_cents',
  digest: 'digest',
  reasons: 'reasons',
  details: 'details',
});

/** Two who settle a sale at once: one waits, and finds it settled. */
export const lockOfflineSaleRow = statement<
  { id: number },
  {
    number: string;
    order_id: string;
    reasons: string[];
    settled_at: number | null;
    sent_by_staff_id: number;
    seller_staff_id: number | null;
  }
>(
  'lock_offline_sale_row',
  `select number, order_id, reasons, settled_at, sent_by_staff_id, seller_staff_id from offline_sales
    where organization_id = :organizationId and id = :id for update`,
);

export const settleOfflineSaleRow = statement<
  { id: number; staffId: number; note: string; at: string },
  never
>(
  'settle_offline_sale_row',
  `update offline_sales set settled_at = :at, settled_by_staff_id = :staffId, note = :note
    where organization_id = :organizationId and id = :id`,
);

/** This slice's part in erasing a customer: what staff noted when they settled sales of these orders. */
export const eraseNotesOfOfflineSales = statement<{ orderIds: readonly string[] }, never>(
  'erase_notes_of_offline_sales',
  `update offline_sales set note = 'Erased'
    where organization_id = :organizationId and order_id = any(:orderIds::uuid[]) and note is not null`,
);

/** This slice's part in exporting a customer, oldest first. */
export const selectOfflineSalesForExport = statement<
  { orderIds: readonly string[] },
  { order_id: string; number: string; sold_at: number; received_at: number; note: string | null }
>(
  'select_offline_sales_for_export',
  `select order_id, number, sold_at, received_at, note from offline_sales
    where organization_id = :organizationId and order_id = any(:orderIds::uuid[])
    order by sold_at, id limit 100000`,
);

/** Offline sales that wait for their review. */
export const selectOfflineSalesToReview = statement<
  Record<never, never>,
  { count: number; oldest_at: number | null }
>(
  'select_offline_sales_to_review',
  `select count(*)::integer as count, min(s.sold_at) as oldest_at from offline_sales s
    where s.organization_id = :organizationId and s.reasons <> '{}' and s.settled_at is null`,
);
