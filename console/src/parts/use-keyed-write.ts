import { useLayoutEffect, useRef, useState } from 'react';
import { ApiFailure } from '../api.ts';
import { freshKey } from './fresh-key.ts';
import { isUnanswered, isUnsent, UnansweredWrite } from './unanswered.ts';

/** What the client gives of a reply: its header says whether it repeats an earlier one. */
interface KeyedReply<Data> {
  readonly data?: { readonly data: Data } | undefined;
  readonly response: Response;
}

/** Sends once what the key stands for; answers what was done. */
type SendKeyed<Body, Data> = (body: Body, idempotencyKey: string) => Promise<KeyedReply<Data>>;

/**
 * A write with an idempotency key: sent again after a lost answer, it is done once. The key stays until it is answered,
 * also when something is changed meanwhile, so that nothing is done twice; should the reply then repeat that of what was
 * sent before, `earlier` shows it and says in words what it was, and the write is refused: what was changed is not saved.
 * Rejects with `UnansweredWrite` when nobody answers.
 */
export function keyedWrite<Body, Data>(
  send: SendKeyed<Body, Data>,
  earlier: (data: Data) => string,
): (body: Body) => Promise<Data> {
  let key: string | null = null;
  /** What was sent with the key, and not answered. */
  const unanswered = new Set<string>();
  return async (body) => {
    const text = JSON.stringify(body);
    key ??= freshKey();
    const reply = await send(body, key).catch((error: unknown) => {
      // This one was not sent, but an earlier one may have been saved.
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
      message:
        `What you sent before, and no answer came to, was saved. ${earlier(data)} What you have changed since is not ` +
        'saved: send it only if it comes on top.',
      code: 'REPLAYED',
      status: 409,
    });
  };
}

/** As `keyedWrite`, for as long as its form is there. */
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
