import type { BatchSighting, PaidOutLine, Sighting, SlipSighting } from './provider.ts';

/** How answers of a terminal are read (SPIn REST v2). Pure. */

/** The terminal never asked the customer: with what to do about it. */
const notStarted: Readonly<Record<string, string>> = {
  '1000': 'The terminal is busy. Wait, then try again.',
  '1002': 'The terminal does not know this request. Check its settings.',
  '1003': 'The terminal does not support this. Check its settings.',
  '1004': 'The terminal does not allow this.',
  '1005': 'The battery of the terminal is low.',
  '1007': 'The terminal refused the request.',
  '1008': 'The card does not fit the kind of payment.',
  '1009': 'The key of the terminal is wrong.',
  '1010': 'The terminal refused the request.',
  '1013': 'The terminal refused the amount.',
  '1016': 'The card does not fit the kind of payment.',
  '1017': 'The merchant id of the terminal is wrong.',
  '1019': 'The terminal has no keys for debit. Call its provider.',
  '1024': 'The key service of the terminal failed. Call its provider.',
  '1025': 'The terminal lacks its payment application. Call its provider.',
  '2001': 'The terminal is not connected. Check its network.',
  '2002': 'The key of the terminal is unknown.',
  '2003': 'The number of the terminal is unknown, or of another environment.',
  '2004': 'The terminal has no route. Call its provider.',
  '2005': 'The route of the terminal is blocked, or its number is used twice.',
  '2006': 'The terminal refused the request.',
  '2008': 'The terminal is in use. Wait, then try again.',
  '2011': 'The terminal is not available. Check its network.',
  '2201': 'The terminal refused the request.',
};

const absent: ReadonlySet<string> = new Set(['1001', '2009']);

export interface TerminalAnswer {
  readonly code: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An answer with its code of four digits; null: it cannot be read. */
export function answerOf(text: string): TerminalAnswer | null {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(body) || !isObject(body.GeneralResponse)) return null;
  const { StatusCode: code } = body.GeneralResponse;
  if (typeof code !== 'string' && typeof code !== 'number') return null;
  const digits = String(code).padStart(4, '0');
  return /^\d{4}$/.test(digits) ? { code: digits, body } : null;
}

/** What an answer to a sale, or to a question about one, says. */
export function saleSeen(answer: TerminalAnswer | null, asked: 'sale' | 'status'): Sighting {
  if (answer === null) return { seen: 'silence' };
  const { code, body } = answer;
  if (code === '0000' || code === '0001') return body.Voided === true ? voided(body) : taken(body);
  const facts = { code };
  if (code === '1015') return { seen: 'rejected', facts: { code: hostCodeOf(body) ?? code } };
  if (absent.has(code) && asked === 'status') return { seen: 'absent', facts };
  const advice = notStarted[code];
  // That a question is refused says nothing about the sale.
  if (advice !== undefined && asked === 'sale') return { seen: 'rejected', facts: { code, advice } };
  return { seen: 'silence', facts };
}

/** Everything is read off the answer: a terminal may take less than it was asked for, or more. */
function taken(body: TerminalAnswer['body']): Sighting {
  const amounts = isObject(body.Amounts) ? body.Amounts : {};
  const cashBackCents = centsOf(extendedOf(body).CashBack) ?? 0;
  const tipCents = centsOf(amounts.TipAmount) ?? 0;
  const providerFeeCents = centsOf(amounts.FeeAmount) ?? 0;
  const takenCents = centsOf(amounts.TotalAmount) ?? centsOf(amounts.Amount);
  // An approval without an amount cannot be booked: a person reads the terminal.
  if (takenCents === null) return { seen: 'silence' };
  return {
    ...{ seen: 'captured', takenCents, tipCents, cashBackCents, providerFeeCents },
    facts: {
      ...(typeof body.AuthCode === 'string' && { authCode: body.AuthCode }),
      ...(body.BatchNumber != null && { batch: String(body.BatchNumber) }),
      ...(isObject(body.CardData) &&
        typeof body.CardData.Last4 === 'string' && { lastFour: body.CardData.Last4.slice(-4) }),
    },
  };
}

/** A person has voided it at the terminal: nothing was taken in the end. */
function voided(body: TerminalAnswer['body']): Sighting {
  return { seen: 'canceled', facts: { ...taken(body).facts, advice: 'It was voided at the terminal.' } };
}

/** What became of the wish to void a sale. What is no clear answer is asked about before anything else gives the money back. */
export function voidSeen(answer: TerminalAnswer | null): 'done' | 'refused' | 'silence' {
  if (answer === null) return 'silence';
  const { code } = answer;
  if (code === '0000') return 'done';
  return code === '1015' || absent.has(code) || notStarted[code] !== undefined ? 'refused' : 'silence';
}

/** What became of the wish to print the slip of a payment again. */
export function slipSeen(answer: TerminalAnswer | null): SlipSighting {
  if (answer === null) return { seen: 'silence' };
  const { code } = answer;
  if (code === '0000' || code === '0001') return { seen: 'printed' };
  if (absent.has(code)) return { seen: 'gone', code };
  const advice = code === '1006' ? 'The terminal could not print. Check its paper.' : notStarted[code];
  return advice === undefined ? { seen: 'silence', code } : { seen: 'refused', code, advice };
}

/** A payment or return of a batch, as it is listed. */
interface Listed extends PaidOutLine {
  readonly application: string;
  readonly batch: string | null;
}

/** Null: it does not list its batch. The name of the list differs; what is voided or without an amount moves nothing. */
function batchListOf(answer: TerminalAnswer | null): readonly Listed[] | null {
  if (answer?.code !== '0000') return null;
  const rows = Object.values(answer.body).find(Array.isArray) as readonly unknown[] | undefined;
  return (rows ?? []).filter(isObject).flatMap((row) => {
    const { takenCents = 0, facts } = taken(row);
    if (row.Voided === true || takenCents === 0) return [];
    const isReturn = row.TransactionType === 'Return';
    const batch = facts?.batch ?? null;
    return {
      // What was keyed in at the terminal has no reference of ours.
      reference: String(row.ReferenceId || `${batch ?? ''}-${String(row.TransactionNumber ?? '')}`).slice(
        0,
        100,
      ),
      kind: isReturn ? ('refund' as const) : ('payment' as const),
      amountCents: isReturn ? -takenCents : takenCents,
      ...{ feeCents: 0, batch, application: String(row.PaymentType) },
    };
  });
}

/** Why a batch did not close, with what to do about it. */
const notClosed: Readonly<Record<string, string>> = {
  ...notStarted,
  '1015': 'The host refused to settle. Call its provider.',
  '1021': 'Payments that were taken offline are still to be sent.',
  '1022': 'Payments without a tip are left. Enter their tips first.',
  '1023': 'A tab is open. Close it first.',
};

/** Whether the wish may have been done. */
export function isInDoubt(answer: TerminalAnswer | null): boolean {
  return (
    answer === null ||
    (notClosed[answer.code] === undefined && !['0000', '0001', '1020'].includes(answer.code))
  );
}

/** What a terminal has answered while its batch was closed. `sums`: where those of this batch stand. */
interface BatchAnswers {
  readonly before: TerminalAnswer | null;
  readonly listed: TerminalAnswer | null;
  readonly answer: TerminalAnswer | null;
  readonly sums: TerminalAnswer | null;
  /** The wish went out twice: no open batch then means that the first one was done. */
  readonly wasInDoubt: boolean;
}

/** What became of the wish to close a batch. */
export function batchSeen({ before, listed, answer, sums: told, wasInDoubt }: BatchAnswers): BatchSighting {
  const lines = batchListOf(listed);
  const batch = lines?.at(-1)?.batch ?? null;
  const nothing = { batch, lines, leftOpen: [], totalCents: null, beforeCents: totalOf(sumsOf(before)) };
  if (answer === null || isInDoubt(answer)) return { seen: 'silence', ...nothing };
  const { code } = answer;
  const advice = notClosed[code];
  if (advice !== undefined) return { seen: 'open', code, advice, ...nothing };
  const wasDone = wasInDoubt && (lines === null || lines.length > 0);
  if (code === '1020' && !wasDone) return { seen: 'none', ...nothing };
  const sums = sumsOf(told);
  // One whose host refused stays open.
  const isClosed = ({ application }: Listed) => code !== '0001' || sums === null || sums.has(application);
  return {
    ...{ ...nothing, seen: 'closed', totalCents: totalOf(sums) },
    lines: lines?.filter(isClosed) ?? null,
    leftOpen: (lines ?? []).filter((it) => !isClosed(it)).map(({ reference }) => reference),
  };
}

function totalOf(sums: ReadonlyMap<string, number> | null): number | null {
  return sums === null ? null : [...sums.values()].reduce((sum, cents) => sum + cents, 0);
}

/** By application: its total, or else its sales less its returns. */
function sumsOf(report: TerminalAnswer | null): ReadonlyMap<string, number> | null {
  const details = report?.body.SettleDetails;
  if (!Array.isArray(details)) return null;
  return new Map(
    details.filter(isObject).map(({ Application: application, TransactionsReports: given }) => {
      const sums = isObject(given) ? given : {};
      const difference = (centsOf(sums.SaleAmount) ?? 0) - (centsOf(sums.ReturnAmount) ?? 0);
      return [String(application), centsOf(sums.TotalAmount) ?? difference];
    }),
  );
}

/** By application, or a list of them; processors differ. */
function extendedOf(body: TerminalAnswer['body']): Readonly<Record<string, unknown>> {
  const data = body.ExtendedDataByApplication;
  const parts = Array.isArray(data) ? data : isObject(data) ? Object.values(data) : [];
  return parts.find(isObject) ?? {};
}

function hostCodeOf({ GeneralResponse: general }: TerminalAnswer['body']): string | null {
  const code = isObject(general) ? general.HostResponseCode : undefined;
  return typeof code === 'string' && code !== '' ? code : null;
}

/** Dollars as a number or a text, in cents. */
export function centsOf(value: unknown): number | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const [, sign, dollars, cents = ''] = /^(-?)(\d{1,9})(?:\.(\d{1,4}))?$/.exec(String(value)) ?? [];
  if (dollars === undefined) return null;
  const amount = Number(dollars) * 100 + Number(cents.slice(0, 2).padEnd(2, '0'));
  return sign === '-' ? -amount : amount;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
