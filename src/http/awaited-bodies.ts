import { type Failure, failure } from '../kernel/failure.ts';
import { addressBlock } from './address-block.ts';
import type { BoundsReached } from './bounds-reached.ts';
import type { Exchange } from './exchange.ts';
import { type BodyTooLarge, readBody } from './request-body.ts';

export interface BodyBounds {
  readonly awaitedBodiesMax: number;
  readonly awaitedBodiesOfAddressMax: number;
  /** So long a body may be on its way before the bound of its address concerns it: many good requests may come at once. */
  readonly awaitedBodyGraceMs: number;
  /** Of operations that ask for neither keys nor session. */
  readonly openBodyTimeoutMs: number;
}

interface Awaited {
  readonly exchange: Exchange;
  readonly giveUp: (error: Failure) => void;
  readonly sinceMs: number;
  block?: string | null;
}

/**
 * The requests whose head has come and whose body has not. They are no work yet, and so not counted as that; what they
 * can hold is bounded: by how many there are, and how many of one address (of IPv6: of one /64) that is no trusted
 * proxy's. When one more comes, the one that is awaited the longest is refused; by the bound of its address only after a
 * moment, in which a body that is not held back arrives.
 */
export class AwaitedBodies {
  /** In the order in which they came. */
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
   * Reads a body of at most `bytesMax`. `isOpen`: of an operation without keys or session, which has to be quick.
   * Fails as `readBody` does, with INVALID_PARAMS when it is too slow, and with RATE_LIMITED or SERVICE_UNAVAILABLE at a
   * bound.
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
            // What is still to come of it is of no use.
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
    const message = `The body must come within ${openBodyTimeoutMs / 1000} seconds.`;
    return setTimeout(() => giveUp(failure('INVALID_PARAMS', message)), openBodyTimeoutMs).unref();
  }

  #add(added: Awaited): void {
    const { awaitedBodiesMax, awaitedBodiesOfAddressMax } = this.#bounds;
    this.#awaited.add(added);
    // Nearly always: then no address can have more than it may, and none is asked for.
    if (this.#awaited.size <= awaitedBodiesOfAddressMax) return;
    const block = this.#blockOf(added);
    const ofBlock = block === null ? [] : [...this.#awaited].filter((it) => this.#blockOf(it) === block);
    if (ofBlock.length > awaitedBodiesOfAddressMax && this.#isSlow(ofBlock[0]!)) {
      const words = 'Too many requests of this address have sent only a part of themselves.';
      this.#refuse(ofBlock[0]!, 'bodies-of-address', failure('RATE_LIMITED', words));
    } else if (this.#awaited.size > awaitedBodiesMax) {
      const [oldest] = this.#awaited;
      const words = 'Too many requests have sent only a part of themselves.';
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

  /** Null: of a trusted proxy, behind which there are many. */
  #blockOf(awaited: Awaited): string | null {
    if (awaited.block === undefined) {
      const address = awaited.exchange.clientAddress;
      awaited.block = this.#isProxy(address) ? null : addressBlock(address, 64);
    }
    return awaited.block;
  }
}
