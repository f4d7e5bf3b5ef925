/**
 * The place of an event in the feed of its organization (D64), as text that readers pass back: the position, and the id
 * of the event there. A cursor of another database, or of one that was restored from a backup, names another event.
 */
export interface FeedCursor {
  readonly position: number;
  /** 0 at the beginning of the feed. */
  readonly eventId: number;
}

export const feedStart: FeedCursor = { position: 0, eventId: 0 };

/** At most this long. */
export const cursorTextMax = 24;

/** The text of a cursor, which `readCursor` reads. */
export function cursorText({ position, eventId }: FeedCursor): string {
  return `${position.toString(36)}-${eventId.toString(36)}`;
}

/** Null when the text is no cursor. */
export function readCursor(text: string): FeedCursor | null {
  const [, position, eventId] = /^([0-9a-z]{1,10})-([0-9a-z]{1,11})$/.exec(text) ?? [];
  if (position === undefined || eventId === undefined) return null;
  const cursor = { position: Number.parseInt(position, 36), eventId: Number.parseInt(eventId, 36) };
  return Number.isSafeInteger(cursor.eventId) && cursorText(cursor) === text ? cursor : null;
}
