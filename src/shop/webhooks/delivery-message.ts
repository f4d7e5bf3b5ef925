import { isoTimestamp } from '../../kernel/local-time.ts';
import type { FeedEventRow } from '../../platform/events/event-feed-queries.ts';
import { cursorText } from '../../platform/events/feed-cursor.ts';
import { changesJson, publicEventOf } from '../changes/changes.ts';

/** What an endpoint gets of an event: the same text in each attempt. */
export interface Message {
  readonly eventId: number;
  readonly position: number;
  readonly messageId: string;
  readonly type: string;
  /** The integrator that placed the order it is about; null: of something else, or no longer kept. */
  readonly integrator_id: number | null;
  /** Messages of one resource are sent in order. */
  readonly resource: string;
  /** Null: the event is no longer kept. */
  readonly body: string | null;
  /** When the body is of no use any more; absent: never. */
  readonly endsAtMs?: number | null;
  /** The trace of the write that it tells of, if that was traced. */
  readonly traceparent?: string | null;
}

const messages = new WeakMap<FeedEventRow, Promise<Message>>();

/** The message of an event, which all endpoints get; made once. */
export function messageOf(event: FeedEventRow): Promise<Message> {
  let message = messages.get(event);
  if (message === undefined) {
    message = makeMessage(event);
    messages.set(event, message);
  }
  return message;
}

async function makeMessage(event: FeedEventRow): Promise<Message> {
  const { position, id, type, subject_id: subjectId, created_at: at } = event;
  const [change] = await changesJson([event], null, []);
  return {
    eventId: id,
    position,
    messageId: cursorText({ position, eventId: id }),
    type,
    integrator_id: event.integrator_id,
    resource: `${publicEventOf(type)!.resource}:${subjectId}`,
    body: messageBody(type, at, change!),
    traceparent: event.traceparent,
  };
}

/** The body of a webhook: `data` is the change as `GET /api/v1/changes` shows it. */
export function messageBody(type: string, atMs: number, changeJson: string): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${isoTimestamp(atMs)}","data":${changeJson}}`;
}
