import type { ReportState } from '../../engines/state-reports/report-lifecycle.ts';
import { insertMany, statement, type TextArray } from '../../platform/statements/statement.ts';

/** SQL on reports to the state, their steps, and the receipts that were read in. */

/** Reports of a sale as a receipt. */
const receiptKinds = ['sale', 'correction', 'void'] as const;
/** Reports of a trip of a vehicle. */
export const tripKinds = ['trip', 'departure', 'restock', 'delivery', 'trip-end', 'trip-void'] as const;
export type TripKind = (typeof tripKinds)[number];
export const reportKinds = [...receiptKinds, 'adjustment', 'finish', ...tripKinds] as const;
export type ReportKind = (typeof reportKinds)[number];

/** Whether a report tells of a sale as a receipt. */
export const isReceipt = ({ kind }: { readonly kind: ReportKind }): boolean =>
  (receiptKinds as readonly ReportKind[]).includes(kind);
/** Whether a report tells of a trip of a vehicle. */
export const isOfTrip = ({ kind }: { readonly kind: ReportKind }): boolean => isTripKind(kind);
/** The same of a kind. */
export const isTripKind = (kind: ReportKind): kind is TripKind =>
  (tripKinds as readonly ReportKind[]).includes(kind);

const asReceipt = `kind in ('sale', 'correction', 'void')`;

export interface ReportRow {
  id: number;
  connection_id: number;
  kind: ReportKind;
  order_id: string | null;
  order_number: number | null;
  trip_id: number | null;
  package_id: number | null;
  revision: number;
  external_number: string;
  payload: string;
  packages: readonly string[];
  state: ReportState;
  attempts: number;
  next_at: number;
  sent_at: number | null;
  state_record_id: number | null;
  problem: string | null;
  occurred_at: number;
  due_at: number | null;
  alarm_at: number;
  settled_at: number | null;
  settled_by_staff_id: number | null;
  created_at: number;
  updated_at: number;
}

const columns = `id, connection_id, kind, order_id, order_number, trip_id, package_id, revision, external_number, payload, packages, state,
          attempts, next_at, sent_at, state_record_id, problem, occurred_at, due_at, alarm_at, settled_at, settled_by_staff_id,
          created_at, updated_at`;

/** A receipt as it was read of the state. */
export interface ReceiptRow {
  state_record_id: number;
  external_number: string | null;
  sold_at: string | null;
  is_void: boolean;
  is_final: boolean;
  total_cents: number | null;
  lines:
    | readonly { readonly label: string; readonly quantity: string; readonly amountCents: number }[]
    | null;
  last_modified: number | null;
  read_at: number;
}

const receiptColumns = `state_record_id, external_number, sold_at, is_void, is_final, total_cents, lines, last_modified, read_at`;

export const insertReports = statement<{
  id: number;
  connectionId: number;
  kind: ReportKind;
  orderId: string | null;
  orderNumber: number | null;
  tripId: number | null;
  packageId: number | null;
  revision: number;
  externalNumber: string;
  payload: string;
  digest: string;
  packages: TextArray;
  state: ReportState;
  problem: string | null;
  occurredAt: string;
  dueAt: string | null;
  alarmAt: string;
  at: string;
}>(
  'insert_state_reports',
  `insert into state_reports (organization_id, id, connection_id, kind, order_id, order_number, trip_id, package_id, revision,
          external_number, payload, digest, packages, state, problem, next_at, occurred_at, due_at, alarm_at, created_at, updated_at)
   values (:organizationId, :id, :connectionId, :kind, :orderId, :orderNumber, :tripId, :packageId, :revision, :externalNumber, :payload,
          :digest, :packages::text[], :state, :problem, :at, :occurredAt, :dueAt, :alarmAt, :at, :at)`,
);

export const insertSteps = insertMany<{
  reportId: number;
  id: number;
  state: string;
  words: string;
  createdAt: string;
}>('state_report_steps', {
  reportId: 'report_id',
  id: 'id',
  state: 'state',
  words: 'words',
  createdAt: 'created_at',
});

export interface StepRow {
  id: number;
  state: string;
  words: string;
  created_at: number;
}

/** The life of a report, oldest first. */
export const selectSteps = statement<{ reportId: number }, StepRow>(
  'select_state_report_steps',
  `select id, state, words, created_at from state_report_steps
    where organization_id = :organizationId and report_id = :reportId order by id limit 1000`,
);

/** Every report of an order, oldest first. */
export const selectReportsOfOrder = statement<{ orderId: string }, ReportRow>(
  'select_state_reports_of_order',
  `select ${columns} from state_reports
    where organization_id = :organizationId and order_id = :orderId order by revision, id`,
);

export const selectReport = statement<{ id: number }, ReportRow>(
  'select_state_report',
  `select ${columns} from state_reports where organization_id = :organizationId and id = :id`,
);

/** All reports of a trip, as they were written. */
export const selectReportsOfTrips = statement<{ tripIds: readonly number[] }, ReportRow>(
  'select_state_reports_of_trips',
  `select ${columns} from state_reports
    where organization_id = :organizationId and trip_id = any(:tripIds::bigint[]) order by trip_id, id`,
);

/** Packages in vehicles that a license has told the state of, and of which it has not been told yet what became of them. */
export const selectCarriedAtState = statement<{ connectionId: number }, { label: string }>(
  'select_packages_carried_at_state',
  `select distinct unnest(t.packages) as label from state_reports t
    where t.organization_id = :organizationId and t.connection_id = :connectionId and t.kind in ('trip', 'restock')
      and t.state not in ('waiting', 'refused', 'superseded')
      and not exists (select from state_reports e
                       where e.organization_id = :organizationId and e.connection_id = :connectionId
                         and e.trip_id = t.trip_id and e.id > t.id and e.order_id is not distinct from t.order_id
                         and e.kind in ('delivery', 'trip-end', 'trip-void') and e.state in ('accepted', 'done-by-hand'))`,
);

/** All reports of the subject of a report, oldest first, locked until the commit. */
export const lockReportsLike = statement<{ id: number }, ReportRow>(
  'lock_state_reports_like',
  `select ${columns} from state_reports
    where organization_id = :organizationId
      and (id = :id or (${asReceipt} and (connection_id, order_id) in (
        select connection_id, order_id from state_reports where organization_id = :organizationId and id = :id and ${asReceipt})))
    order by revision, id for no key update`,
);

/** Holds the order of a report, as what changes the order and tells the state of it does. */
export const lockOrderOfReport = statement<{ id: number }, { id: string }>(
  'lock_order_of_state_report',
  `select id from orders
    where organization_id = :organizationId
      and id = (select order_id from state_reports where organization_id = :organizationId and id = :id)
    for no key update`,
);

/** A report with what was read of its receipt; `read_at`: null: nothing was; `is_last`: no later one is of its sale. */
export type AcceptedRow = Pick<
  ReportRow,
  | 'id'
  | 'connection_id'
  | 'order_id'
  | 'order_number'
  | 'kind'
  | 'external_number'
  | 'payload'
  | 'state_record_id'
  | 'occurred_at'
  | 'settled_at'
> & { is_void: boolean | null; lines: ReceiptRow['lines']; read_at: number | null; is_last: boolean };

/**
 * Reports of orders that the state is known to have, a part of them, with what was read of the receipt. Each part is a range of the primary
 * key; what belongs to its rows is looked up one by one, because a year of them is too much for any other plan.
 */
export const selectAcceptedWithReceipt = statement<{ after: number; limit: number }, AcceptedRow>(
  'select_accepted_state_reports_with_receipt',
  `select p.id, p.connection_id, p.order_id, p.order_number, p.kind, p.external_number, p.payload, p.state_record_id, p.occurred_at,
          p.settled_at, r.is_void, r.lines, r.read_at,
          not exists (select from state_reports q
                       where q.organization_id = :organizationId and q.order_id = p.order_id and q.${asReceipt}
                         and q.connection_id = p.connection_id and q.revision > p.revision) as is_last
     from (select * from state_reports
            where organization_id = :organizationId and state = 'accepted' and ${asReceipt} and order_id is not null and id > :after
            order by id limit :limit) as p
     left join lateral (select x.is_void, x.lines, x.read_at from state_receipts x
                         where x.organization_id = :organizationId and x.connection_id = p.connection_id
                           and x.state_record_id = p.state_record_id limit 1) as r on true
    order by p.id`,
);

/**
 * Live receipts of the state that no report of ours has made, oldest first, of what was sold since the license is connected. What stands
 * under the number of a report that was given up for a later one is none of ours either; nor is a double of one that we know, as long as
 * the state does not void it.
 */
export const selectForeignReceipts = statement<{ limit: number }, ReceiptRow & { connection_id: number }>(
  'select_foreign_state_receipts',
  `select r.connection_id, ${receiptColumns} from state_receipts r
    where r.organization_id = :organizationId and not r.is_void
      and (r.sold_at is null
        or r.sold_at >= (select to_char(c.created_at at time zone z.tz, 'YYYY-MM-DD"T"HH24:MI:SS')
                           from state_connections c join organizations z on z.id = c.organization_id
                          where c.organization_id = :organizationId and c.id = r.connection_id))
      and not (exists (select from state_reports p
                        where p.organization_id = :organizationId and p.connection_id = r.connection_id
                          and p.external_number = r.external_number and p.state <> 'superseded'
                          and (p.state <> 'accepted' or p.state_record_id is null))
            or exists (select from state_reports p
                        where p.organization_id = :organizationId and p.connection_id = r.connection_id and p.${asReceipt}
                          and p.state_record_id = r.state_record_id))
    order by r.connection_id, r.state_record_id limit :limit`,
);

/**
 * Some of the reports that are open, oldest first: those that are held back are loaded, too, because they hold back others. Refused
 * ones come as well, however many there are: \`limit\` counts the others.
 */
export const selectOpenReports = statement<{ connectionId: number; limit: number }, ReportRow>(
  'select_open_state_reports',
  `select ${columns} from (
     (select * from state_reports
       where organization_id = :organizationId and connection_id = :connectionId
         and state in ('waiting', 'sending', 'unknown')
       order by occurred_at, id limit :limit)
     union all
     (select * from state_reports
       where organization_id = :organizationId and connection_id = :connectionId and state = 'refused'
       order by occurred_at, id limit 5000)) as r
    order by occurred_at, id`,
);

/** What holds back reports that wait: of each the first one before it about the same order or package, a refused one first. */
export const selectWhatHoldsBack = statement<{ ids: readonly number[] }, { id: number; number: string }>(
  'select_what_holds_back_state_reports',
  `select distinct on (r.id) r.id, before.external_number as number
     from state_reports r
     join state_reports before on before.organization_id = :organizationId and before.connection_id = r.connection_id
      and before.state in ('waiting', 'sending', 'unknown', 'refused')
      and (before.occurred_at, before.id) < (r.occurred_at, r.id)
      and (before.order_id = r.order_id or before.trip_id = r.trip_id
        or before.packages && r.packages and before.kind not in ('departure', 'delivery')
           and not (before.kind = 'finish' and before.state in ('waiting', 'refused'))
           and r.kind not in ('departure', 'restock', 'delivery', 'trip-end', 'trip-void'))
    where r.organization_id = :organizationId and r.id = any(:ids::bigint[])
    order by r.id, before.state <> 'refused', before.occurred_at, before.id`,
);

/** A turn of a report, as a row. Times are ISO texts; of what is null, `sent_at` and `record_id` stay as they are. */
export interface TurnRow {
  readonly id: number;
  readonly from: ReportState;
  readonly to: ReportState;
  readonly attempts: number;
  readonly next_at: string;
  readonly sent_at: string | null;
  readonly record_id: number | null;
  readonly problem: string | null;
  readonly settled_at: string | null;
  readonly staff_id: number | null;
}

/** Turns of reports; nothing happens to one that is in another state by now. Answers the others. */
export const setReportStates = statement<{ rows: string; at: string }, { id: number }>(
  'set_states_of_state_reports',
  `update state_reports r
      set state = t."to", attempts = t.attempts, next_at = t.next_at, sent_at = coalesce(t.sent_at, r.sent_at),
          state_record_id = coalesce(t.record_id, r.state_record_id), problem = t.problem, settled_at = t.settled_at,
          settled_by_staff_id = t.staff_id, updated_at = :at::timestamptz
     from jsonb_to_recordset(:rows::jsonb) as t(id bigint, "from" text, "to" text, attempts integer, next_at timestamptz,
            sent_at timestamptz, record_id bigint, problem text, settled_at timestamptz, staff_id bigint)
    where r.organization_id = :organizationId and r.id = t.id and r.state = t."from"
   returning r.id`,
);

/** `modified`: `last_modified` as ISO text with microseconds. */
export const selectReceiptsOfNumbers = statement<
  { connectionId: number; numbers: TextArray },
  Pick<ReceiptRow, 'state_record_id' | 'lines'> & { modified: string | null }
>(
  'select_state_receipts_of_numbers',
  `select state_record_id, lines, to_char(last_modified at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as modified
     from state_receipts
    where organization_id = :organizationId and connection_id = :connectionId
      and external_number = any(:numbers::text[]) order by state_record_id`,
);

export type LiveReceiptRow = Pick<ReceiptRow, 'state_record_id' | 'external_number' | 'sold_at'> & {
  order_id: string;
};

/** The live receipts that were read under any number of some orders. */
export const selectLiveReceiptsOfOrders = statement<
  { connectionId: number; orderIds: readonly string[] },
  LiveReceiptRow
>(
  'select_live_state_receipts_of_orders',
  `select p.order_id, r.state_record_id, r.external_number, r.sold_at
     from state_reports p
     join state_receipts r on r.organization_id = :organizationId and r.connection_id = p.connection_id
                          and r.external_number = p.external_number
    where p.organization_id = :organizationId and p.order_id = any(:orderIds::uuid[]) and p.connection_id = :connectionId and not r.is_void
    order by r.state_record_id`,
);

/** Adjustments that wait, oldest first. */
export const selectWaitingAdjustments = statement<{ connectionId: number; limit: number }, ReportRow>(
  'select_waiting_state_adjustments',
  `select ${columns} from state_reports
    where organization_id = :organizationId and connection_id = :connectionId and state = 'waiting' and kind = 'adjustment'
    order by occurred_at, id limit :limit`,
);

/** What was read of receipts; of one row that was read with its lines, these stay until it changes. */
export const keepReceipts = statement<{ connectionId: number; rows: string; at: string }>(
  'keep_state_receipts',
  `insert into state_receipts (organization_id, connection_id, state_record_id, external_number, sold_at, is_void, is_final,
          total_cents, lines, last_modified, read_at)
   select :organizationId::bigint, :connectionId::bigint, r.id, r.number, r.sold_at, r.is_void, r.is_final, r.total_cents, r.lines,
          r.modified, :at::timestamptz
     from jsonb_to_recordset(:rows::jsonb) as r(id bigint, number text, sold_at text, is_void boolean, is_final boolean,
            total_cents bigint, lines jsonb, modified timestamptz)
    order by r.id
   on conflict (organization_id, connection_id, state_record_id) do update
      set external_number = excluded.external_number, sold_at = excluded.sold_at, is_void = excluded.is_void,
          is_final = excluded.is_final, total_cents = excluded.total_cents, last_modified = excluded.last_modified,
          read_at = excluded.read_at,
          lines = coalesce(excluded.lines,
            case when state_receipts.last_modified is not distinct from excluded.last_modified then state_receipts.lines end)
    where state_receipts.last_modified is distinct from excluded.last_modified or state_receipts.is_void <> excluded.is_void
       or state_receipts.is_final <> excluded.is_final or (state_receipts.lines is null and excluded.lines is not null)
       or excluded.last_modified is null`,
);

/**
 * Live receipts of the state with one of our numbers that stand beside the one which we know, of the same moment: the state carried out a
 * call twice. A sale of another moment is another one: a former service of the shop can have given the same number.
 */
export const selectSurplusReceipts = statement<
  { connectionId: number; limit: number },
  { state_record_id: number; external_number: string; report_id: number }
>(
  'select_surplus_state_receipts',
  `select x.state_record_id, x.external_number, p.id as report_id
     from state_receipts x
     join state_reports p on p.organization_id = x.organization_id and p.connection_id = x.connection_id
                         and p.external_number = x.external_number
     join state_receipts k on k.organization_id = x.organization_id and k.connection_id = x.connection_id
                          and k.state_record_id = p.state_record_id and k.sold_at = x.sold_at
    where x.organization_id = :organizationId and x.connection_id = :connectionId and not x.is_void
      and p.state = 'accepted' and p.state_record_id <> x.state_record_id
      and (not k.is_void
        or exists (select from state_reports v
                    where v.organization_id = x.organization_id and v.order_id = p.order_id and v.connection_id = x.connection_id
                      and v.kind = 'void' and v.state = 'accepted' and v.revision > p.revision))
    order by x.state_record_id limit :limit`,
);

/** What was read of some receipts. */
export const selectReceiptsOfRecords = statement<
  { connectionId: number; recordIds: readonly number[] },
  ReceiptRow
>(
  'select_state_receipts_of_records',
  `select ${receiptColumns} from state_receipts
    where organization_id = :organizationId and connection_id = :connectionId and state_record_id = any(:recordIds)`,
);

/** Reports that are open, or were settled since then. */
export const selectStockReports = statement<{ connectionId: number; since: string }, ReportRow>(
  'select_state_reports_of_stock',
  `select ${columns} from state_reports
    where organization_id = :organizationId and connection_id = :connectionId
      and state in ('waiting', 'sending', 'unknown', 'refused')
   union all
   select ${columns} from state_reports
    where organization_id = :organizationId and connection_id = :connectionId and settled_at >= :since
    order by id`,
);

/** Every report of some orders by a connection, oldest first. */
export const selectReportsOfOrders = statement<
  { connectionId: number; orderIds: readonly string[] },
  ReportRow
>(
  'select_state_reports_of_orders',
  `select ${columns} from state_reports
    where organization_id = :organizationId and order_id = any(:orderIds::uuid[]) and connection_id = :connectionId and ${asReceipt}
    order by order_id, revision, id`,
);

/** What was read of one receipt. */
export const selectReceiptOfRecord = statement<{ connectionId: number; recordId: number }, ReceiptRow>(
  'select_state_receipt_of_record',
  `select ${receiptColumns} from state_receipts
    where organization_id = :organizationId and connection_id = :connectionId and state_record_id = :recordId`,
);
