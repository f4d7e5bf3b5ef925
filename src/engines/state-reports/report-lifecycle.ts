/** Where a report to the state is. */
export const reportStates = [
  'waiting',
  'sending',
  'unknown',
  'accepted',
  'refused',
  'superseded',
  'done-by-hand',
] as const;
export type ReportState = (typeof reportStates)[number];

/** What happens to a report. */
export type ReportTurn =
  /** It goes out; written before the call. */
  | 'send'
  /** The state has it, or needs nothing. */
  | 'done'
  /** The state says no, or it cannot be sent as it is. */
  | 'refuse'
  /** The call was not carried out. */
  | 'put-off'
  /** The call may have been carried out. */
  | 'lose-sight'
  /** It was looked for and is not there. */
  | 'miss'
  /** A later report of the same subject says all that it says. */
  | 'overtake'
  /** A person entered it on the state's website. */
  | 'enter-by-hand';

/**
 * All ways of a report. What is not here does not happen: a report that may be at the state is never sent, and none that is
 * settled is touched again.
 */
const turns: Readonly<Record<ReportState, Partial<Record<ReportTurn, ReportState>>>> = {
  waiting: {
    send: 'sending',
    done: 'accepted',
    refuse: 'refused',
    'put-off': 'waiting',
    overtake: 'superseded',
    'enter-by-hand': 'done-by-hand',
  },
  sending: {
    done: 'accepted',
    refuse: 'refused',
    'put-off': 'waiting',
    'lose-sight': 'unknown',
  },
  unknown: {
    done: 'accepted',
    refuse: 'refused',
    miss: 'waiting',
    'lose-sight': 'unknown',
    'enter-by-hand': 'done-by-hand',
  },
  refused: { overtake: 'superseded', 'enter-by-hand': 'done-by-hand' },
  accepted: {},
  superseded: {},
  'done-by-hand': {},
};

/** The state after a turn; null: it is not possible from here. */
export function afterTurn(from: ReportState, turn: ReportTurn): ReportState | null {
  return turns[from][turn] ?? null;
}

/** The states of which the state's system is not known to have the report. */
export const openStates = reportStates.filter((state) => Object.keys(turns[state]).length > 0);

const secondMs = 1_000;
const waitMsMax = 30 * 60 * secondMs;

/** How long a report waits after so many attempts: from five seconds to half an hour, for ever. */
export function waitMsAfter(attempts: number): number {
  return Math.min(waitMsMax, 5 * secondMs * 2 ** Math.min(attempts, 20));
}

/** After a call whose end was not seen, so much time passes before "it is not there" is believed. */
export const settleMs = 60 * secondMs;

/** A report, as far as the order in which reports go out needs it. */
export interface Queued {
  readonly id: number;
  readonly state: ReportState;
  readonly isDue: boolean;
  /** What it is about: an earlier report that holds one of these back holds it back. */
  readonly waitsFor: readonly string[];
  /** What it holds back as long as it is not known to be at the state. */
  readonly holdsBack: readonly string[];
  /** Reports that share one of these go out one after another. */
  readonly oneByOne: readonly string[];
}

/**
 * The reports that may go out now, from the open ones, oldest first. One that is not known to be at the state holds back the
 * later ones of its packages, of its order and of its trip, and nothing else.
 */
export function sendable<Report extends Queued>(open: readonly Report[]): Report[] {
  const held = new Set<string>();
  const ready: Report[] = [];
  for (const report of open) {
    const mayGo = report.state === 'waiting' && report.isDue;
    const isReady = mayGo && !report.waitsFor.some((name) => held.has(name));
    if (isReady) ready.push(report);
    for (const name of isReady ? report.oneByOne : report.holdsBack) held.add(name);
  }
  return ready;
}

/**
 * Reports in parts that are sent one after the other, each as large as it can be: in none is a package, an order or a trip twice, those of a package
 * keep their order, and none is larger than that.
 */
export function batchesOf<Report extends Pick<Queued, 'waitsFor' | 'holdsBack'>>(
  ready: readonly Report[],
  sizeMax: number,
): Report[][] {
  const batches: Report[][] = [];
  for (let left = ready; left.length > 0; ) {
    const [batch, later]: [Report[], Report[]] = [[], []];
    const taken = new Set<string>();
    for (const report of left) {
      const names = [...report.waitsFor, ...report.holdsBack];
      const isFree = batch.length < sizeMax && !names.some((name) => taken.has(name));
      (isFree ? batch : later).push(report);
      for (const name of names) taken.add(name);
    }
    batches.push(batch);
    left = later;
  }
  return batches;
}

/** The refused reports, from the open ones, oldest first, of which a later report says all that they say. */
export function overtaken<Report extends { readonly state: ReportState; readonly orderId: string | null }>(
  open: readonly Report[],
): Report[] {
  return open.filter(
    ({ state, orderId }, at) =>
      state === 'refused' &&
      orderId !== null &&
      open.slice(at + 1).some((later) => later.orderId === orderId),
  );
}
