/**
 * Runs requests with an idempotency key once (D63). Owns `idempotency_keys`: one row per caller and key, written in the
 * transaction of the request, with the reply; deleted after 48 hours. The reply is encrypted with the text of the key,
 * of which only a digest is stored: it may contain personal data, or a secret that is shown once, and neither can be
 * read from the database alone. Headers and replies are handled by http.
 */
import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../database/context.ts';
import type { IdempotentRunner, KeyedRequest, RepeatableReply } from '../http/idempotency-key.ts';
import { keyBytes, seal, unseal } from '../storage/envelope.ts';
import { claimKey, type KeptReplyRow, keepReply, selectKeptReply } from './kept-reply-queries.ts';

export { eraseRepliesAbout } from './kept-reply-queries.ts';
export { keyAgeMsMax, purgeIdempotencyKeys } from './purge-idempotency-keys.ts';

/** Derived from the text of a key: a digest to look it up, and keys for the stored data. */
function secretsOf({ organizationId, caller, key, content }: KeyedRequest) {
  const derived = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', key, `${organizationId} ${caller}`, purpose, keyBytes));
  return {
    keyDigest: createHash('sha256').update(key).digest(),
    // A plain digest of a short body could be guessed.
    requestDigest: createHmac('sha256', derived('idempotent request')).update(content).digest(),
    sealingKey: derived('idempotent reply'),
    label: `reply to ${caller} of ${organizationId}`,
  };
}

/** The ids of records that a reply shows, so that a reply about a person can be found without opening it. */
function idsIn(text: string | null, namesOfIds: ReadonlySet<string>): number[] {
  const ids = new Set<number>();
  if (text !== null) {
    JSON.parse(text, (name, value: unknown) => {
      if (typeof value === 'number' && namesOfIds.has(name) && Number.isSafeInteger(value)) ids.add(value);
      return value;
    });
  }
  return [...ids];
}

/** Creates the handler of requests with a key. `namesOfIds`: the fields of replies that hold ids of people, besides `id`. */
export function createIdempotentRunner(
  context: Pick<Context, 'database' | 'wallClock' | 'randomBytes'>,
  namesOfIds: readonly string[],
): IdempotentRunner {
  const { database, wallClock } = context;
  const names = new Set(['id', ...namesOfIds]);
  const randomBytes = (count: number): Uint8Array => context.randomBytes(count);

  return async (request, work) => {
    const { organizationId, caller } = request;
    const { keyDigest, requestDigest, sealingKey, label } = secretsOf(request);

    const find = async (): Promise<KeptReplyRow | undefined> => {
      const [[row]] = await database.read(organizationId, selectKeptReply({ caller, keyDigest }));
      return row;
    };
    const replay = ({ request_digest: former, status, sealed_reply: sealed }: KeptReplyRow) => {
      if (!former.equals(requestDigest)) {
        throw failure(
          'IDEMPOTENCY_KEY_REUSED',
          'Idempotency-Key was used with another request: send a new one.',
        );
      }
      if (sealed.length === 0) {
        throw failure(
          'IDEMPOTENCY_KEY_REUSED',
          'The request with this Idempotency-Key was done; its reply is gone, because the data of a person in it is erased.',
        );
      }
      const kept: Pick<RepeatableReply, 'headers' | 'text'> = JSON.parse(
        unseal(sealingKey, sealed, label).toString(),
      );
      return { reply: { ...kept, status }, isReplay: true };
    };
    const keep = ({ status, headers, text }: RepeatableReply) => {
      const sealedReply = seal(
        sealingKey,
        Buffer.from(JSON.stringify({ headers, text })),
        label,
        randomBytes,
      );
      return keepReply({ caller, keyDigest, status, sealedReply, about: idsIn(text, names) });
    };

    const before = await find();
    if (before !== undefined) return replay(before);
    const claim = claimKey({ caller, keyDigest, requestDigest, at: isoTimestamp(wallClock.now()) });
    try {
      return {
        reply: await database.withAmbientTransaction(organizationId, claim, work, keep),
        isReplay: false,
      };
    } catch (error) {
      // A concurrent request with the key may have committed: then its reply takes precedence over this error.
      const committed = await find();
      if (committed === undefined) throw error;
      return replay(committed);
    }
  };
}
