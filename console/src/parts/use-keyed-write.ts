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

/**
 * A write with an idempotency key: sent again after a lost answer, it is done once. The key stays until it is answered, also
 * after changes, so nothing is done twice. If the reply repeats that of an earlier version, `earlier` shows it and describes
 * it, and the write is refused: the changes were not saved. Rejects with `UnansweredWrite` without an answer.
 */
export function keyedWrite<Body, Data>(
  send: SendKeyed<Body, Data>,
  earlier: (data: Data) => string,
): (body: Body) => Promise<Data> {
  let key: string | null = null;
  /** What was sent with the key and not answered. */
  const unanswered = new Set<string>();
  return async (body) => {
    const text = JSON.stringify(body);
    key ??= freshKey();
    const reply = await send(body, key).catch((error: unknown) => {
      // This write was not sent, but an earlier one may have been saved.
      if (isUnsent(error) && unanswered.size > 0) throw new UnansweredWrite(error as ApiFailure);
      if (!isUnanswered(error)) throw error;
      unanswered.add(text);
      throw new UnansweredWrite(error);
    });
    const isOfAnother = [...unanswered].some((sent) => sent !== text);
    key = null;
    unanswered.clear();
    const data = reply.data!.data;
    if (!isOfAnother || reply.response.headers.get('Idempotent-Replayed') !== 'true') return data;
    throw new ApiFailure({
      message: t`Your earlier entry, which got no response, was saved. ${earlier(data)} Your changes since then are not saved. Send them only if they are in addition.`,
      code: 'REPLAYED',
      status: 409,
    });
  };
}

/** Like `keyedWrite`, for the lifetime of its form. */
export function useKeyedWrite<Body, Data>(
  send: SendKeyed<Body, Data>,
  earlier: (data: Data) => string,
): (body: Body) => Promise<Data> {
  const latest = useRef({ send, earlier });
  useLayoutEffect(() => {
    latest.current = { send, earlier };
  });
  const [write] = useState(() =>
    keyedWrite<Body, Data>(
      (body, key) => latest.current.send(body, key),
      (data) => latest.current.earlier(data),
    ),
  );
  return write;
}
