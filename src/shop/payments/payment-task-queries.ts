import { insertMany, statement } from '../../platform/statements/statement.ts';

/** All SQL on what people have to do about payments. */

export type TaskKind = 'refund' | 'collect' | 'unknown' | 'dispute' | 'cash-back' | 'settlement';

export const insertTasks = insertMany<{
  id: number;
  kind: TaskKind;
  intentId: number | null;
  orderId: string | null;
  amountCents: number;
  reason: string;
  orderReturnId: number | null;
  /** The account and the provider's reference, where the task is a difference. */
  connectionId: number | null;
  reference: string | null;
  createdAt: string;
}>('payment_tasks', {
  id: 'id',
  kind: 'kind',
  intentId: 'payment_intent_id',
  orderId: 'order_id',
  amountCents: 'amount_cents',
  reason: 'reason',
  orderReturnId: 'order_return_id',
  connectionId: 'payment_connection_id',
  reference: 'reference',
  createdAt: 'created_at',
});

/** What a return has left to people, and what of it has begun to move. */
export const lockTasksOfReturn = statement<
  { orderReturnId: number },
  { id: number; intentId: number; amountCents: number; doneAt: number | null }
>(
  'lock_payment_tasks_of_return',
  `select id, payment_intent_id as "intentId", amount_cents as "amountCents", done_at as "doneAt"
     from payment_tasks where organization_id = :organizationId and order_return_id = :orderReturnId for update`,
);

/** Whether people have to see to it still. */
export const selectOpenTaskOfIntent = statement<{ intentId: number; kind: TaskKind }, { id: number }>(
  'select_open_payment_task_of_intent',
  `select id from payment_tasks
    where organization_id = :organizationId and payment_intent_id = :intentId and kind = :kind and done_at is null
    limit 1`,
);

/** Whether a person has said that it is done. */
export const selectTaskDoneByPerson = statement<{ intentId: number; kind: TaskKind }, { id: number }>(
  'select_payment_task_done_by_person',
  `select id from payment_tasks
    where organization_id = :organizationId and payment_intent_id = :intentId and kind = :kind
      and done_by_staff_id is not null
    limit 1`,
);

export interface TaskRow {
  id: number;
  kind: TaskKind;
  /** Null: a payment that is not ours. */
  intentId: number | null;
  orderId: string | null;
  reference: string | null;
  orderNumber: number | null;
  amountCents: number;
  reason: string;
  createdAt: number;
  doneAt: number | null;
  note: string | null;
}

const taskColumns = `t.id, t.kind, t.payment_intent_id as "intentId", t.order_id as "orderId", t.reference, o.number as "orderNumber",
          t.amount_cents as "amountCents", t.reason, t.created_at as "createdAt", t.done_at as "doneAt", t.note`;
const tasksFrom = `payment_tasks t left join orders o on o.organization_id = t.organization_id and o.id = t.order_id`;

export const selectOpenTasks = statement<{ limit: number }, TaskRow>(
  'select_open_payment_tasks',
  `select ${taskColumns} from ${tasksFrom} where t.organization_id = :organizationId and t.done_at is null
    order by t.id desc limit :limit`,
);

/** How many are open, and since when. */
export const countOpenTasks = statement<Record<never, never>, { count: number; oldest_at: number | null }>(
  'count_open_payment_tasks',
  `select count(*) as count, min(created_at) as oldest_at from payment_tasks
    where organization_id = :organizationId and done_at is null`,
);

export const lockTask = statement<{ id: number }, TaskRow>(
  'lock_payment_task',
  `select ${taskColumns} from ${tasksFrom} where t.organization_id = :organizationId and t.id = :id for update of t`,
);

export const endTask = statement<
  { id: number; staffId: number | null; note: string | null; at: string },
  never
>(
  'end_payment_task',
  `update payment_tasks set done_at = :at, done_by_staff_id = :staffId, note = :note
    where organization_id = :organizationId and id = :id and done_at is null`,
);

/** What the provider has told since, without a person. */
export const endTasksOfIntent = statement<
  { intentId: number; kind: string; note: string; at: string },
  never
>(
  'end_payment_tasks_of_intent',
  `update payment_tasks set done_at = :at, note = :note
    where organization_id = :organizationId and payment_intent_id = :intentId and kind = :kind and done_at is null`,
);

/** The words of staff about a payment. */
export const eraseNotesOfPayments = statement<{ orderIds: readonly string[] }, never>(
  'erase_notes_of_payments',
  `update payment_tasks set note = 'Erased'
    where organization_id = :organizationId and order_id = any(:orderIds::uuid[]) and note is not null`,
);
