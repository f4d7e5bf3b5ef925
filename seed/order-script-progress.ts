import type { SeededRandom } from './seeded-random.ts';
import type { OrderType, ScriptedOrder } from './shop-content.ts';

const cancelationReasons = {
  delivery: [
    'Customer not at the address',
    'Customer changed their mind',
    'Address could not be reached',
    'Duplicate order',
  ],
  pickup: ['Not picked up', 'Customer changed their mind', 'Duplicate order', 'Identification expired'],
  'in-store': ['Customer changed their mind', 'Card declined', 'Identification expired'],
};

/** Minutes after placing, minimum and maximum, in which staff take a step. */
const paceMinutes = {
  delivery: { accepted: [2, 12], packed: [14, 38], fulfilled: [45, 120] },
  pickup: { accepted: [2, 12], packed: [14, 40], fulfilled: [45, 200] },
  'in-store': { accepted: [1, 2], packed: [3, 6], fulfilled: [7, 20] },
} as const;

const canceledShare = 0.05;

type Progress = Pick<
  ScriptedOrder,
  | 'status'
  | 'cancelationReason'
  | 'acceptedAfterMinutes'
  | 'packedAfterMinutes'
  | 'fulfilledAfterMinutes'
  | 'canceledAfterMinutes'
>;

/** The facts of an order from which its progress is drawn. */
interface ProgressTask {
  readonly type: OrderType;
  readonly startsAs: 'draft' | 'new';
  readonly ageMinutes: number;
  readonly minutesToClosing: number;
  /** Keeps the order in its status: staff have not processed the queue yet. */
  readonly stopAt: 'draft' | 'new' | 'packed' | null;
}

/** The progress of an order until now. */
export function progressOf(random: SeededRandom, task: ProgressTask): Progress {
  const { type, startsAs, ageMinutes, minutesToClosing, stopAt } = task;
  const pace = paceMinutes[type];
  const draw = ([least, most]: readonly [number, number]) => random.integer(least, most);
  const accepted = startsAs === 'new' ? 0 : draw(pace.accepted);
  const packed = draw(pace.packed);
  const fulfilled = Math.min(draw(pace.fulfilled), minutesToClosing);
  const canceled = random.chance(canceledShare) && stopAt === null ? random.integer(1, fulfilled) : null;
  const reason = random.pick(cancelationReasons[type]);

  const ended = Math.min(canceled ?? fulfilled, ageMinutes);
  const reached = (minutes: number) => minutes <= ended;
  const wasAccepted = startsAs === 'new' || (reached(accepted) && stopAt !== 'draft');
  const wasPacked = wasAccepted && reached(packed) && stopAt !== 'new';
  const isCanceled = canceled !== null && canceled <= ageMinutes;
  const isFulfilled = !isCanceled && wasPacked && reached(fulfilled) && stopAt === null;
  const open = wasPacked ? 'packed' : wasAccepted ? 'new' : 'draft';
  return {
    status: isCanceled ? 'canceled' : isFulfilled ? 'fulfilled' : open,
    cancelationReason: isCanceled ? reason : null,
    acceptedAfterMinutes: wasAccepted ? accepted : null,
    packedAfterMinutes: wasPacked ? packed : null,
    fulfilledAfterMinutes: isFulfilled ? fulfilled : null,
    canceledAfterMinutes: isCanceled ? canceled : null,
  };
}
