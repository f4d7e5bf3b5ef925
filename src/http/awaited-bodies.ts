import { type Failure, failure } from '../kernel/failure.ts';
import { addressBlock } from './address-block.ts';
import type { BoundsReached } from './bounds-reached.ts';
import type { Exchange } from './exchange.ts';
import { type BodyTooLarge, readBody } from './request-body.ts';

export interface BodyBounds {
  readonly awaitedBodiesMax: number;
  readonly awaitedBodiesOfAddressMax: number;
  /** A body may be pending this long before the limit of its address applies: valid requests may arrive in bursts. */
  readonly awaitedBodyGraceMs: number;
  /** For operations without keys and session. */
  readonly openBodyTimeoutMs: number;
}

interface Awaited {
  readonly exchange: Exchange;
  readonly giveUp: (error: Failure) => void;
  readonly sinceMs: number;
  block?: string | null;
}

/**
 * The requests whose headers have arrived and whose body has not. They do not count as requests in flight. Their total
 * number is limited, and so is the number of one address (IPv6: one /64), except that of a trusted proxy. At a limit,
 * the next request has the oldest pending one refused. The limit of an address applies only after a grace period, in
 * which a body that is sent at once arrives.
 */
export class AwaitedBodies {
  /** In order of arrival. */
  readonly #awaited = new Set<Awaited>();
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
    let awaited: Awaited | undefined;
    let timer: NodeJS.Timeout | undefined;
    const { request, response } = exchange;
    exchange.leave();
    try {
      return await readBody(request, response, limits.bytesMax, limits.tooLarge, (giveUp) => {
        awaited = {
          exchange,
          sinceMs: performance.now(),
          giveUp: (error) => {
            // The rest of the body is not needed.
            exchange.headers.connection = 'close';
            giveUp(error);
          },
        };
        if (limits.isOpen) timer = this.#timeOut(awaited);
        this.#add(awaited);
      });
    } finally {
      clearTimeout(timer);
      if (awaited) this.#awaited.delete(awaited);
      exchange.enter();
    }
  }

  #timeOut({ giveUp }: Awaited): NodeJS.Timeout {
    const { openBodyTimeoutMs } = this.#bounds;
    const message = `The body must arrive within ${openBodyTimeoutMs / 1000} seconds.`;
    return setTimeout(() => giveUp(failure('INVALID_PARAMS', message)), openBodyTimeoutMs).unref();
  }

  #add(added: Awaited): void {
    const { awaitedBodiesMax, awaitedBodiesOfAddressMax } = this.#bounds;
    this.#awaited.add(added);
    // Usual case: the total is within the limit of one address, so no address is parsed.
    if (this.#awaited.size <= awaitedBodiesOfAddressMax) return;
    const block = this.#blockOf(added);
    const ofBlock = block === null ? [] : [...this.#awaited].filter((it) => this.#blockOf(it) === block);
    if (ofBlock.length > awaitedBodiesOfAddressMax && this.#isSlow(ofBlock[0]!)) {
      const words = 'Too many requests from this address are incomplete.';
      this.#refuse(ofBlock[0]!, 'bodies-of-address', failure('RATE_LIMITED', words));
    } else if (this.#awaited.size > awaitedBodiesMax) {
      const [oldest] = this.#awaited;
      const words = 'Too many requests are incomplete.';
      this.#refuse(oldest!, 'bodies', failure('SERVICE_UNAVAILABLE', words));
    }
  }

  #isSlow({ sinceMs }: Awaited): boolean {
    return performance.now() - sinceMs >= this.#bounds.awaitedBodyGraceMs;
  }

  #refuse(awaited: Awaited, bound: 'bodies' | 'bodies-of-address', error: Failure): void {
    this.#awaited.delete(awaited);
    this.#reached.note(bound, awaited.block ?? awaited.exchange.clientAddress);
    awaited.giveUp(error);
  }

  /** Null for a trusted proxy, which carries requests of many callers. */
  #blockOf(awaited: Awaited): string | null {
    if (awaited.block === undefined) {
      const address = awaited.exchange.clientAddress;
      awaited.block = this.#isProxy(address) ? null : addressBlock(address, 64);
    }
    return awaited.block;
  }
}
