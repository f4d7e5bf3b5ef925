/**
 * Requests with an idempotency key are done once (D63). Owns `idempotency_keys`: one row for each key of a caller, written
 * in the transaction that does what the request asks for, with the reply; deleted after 48 hours. The reply is encrypted
 * under the key's text, of which only a digest is stored: it may hold personal data, or a secret that is shown once, and
 * the database alone tells neither. Reads no headers and sends nothing: that is http's.
 */
import { createHash, createHmac, hkdfSync } from 'node:crypto';
import type { Context } from '../database/context.ts';
import type { KeyedRequest, OnlyOnce, RepeatableReply } from '../http/only-once.ts';
import { failure } from '../kernel/failure.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { keyBytes, seal, unseal } from '../storage/envelope.ts';
import { claimKey, type KeptReplyRow, keepReply, selectKeptReply } from './kept-reply-queries.ts';

export { purgeIdempotencyKeys, startIdempotencyRetention } from './purge-idempotency-keys.ts';

/** What a key's text gives: a name to find it by, and keys for what is kept of it. */
function secretsOf({ organizationId, caller, key, content }: KeyedRequest) {
  const derived = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', key, `${organizationId} ${caller}`, purpose, keyBytes));
  return {
    keyDigest: createHash('sha256').update(key).digest(),
    // Not a plain digest: of a short body that could be guessed.
    requestDigest: createHmac('sha256', derived('idempotent request')).update(content).digest(),
    sealingKey: derived('idempotent reply'),
    label: `reply to ${caller} of ${organizationId}`,
  };
}

/** Makes what answers requests with a key. */
export function createOnlyOnce(context: Pick<Context, 'database' | 'clock' | 'randomBytes'>): OnlyOnce {
  const { database, clock } = context;
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
          'Idempotency-Key came with another request before: send a fresh one.',
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
      return keepReply({ caller, keyDigest, status, sealedReply });
    };

    const before = await find();
    if (before !== undefined) return replay(before);
    const claim = claimKey({ caller, keyDigest, requestDigest, at: isoTimestamp(clock.now()) });
    try {
      return { reply: await database.enclose(organizationId, claim, work, keep), isReplay: false };
    } catch (error) {
      // Another request with the key may have been done meanwhile: then its reply goes before this error.
      const meanwhile = await find();
      if (meanwhile === undefined) throw error;
      return replay(meanwhile);
    }
  };
}
