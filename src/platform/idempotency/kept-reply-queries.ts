import { statement } from '../statements/statement.ts';

export interface KeptReplyRow {
  readonly request_digest: Buffer;
  readonly status: number;
  readonly sealed_reply: Buffer;
}

/** A key without a reply is visible to its own transaction only. */
export const selectKeptReply = statement<{ caller: string; keyDigest: Uint8Array }, KeptReplyRow>(
  'select_kept_reply',
  `select request_digest, status, sealed_reply from idempotency_keys
    where organization_id = :organizationId and caller = :caller and key_digest = :keyDigest`,
);

/** Waits for another transaction that has claimed the key, and violates the primary key if that one commits. */
export const claimKey = statement<{
  caller: string;
  keyDigest: Uint8Array;
  requestDigest: Uint8Array;
  at: string;
}>(
  'claim_reply_key',
  `insert into idempotency_keys (organization_id, caller, key_digest, request_digest, created_at)
   values (:organizationId, :caller, :keyDigest, :requestDigest, :at)`,
);

export const keepReply = statement<{
  caller: string;
  keyDigest: Uint8Array;
  status: number;
  sealedReply: Uint8Array;
  about: readonly number[];
}>(
  'keep_reply',
  `update idempotency_keys set status = :status, sealed_reply = :sealedReply, about = :about::bigint[]
    where organization_id = :organizationId and caller = :caller and key_digest = :keyDigest`,
);

/** The oldest first, a limited number at once, to keep transactions short. */
export const deleteOldKeys = statement<{ before: string; limit: number }, { caller: string }>(
  'delete_old_idempotency_keys',
  `delete from idempotency_keys
    where organization_id = :organizationId and (caller, key_digest) in (
      select o.caller, o.key_digest from idempotency_keys o
       where o.organization_id = :organizationId and o.created_at < :before order by o.created_at limit :limit)
    returning caller`,
);

/** Replies that show one of these records, whose data is erased. The keys stay taken: what they asked for was done. */
export const eraseRepliesAbout = statement<{ ids: readonly number[] }, never>(
  'erase_replies_about',
  `update idempotency_keys set sealed_reply = '', about = '{}'
    where organization_id = :organizationId and about && :ids::bigint[]`,
);
