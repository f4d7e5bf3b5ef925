import { useLayoutEffect, useRef, useState } from 'react';
import { ApiFailure } from '../api.ts';
import { t } from '../words/words.ts';
import { freshKey } from './fresh-key.ts';
import { isUnanswered, isUnsent, UnansweredWrite } from './unanswered.ts';

/** A reply of the client; its header says whether it repeats an earlier one. */
interface KeyedReply<Data> {
  readonly data?: { readonly data: Data } | undefined;
  readonly response: Response;
}

/** Sends the write with its key; returns the reply. */
type SendKeyed<Body, Data> = (body: Body, idempotencyKey: string) => Promise<KeyedReply<Data>>;

/** A key, and what was sent with it and not answered. */
interface Sent {
  readonly key: string;
  readonly unanswered: readonly string[];
}

/** Where the key outlives the page: until the write is answered. */
export interface KeptKey {
  readonly read: () => unknown;
  /** Null: it was answered. */
  readonly write: (sent: Sent | null) => void;
}

const nowhere: KeptKey = { read: () => null, write: () => {} };

function isSent(value: unknown): value is Sent {
  const { key, unanswered } = (value ?? {}) as Partial<Record<keyof Sent, unknown>>;
  return (
    typeof key === 'string' && Array.isArray(unanswered) && unanswered.every((it) => typeof it === 'string')
  );
}

/**
 * A write with an idempotency key: sent again after a lost answer, it is done once. The key stays until it is answered, also
 * after changes, so nothing is done twice. If the reply repeats that of an earlier version, `earlier` shows it and describes
 * it, and the write is refused: the changes were not saved. Rejects with `UnansweredWrite` without an answer. With `kept` all of this
 * holds for the page that is loaded next, too: a write that was on its way counts as unanswered.
 */
export function keyedWrite<Body, Data>(
  send: SendKeyed<Body, Data>,
  earlier: (data: Data) => string,
  kept: KeptKey = nowhere,
): (body: Body) => Promise<Data> {
  let present: Sent | null = null;
  const keep = (sent: Sent | null) => {
    present = sent;
    kept.write(sent !== null && sent.unanswered.length > 0 ? sent : null);
  };
  return async (body) => {
    const text = JSON.stringify(body);
    const found = kept.read();
    const before: Sent = present ?? (isSent(found) ? found : { key: freshKey(), unanswered: [] });
    const { key, unanswered } = before;
    keep({ key, unanswered: [...new Set([...unanswered, text])] });
    const reply = await send(body, key).catch((error: unknown) => {
      // This write was not sent, but an earlier one may have been saved.
      const isLost = isUnanswered(error);
      if (!isLost) keep(before);
      if (isLost || (isUnsent(error) && unanswered.length > 0))
        throw new UnansweredWrite(error as ApiFailure);
      throw error;
    });
    keep(null);
    const data = reply.data!.data;
    const isOfAnother = unanswered.some((sent) => sent !== text);
    if (!isOfAnother || reply.response.headers.get('Idempotent-Replayed') !== 'true') return data;
    throw new ApiFailure({
      message: t`Your earlier entry, which got no response, was saved. ${earlier(data)} Your changes since then are not saved. Send them only if they are in addition.`,
      code: 'REPLAYED',
      status: 409,
    });
  };
}

/** Like `keyedWrite`, for the lifetime of its form; with `kept` beyond it. */
export function useKeyedWrite<Body, Data>(
  send: SendKeyed<Body, Data>,
  earlier: (data: Data) => string,
  kept: KeptKey = nowhere,
): (body: Body) => Promise<Data> {
  const latest = useRef({ send, earlier, kept });
  useLayoutEffect(() => {
    latest.current = { send, earlier, kept };
  });
  const [write] = useState(() =>
    keyedWrite<Body, Data>(
      (body, key) => latest.current.send(body, key),
      (data) => latest.current.earlier(data),
      { read: () => latest.current.kept.read(), write: (sent) => latest.current.kept.write(sent) },
    ),
  );
  return write;
}
