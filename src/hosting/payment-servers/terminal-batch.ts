import {
  centsOf,
  type DeskCall,
  type DeskLedger,
  type DeskReply,
  type PaymentWorld,
} from './provider-desk.ts';
import { approved, type Charge, general, lastFour, totalOf } from './terminal-replies.ts';

/** What keeps a batch from being settled, with the code that says so. */
export const leftInBatch = { 'offline-items': '1021', untipped: '1022', 'open-tab': '1023' } as const;
export type LeftInBatch = keyof typeof leftInBatch;

type Body = DeskCall['body'];

/** A charge of an earlier run, of which more than this is not known. */
export type HeldCharge = Pick<
  Charge,
  | 'reference'
  | 'kind'
  | 'type'
  | 'goodsCents'
  | 'tipCents'
  | 'cashBackCents'
  | 'feeCents'
  | 'authCode'
  | 'batch'
  | 'voided'
>;

/** The sales and returns of one terminal: of its open batch, and of those that were closed. */
export class TerminalBatch {
  number = 31;
  charges: Charge[] = [];
  former: Charge[] = [];
  left: LeftInBatch | null = null;
  /** The application, such as `Credit`, whose host refuses to settle. */
  refusing: string | null = null;
  /** The payments whose slips were printed, in their order. */
  readonly printed: string[] = [];
  hasPaper = true;
  #nextNumber = 1;
  #closed: readonly Charge[] = [];
  readonly #world: PaymentWorld;
  readonly #ledger: DeskLedger;

  constructor(world: PaymentWorld, ledger: DeskLedger) {
    this.#world = world;
    this.#ledger = ledger;
  }

  /** Numbers in a batch begin at 1. */
  takeNumber(): number {
    return this.#nextNumber++;
  }

  close(): void {
    this.#closed = this.charges;
    this.former.push(...this.charges);
    this.charges = [];
    this.number += 1;
    this.#nextNumber = 1;
  }

  add(charge: Charge): void {
    this.charges.push(charge);
    this.#book(charge, charge.kind === 'Sale' ? totalOf(charge) : -totalOf(charge));
  }

  /** Holds a charge of an earlier run. The newest batch of which it hears is the open one. */
  hold(held: HeldCharge): void {
    if (held.batch > this.number) {
      this.former.push(...this.charges);
      this.charges = [];
      this.number = held.batch;
      this.#nextNumber = 1;
    }
    const charge: Charge = {
      ...{ ...held, askedCents: held.goodsCents, visibleFromMs: 0, number: this.takeNumber(), voided: false },
    };
    if (held.batch < this.number) this.former.push(charge);
    else this.charges.push(charge);
    this.#book(charge, charge.kind === 'Sale' ? totalOf(charge) : -totalOf(charge));
    if (!held.voided) return;
    charge.voided = true;
    this.#book(charge, charge.kind === 'Sale' ? -totalOf(charge) : totalOf(charge));
  }

  isUsed(reference: string): boolean {
    const has = (charges: readonly Charge[]) => charges.some((it) => it.reference === reference);
    const countsFormer = this.#world.settings['reference-in-later-batch'] === 'refused';
    return has(this.charges) || (countsFormer && has(this.former));
  }

  status(body: Body): DeskReply {
    const charge = this.#find(String(body.ReferenceId));
    const isOtherType = charge !== undefined && ![charge.type, 'Card'].includes(String(body.PaymentType));
    const isHidden = isOtherType && this.#world.settings['status-of-other-type'] === 'not-found';
    if (charge === undefined || isHidden) return this.#general('1', '1001', 'Not Found');
    if (printsSlip(body)) {
      if (this.#world.settings['slip-again'] === 'refused')
        return this.#general('1', '1003', 'Not supported');
      if (!this.hasPaper) return this.#general('1', '1006', 'Paper out');
      this.printed.push(charge.reference);
    }
    return approved(this.#world.settings, charge);
  }

  /** The open batch by index, from 1; a range beyond its end is none. */
  list(body: Body): DeskReply {
    if (this.#world.settings['batch-list'] === 'refused')
      return this.#general('1', '1002', 'Not implemented');
    const [from, to] = [Number(body.TransactionFromIndex), Number(body.TransactionToIndex)];
    if (!(from >= 1 && to >= from && to <= 5_000)) return this.#general('1', '1013', 'Bad range');
    const rows = this.charges.slice(from - 1, to).map((it) => approved(this.#world.settings, it).body);
    return this.#general('0', '0000', 'Listed', { Transactions: rows });
  }

  /** Replaces the tip of a credit sale of the open batch. */
  adjustTip(body: Body): DeskReply {
    const charge = this.#open(body);
    const isTheirs = charge?.kind === 'Sale' && !charge.voided && body.CardLast4 === lastFour;
    if (charge === undefined || !isTheirs) return this.#general('1', '1001', 'Not Found');
    const onDebit = this.#world.settings['debit-tip-adjust'];
    if (charge.type === 'Debit' && onDebit !== 'allow') return this.#general('1', onDebit, 'Not allowed');
    const tipCents = centsOf(body.TipAmount);
    if (tipCents !== charge.tipCents) this.#book(charge, tipCents - charge.tipCents);
    charge.tipCents = tipCents;
    return approved(this.#world.settings, charge);
  }

  void(body: Body): DeskReply {
    const charge = this.#open(body);
    if (charge === undefined || charge.voided) return this.#general('1', '1001', 'Not Found');
    const onDebit = this.#world.settings['debit-void'];
    if (charge.type === 'Debit' && onDebit !== 'allow') return this.#general('1', onDebit, 'Not allowed');
    if (centsOf(body.Amount) !== totalOf(charge)) return this.#general('1', '1013', 'Other amount');
    this.reverse(charge.reference);
    return approved(this.#world.settings, charge);
  }

  /** The money goes back, as by a void. False: there is no such sale in the open batch. */
  reverse(reference: string): boolean {
    const charge = this.charges.find((it) => it.reference === reference && !it.voided);
    if (charge === undefined) return false;
    charge.voided = true;
    this.#book(charge, charge.kind === 'Sale' ? -totalOf(charge) : totalOf(charge));
    return true;
  }

  /** By application: one whose host refuses stays open, and the batch with it. */
  settle({ GetReceipt: receipt }: Body): DeskReply {
    const asks = this.#world.settings['settle-receipt'];
    const isOther = receipt !== undefined && asks !== 'either' && typeof receipt !== asks;
    if (isOther) return this.#general('1', '1007', 'Malformed');
    if (this.left !== null) return this.#general('1', leftInBatch[this.left], 'Not settled');
    if (this.charges.length === 0) return this.#general('1', '1020', 'No open batch');
    const refused = this.charges.filter(({ type }) => type === this.refusing);
    if (refused.length === this.charges.length) return this.#general('1', '1015', 'Declined by host');
    if (refused.length === 0) {
      this.close();
      return this.report('0000');
    }
    this.#closed = this.charges.filter((it) => !refused.includes(it));
    this.former.push(...this.#closed);
    this.charges = refused;
    return this.report('0001');
  }

  /** The sums of what was settled last. */
  report(code = '0000'): DeskReply {
    const sums = this.#world.settings['batch-sums'];
    if (sums === 'missing') return this.#general('0', code, 'Settled');
    const applications = [...new Set(this.#closed.map(({ type }) => type))];
    const details = applications.map((application) => {
      const own = this.#closed.filter(({ type }) => type === application);
      const sum = (kind: Charge['kind']) =>
        own.filter((it) => it.kind === kind && !it.voided).reduce((cents, it) => cents + totalOf(it), 0);
      const voided = own.filter((it) => it.voided).reduce((cents, it) => cents + totalOf(it), 0);
      const reports = {
        ...{
          TransactionsCount: own.length,
          SaleAmount: sum('Sale') / 100,
          ReturnAmount: sum('Return') / 100,
        },
        ...{ VoidAmount: voided / 100, AuthAmount: 0 },
        ...(sums === 'total' && { TotalAmount: (sum('Sale') - sum('Return')) / 100 }),
      };
      return { Application: application, HostStatus: 'Approved', TransactionsReports: reports };
    });
    return this.#general('0', code, 'Settled', { SettleDetails: details });
  }

  #open(body: Body): Charge | undefined {
    return this.charges.find((it) => it.reference === body.ReferenceId);
  }

  #find(reference: string): Charge | undefined {
    const isSought = (it: Charge) => it.reference === reference && it.visibleFromMs <= this.#world.nowMs();
    const open = this.charges.find(isSought);
    if (open !== undefined || this.#world.settings['status-after-close'] === 'not-found') return open;
    return this.former.find(isSought);
  }

  #book({ reference }: Charge, cents: number): void {
    this.#ledger.entries.push({ reference, cents, atMs: this.#world.nowMs() });
  }

  #general(result: string, code: string, message: string, more: object = {}): DeskReply {
    return general(this.#world.settings, result, code, message, more);
  }
}

/** Whether a question about a payment wants its slip on paper. */
export function printsSlip({ PrintReceipt: printed }: Body): boolean {
  return ['Customer', 'Merchant', 'Both'].includes(String(printed));
}
