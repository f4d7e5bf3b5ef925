import type { ModelOrder } from './order-model.ts';
import type { PaymentType } from './simulated-shop.ts';

/** What a provider has done with a payment of which the shop does not know yet. */
export type Fate =
  | { readonly kind: 'taken'; readonly cents: number; readonly tipCents: number }
  /** Nothing was taken, and a terminal can prove it. */
  | { readonly kind: 'none' }
  /** A link that its customer has not used. */
  | { readonly kind: 'waits' }
  /** The terminal's batch has closed over it: no read tells any more. */
  | { readonly kind: 'lost' };

export interface ModelPayment {
  readonly id: number;
  readonly order: ModelOrder;
  readonly type: PaymentType;
  readonly reference: string;
  readonly amountCents: number;
  readonly feeCents: number;
  readonly createdAtMs: number;
  /** The end of a link that an integrator asked for: unpaid until then, its order is canceled. */
  readonly expiresAtMs: number | null;
  state: 'open' | 'paid' | 'ended' | 'returned';
  fate: Fate;
  /** Its provider gave no answer; otherwise it is being sent, or waits for its customer. */
  isSilent: boolean;
  /** Whether the batch in which it was asked for was known then. */
  readonly isInKnownBatch: boolean;
  /** Looks in a row by which a terminal proves that it does not have it: two are enough. */
  absentCount: number;
  /** A person, or a change of the order, wants it ended. */
  isAskedToEnd: boolean;
  capturedCents: number;
  tipCents: number;
  /** What its order counts. */
  appliedCents: number;
  /** What goes back by the provider. */
  refundedCents: number;
  /** What the bank took back. */
  returnedCents: number;
  /** What people gave back in cash. */
  byHandCents: number;
}

/** Something that people have to do. */
export interface ModelTask {
  readonly payment: ModelPayment;
  readonly kind: 'refund' | 'collect';
  readonly amountCents: number;
  readonly returnId: number | null;
  isDone: boolean;
}

/**
 * Money at providers, predicted by adding and subtracting: what is captured is counted by its order, went back, was taken back by
 * the bank, or has a task.
 */
export class MoneyModel {
  readonly payments: ModelPayment[] = [];
  readonly tasks: ModelTask[] = [];
  /** Returns whose money has begun to move. */
  readonly movedReturns = new Set<number>();
  /** Whether a payment of the terminal's open batch is known, by which it proves that another was not made. */
  canProve = false;

  ofOrder(order: ModelOrder): ModelPayment[] {
    return this.payments.filter((it) => it.order === order);
  }

  openOf(order: ModelOrder): ModelPayment | undefined {
    return this.ofOrder(order).find(({ state }) => state === 'open');
  }

  get open(): ModelPayment[] {
    return this.payments.filter(({ state }) => state === 'open');
  }

  openTasks(payment: ModelPayment, kind: ModelTask['kind']): ModelTask[] {
    return this.tasks.filter((it) => it.payment === payment && it.kind === kind && !it.isDone);
  }

  /** What is still to pay for the goods: fees of payments pay no goods. */
  leftCents(order: ModelOrder): number {
    const paid = this.ofOrder(order).map((it) => Math.max(0, it.appliedCents - it.feeCents));
    return order.amounts.dueCents - paid.reduce((sum, cents) => sum + cents, 0);
  }

  /** The shop hears that it was paid: the order counts what it lacks, and the rest is to be given back. */
  capture(payment: ModelPayment, cents: number, tipCents: number): void {
    const { order, feeCents } = payment;
    const canBePaid = ['draft', 'new', 'packed'].includes(order.status);
    const dueCents = canBePaid ? this.leftCents(order) + feeCents : 0;
    payment.state = 'paid';
    payment.capturedCents = cents;
    payment.tipCents = tipCents;
    payment.appliedCents = Math.min(cents, Math.max(0, dueCents));
    this.#addTask(payment, 'refund', cents - payment.appliedCents);
    if (payment.type.provider === 'terminal') this.canProve = true;
  }

  /** The worker looks at what is open. */
  look(payment: ModelPayment, nowMs: number): void {
    const { fate, expiresAtMs, isAskedToEnd, isSilent } = payment;
    if (fate.kind === 'taken') {
      this.capture(payment, fate.cents, fate.tipCents);
      return;
    }
    payment.isSilent = fate.kind !== 'waits';
    if (fate.kind === 'none') {
      payment.absentCount = this.canProve && payment.isInKnownBatch ? payment.absentCount + 1 : 0;
      if (payment.absentCount >= 2) payment.state = 'ended';
    }
    const isOver = expiresAtMs !== null && expiresAtMs <= nowMs;
    if (fate.kind === 'waits' && !isSilent && (isOver || isAskedToEnd)) payment.state = 'ended';
  }

  /** A person, or a change of the order, ends it; of what is not known it is only read. */
  askToEnd(payment: ModelPayment, nowMs: number): void {
    payment.isAskedToEnd = true;
    const isBeingSent = payment.fate.kind !== 'waits' && !payment.isSilent;
    if (!isBeingSent) this.look(payment, nowMs);
  }

  /** The order is handed over for these amounts with their fees; what it does not use is to be given back. */
  use(order: ModelOrder, usedCents: (type: PaymentType) => number): void {
    const left = new Map<PaymentType, number>();
    for (const payment of this.ofOrder(order)) {
      const { type } = payment;
      const there = left.get(type) ?? usedCents(type);
      const appliedCents = Math.min(there, payment.appliedCents);
      left.set(type, there - appliedCents);
      this.#addTask(payment, 'refund', payment.appliedCents - appliedCents);
      payment.appliedCents = appliedCents;
    }
  }

  /** The order is canceled or voided. */
  giveBack(order: ModelOrder): void {
    for (const payment of this.ofOrder(order)) {
      if (payment.state === 'open') payment.isAskedToEnd = true;
      if (payment.appliedCents > 0) this.#goBack(payment, payment.appliedCents, null);
    }
  }

  /** What of an order can go back by providers, where it goes by a type; null: by hand, all of it. */
  refundableCents(order: ModelOrder, type: PaymentType): number | null {
    const paying = this.ofOrder(order).filter(({ appliedCents }) => appliedCents > 0);
    if (paying.every((it) => it.type !== type)) return null;
    return paying.reduce((sum, { appliedCents }) => sum + appliedCents, 0);
  }

  /** Goods came back, and their refund goes to the payments of a type, newest first, and then to others. */
  refund(order: ModelOrder, type: PaymentType, cents: number, returnId: number): void {
    if (this.refundableCents(order, type) === null) return;
    let left = cents;
    const newest = this.ofOrder(order).toReversed();
    const [own, others] = [newest.filter((it) => it.type === type), newest.filter((it) => it.type !== type)];
    for (const payment of [...own, ...others]) {
      const back = Math.min(left, payment.appliedCents);
      if (back <= 0) continue;
      left -= back;
      this.#goBack(payment, back, returnId);
    }
  }

  /** The return is voided: what people have not given back stays. */
  keep(returnId: number): void {
    for (const task of this.tasks.filter((it) => it.returnId === returnId)) {
      task.isDone = true;
      task.payment.appliedCents += task.amountCents;
    }
  }

  /** A bank can give back by itself; at a terminal the customer is needed. */
  #goBack(payment: ModelPayment, cents: number, returnId: number | null): void {
    payment.appliedCents -= cents;
    if (payment.type.provider === 'terminal') {
      this.#addTask(payment, 'refund', cents, returnId);
      return;
    }
    payment.refundedCents += cents;
    if (returnId !== null) this.movedReturns.add(returnId);
  }

  /** A task is seen to; what the terminal refused is a task again. */
  end(task: ModelTask, how: 'refunded' | 'refused' | 'by hand'): void {
    const { payment, amountCents, returnId, kind } = task;
    task.isDone = true;
    if (returnId !== null) this.movedReturns.add(returnId);
    if (kind === 'collect') return;
    if (how === 'refunded') payment.refundedCents += amountCents;
    if (how === 'by hand') payment.byHandCents += amountCents;
    if (how === 'refused') this.#addTask(payment, 'refund', amountCents);
  }

  /** The bank takes a payment back: the customer owes it again. */
  takeBack(payment: ModelPayment): void {
    payment.state = 'returned';
    payment.returnedCents = payment.capturedCents - payment.refundedCents;
    payment.appliedCents = 0;
    for (const task of this.openTasks(payment, 'refund')) {
      task.isDone = true;
      if (task.returnId !== null) this.movedReturns.add(task.returnId);
    }
    this.#addTask(payment, 'collect', payment.returnedCents);
  }

  /** What was taken back is collected after all: its order counts what it lacks. */
  recover(payment: ModelPayment): void {
    const { order, feeCents, returnedCents } = payment;
    const balanceCents = order.status === 'canceled' ? 0 : this.leftCents(order) + feeCents;
    payment.state = 'paid';
    payment.returnedCents = 0;
    payment.appliedCents = Math.min(returnedCents, Math.max(0, balanceCents));
    for (const task of this.openTasks(payment, 'collect')) task.isDone = true;
    this.#addTask(payment, 'refund', returnedCents - payment.appliedCents);
  }

  #addTask(
    payment: ModelPayment,
    kind: ModelTask['kind'],
    amountCents: number,
    returnId: number | null = null,
  ) {
    if (amountCents > 0) this.tasks.push({ payment, kind, amountCents, returnId, isDone: false });
  }
}
