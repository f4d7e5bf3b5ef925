import { namesFit } from '../../kernel/person-name.ts';
import { hasReached } from '../../kernel/reached-age.ts';

/** Why nothing is handed over at the door with an ID. */
export type DoorIdFault = 'underage' | 'expired' | 'other-birthday' | 'other-name';

interface DoorId {
  /** What the ID says; days are YYYY-MM-DD. */
  readonly seen: {
    readonly firstName: string;
    readonly lastName: string;
    readonly birthday: string;
    /** Null: it does not expire. */
    readonly expiry: string | null;
  };
  /** For whom the order is. Null: not known, as of an order without a customer. */
  readonly buyer: {
    readonly firstName: string;
    readonly lastName: string;
    readonly birthday: string | null;
  } | null;
  /** The shop's day of the hand-over. */
  readonly today: string;
  readonly minimumAge: number;
}

/**
 * Judges an ID at the door by the rules of the counter: old enough, not expired, and the birthday and name of the order's buyer. The
 * phone asks without a line, and the service again when it learns of the delivery. Null: the goods may be handed over.
 */
export function judgeDoorId({ seen, buyer, today, minimumAge }: DoorId): DoorIdFault | null {
  if (!hasReached(minimumAge, seen.birthday, today)) return 'underage';
  if (seen.expiry !== null && seen.expiry < today) return 'expired';
  if (buyer === null) return null;
  if (buyer.birthday !== null && buyer.birthday !== seen.birthday) return 'other-birthday';
  return namesFit(seen, buyer) ? null : 'other-name';
}
