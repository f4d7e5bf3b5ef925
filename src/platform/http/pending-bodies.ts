import { type Failure, failure } from '../../kernel/failure.ts';
import { addressBlock } from './address-block.ts';
import type { BoundsReached } from './bounds-reached.ts';
import type { Exchange } from './exchange.ts';
import { type BodyTooLarge, readBody } from './request-body.ts';

interface BodyBounds {
  readonly pendingBodiesMax: number;
  readonly pendingBodiesOfAddressMax: number;
  /** A body may be pending this long before the limit of its address applies: valid requests may arrive in bursts. */
  readonly pendingBodyGraceMs: number;
  /** For operations without keys and session. */
  readonly openBodyTimeoutMs: number;
}

interface PendingBody {
  readonly exchange: Exchange;
  readonly giveUp: (error: Failure) => void;
  readonly sinceMs: number;
  block?: string | null;
}

/**
 * The requests whose headers have arrived and whose body has not. They do not count as requests in flight. Their total
 * number is limited, and so is the number of one address (IPv6: one /64), except that of a trusted proxy. At a limit,
 * a new request makes the oldest pending one be refused. The limit of an address applies only after a grace period, in
 * which a body that is sent at once arrives.
 */
export class PendingBodies {
  /** In order of arrival. */
  readonly #pending = new Set<PendingBody>();
  readonly #bounds: BodyBounds;
  readonly #isProxy: (address: string) => boolean;
  readonly #reached: BoundsReached;

  constructor(bounds: BodyBounds, isProxy: (address: string) => boolean, reached: BoundsReached) {
    this.#bounds = bounds;
    this.#isProxy = isProxy;
    this.#reached = reached;
  }

  /**
   * Reads a body of at most `bytesMax`. `isOpen`: an operation without keys or session, with a shorter timeout. Fails
   * as `readBody` does, with INVALID_PARAMS after the timeout, and with RATE_LIMITED or SERVICE_UNAVAILABLE at a limit.
   */
  async read(
    exchange: Exchange,
    limits: {
      readonly bytesMax: number;
      readonly tooLarge: BodyTooLarge | undefined;
      readonly isOpen: boolean;
    },
  ): Promise<Buffer> {
    let pending: PendingBody | undefined;
    let timer: NodeJS.Timeout | undefined;
    const { request, response } = exchange;
    exchange.leave();
    try {
      return await readBody(request, response, limits.bytesMax, limits.tooLarge, (giveUp) => {
        pending = {
          exchange,
          sinceMs: performance.now(),
          giveUp: (error) => {
            // The rest of the body is not needed.
            exchange.headers.connection = 'close';
            giveUp(error);
          },
        };
        if (limits.isOpen) timer = this.#timeOut(pending);
        this.#add(pending);
      });
    } finally {
      clearTimeout(timer);
      if (pending) this.#pending.delete(pending);
      exchange.enter();
    }
  }

  #timeOut({ giveUp }: PendingBody): NodeJS.Timeout {
    const { openBodyTimeoutMs } = this.#bounds;
    const message = `The body must arrive within ${openBodyTimeoutMs / 1000} seconds.`;
    return setTimeout(() => giveUp(failure('INVALID_PARAMS', message)), openBodyTimeoutMs).unref();
  }

  #add(added: PendingBody): void {
    const { pendingBodiesMax, pendingBodiesOfAddressMax } = this.#bounds;
    this.#pending.add(added);
    // Usual case: the total is within the limit of one address, so no address is parsed.
    if (this.#pending.size <= pendingBodiesOfAddressMax) return;
    const block = this.#blockOf(added);
    const ofBlock = block === null ? [] : [...this.#pending].filter((it) => this.#blockOf(it) === block);
    if (ofBlock.length > pendingBodiesOfAddressMax && this.#isSlow(ofBlock[0]!)) {
      const words = 'Too many requests from this address are incomplete.';
      this.#refuse(ofBlock[0]!, 'bodies-of-address', failure('RATE_LIMITED', words));
    } else if (this.#pending.size > pendingBodiesMax) {
      const [oldest] = this.#pending;
      const words = 'Too many requests are incomplete.';
      this.#refuse(oldest!, 'bodies', failure('SERVICE_UNAVAILABLE', words));
    }
  }

  #isSlow({ sinceMs }: PendingBody): boolean {
    return performance.now() - sinceMs >= this.#bounds.pendingBodyGraceMs;
  }

  #refuse(pending: PendingBody, bound: 'bodies' | 'bodies-of-address', error: Failure): void {
    this.#pending.delete(pending);
    this.#reached.note(bound, pending.block ?? pending.exchange.clientAddress);
    pending.giveUp(error);
  }

  /** Null for a trusted proxy, which carries requests of many callers. */
  #blockOf(pending: PendingBody): string | null {
    if (pending.block === undefined) {
      const address = pending.exchange.clientAddress;
      pending.block = this.#isProxy(address) ? null : addressBlock(address, 64);
    }
    return pending.block;
  }
}
