import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { addressFilter } from '../../kernel/address-ranges.ts';
import { digestOf, type Environment, isWellFormedKey } from '../../kernel/api-keys.ts';
import { organizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';
import type { Context } from '../../platform/database/context.ts';
import { sandboxOf } from '../../platform/http/callers-sandbox.ts';
import type { StaffCaller } from '../../platform/http/endpoint.ts';
import {
  findSessionDigest,
  findStaffSession,
  selectOpenSessions,
  selectSessionsInForce,
  touchStaffSession,
} from './session-queries.ts';

/** A session ends after this time without use, and at the latest this long after signing in. */
const sessionIdleMsMax = 12 * 3_600_000;
export const sessionAgeMsMax = 30 * 24 * 3_600_000;

/**
 * A member who is disabled or signed out by another process is refused within one second, so a result is cached for
 * less.
 */
const answerLifeMs = 800;
const answersMax = 10_000;
/** The minimum interval between writes of a session's last use. */
const touchEveryMs = 60_000;

/** Returns which of these sessions are still valid. Unlike a request, this does not count as use. */
export function sessionsInForce(ids: readonly number[], nowMs: number) {
  return selectSessionsInForce({
    ids,
    usedAfter: isoTimestamp(nowMs - sessionIdleMsMax),
    startedAfter: isoTimestamp(nowMs - sessionAgeMsMax),
  });
}

/** Returns the sessions of a member that are still valid. */
export function openSessionsOf(staffId: number, nowMs: number) {
  return selectOpenSessions({
    staffId,
    usedAfter: isoTimestamp(nowMs - sessionIdleMsMax),
    startedAfter: isoTimestamp(nowMs - sessionAgeMsMax),
  });
}

/** What sign-in needs besides the context. */
export interface StaffAccess {
  readonly sessions: StaffSessions;
  readonly environment: Environment;
  /** The public address of the service; undefined: the listener's address. */
  readonly publicUrl: string | undefined;
  /** The address of a page of this service, for links in mail; undefined where no requests are served. */
  readonly pageUrl?: (path: string) => string;
  /** SMTP_URL is set: mail goes to its recipients. */
  readonly hasMailServer?: boolean;
  /** The demo's shops, whose customers do not exist: their owners see the codes of these. */
  readonly demoOrganizations?: readonly number[];
  /** WEBHOOK_HOSTS_ALLOWED: own hosts that may be endpoints of webhooks. */
  readonly webhookHostsAllowed?: readonly string[];
  /** METRC_VENDOR_KEY and METRC_URL: how the states' systems are reached. */
  readonly stateSystem?: { readonly vendorKey: string | undefined; readonly url: string | undefined };
  /** SIGN_IN_HOSTS_ALLOWED: own hosts that may be identity providers. */
  readonly signInHostsAllowed?: readonly string[];
  /** PAYMENT_HOSTS_ALLOWED: own hosts where terminals or providers of payments are. */
  readonly paymentHostsAllowed?: readonly string[];
}

interface Answer {
  readonly staff: StaffCaller | null;
  readonly endsAtMs: number;
}

const noSession: Answer = { staff: null, endsAtMs: Number.POSITIVE_INFINITY };

/**
 * Finds the session of a token. Missing, malformed, of the other environment, unknown, ended and disabled staff: all
 * return null. Look-ups use digests. Concurrent requests with a token share one look-up.
 */
export class StaffSessions {
  readonly #context: Pick<Context, 'database' | 'clock'>;
  readonly #environment: Environment;
  readonly #answers = new LRUCache<string, { readonly askedAtMs: number; readonly answer: Promise<Answer> }>({
    max: answersMax,
  });
  /** Sessions that ended in this process; cached results for them are ignored. */
  readonly #ended = new Set<number>();

  constructor(context: Pick<Context, 'database' | 'clock'>, environment: Environment) {
    this.#context = context;
    this.#environment = environment;
  }

  readonly authenticate = async (token: string, isFresh = false): Promise<StaffCaller | null> => {
    if (!isWellFormedKey(token, 'dcs', this.#environment)) return null;
    const nowMs = this.#context.clock.now();
    const digest = digestOf(token);
    const name = digest.toString('base64');
    let known = this.#answers.get(name);
    if (
      isFresh ||
      known === undefined ||
      nowMs - known.askedAtMs >= answerLifeMs ||
      nowMs < known.askedAtMs
    ) {
      known = { askedAtMs: nowMs, answer: this.#ask(digest, nowMs) };
      this.#answers.set(name, known);
      // A failed look-up is not cached: the next request tries again.
      known.answer.catch(() => this.#answers.delete(name));
    }
    const { staff, endsAtMs } = await known.answer;
    if (staff === null || nowMs >= endsAtMs || this.#ended.has(staff.sessionId)) return null;
    return staff;
  };

  /** Refuses the session in this process from now on, regardless of cached results. */
  forget(sessionId: number): void {
    this.#ended.add(sessionId);
    // By then every earlier result has expired.
    if (this.#ended.size > answersMax) this.#ended.delete(this.#ended.values().next().value!);
  }

  async #ask(digest: Buffer, nowMs: number): Promise<Answer> {
    const { database } = this.#context;
    const [found] = await database.global(findSessionDigest({ digest }));
    if (found === undefined || !timingSafeEqual(found.digest, digest)) return noSession;
    const organization = organizationId(found.organization_id);
    const id = found.session_id;
    const [[session]] = await database.read(organization, findStaffSession({ id }));
    if (session === undefined || session.revoked_at !== null || session.disabled_at !== null)
      return noSession;
    const endOf = (lastUsedAtMs: number) =>
      Math.min(lastUsedAtMs + sessionIdleMsMax, session.created_at + sessionAgeMsMax);
    if (nowMs >= endOf(session.last_used_at)) return noSession;
    if (nowMs - session.last_used_at >= touchEveryMs) {
      const at = new Date(nowMs).toISOString();
      await database.write(organization, async (tx) => tx.queue(touchStaffSession({ id, at })));
    }
    return {
      endsAtMs: endOf(nowMs),
      staff: {
        organizationId: organization,
        staffId: session.staff_id,
        sessionId: id,
        role: session.role as StaffRole,
        email: session.email,
        firstName: session.first_name,
        lastName: session.last_name,
        sandbox: sandboxOf(session),
        isSuspended: session.is_suspended,
        standing: {
          provenAtMs: session.proven_at,
          hasSecondFactor: session.has_app || session.has_passkey,
          hasPasskey: session.has_passkey,
          mustSetUpFactor:
            session.must_have_second_factor &&
            !(session.has_app || session.has_passkey || session.has_provider_factor),
          isAllowedFrom:
            session.allowed_addresses.length === 0 ? null : addressFilter(session.allowed_addresses),
          proofAboveCents: session.refund_proof_cents,
        },
      },
    };
  }
}
