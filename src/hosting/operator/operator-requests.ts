import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import Type, { type Static } from 'typebox';
import { plainAddress } from '../../kernel/address-ranges.ts';
import type { Clock } from '../../kernel/clock.ts';
import { failure } from '../../kernel/failure.ts';
import { failureLimits, failuresOfAddress, RateLimits } from '../../platform/http/rate-limits.ts';
import { parseJson, readBody, requireJson } from '../../platform/http/request-body.ts';
import { requestValidator } from '../../platform/http/request-validation.ts';
import { NonBlankText, WholeNumber } from '../../platform/http/schemas.ts';
import { hostProblem, ServiceNames } from '../../platform/http/sent-host.ts';
import { graceDays } from '../organization-moves/organization-moves.ts';

/** The page, and all below it. */
export const operatorPath = '/operator';

const bodyBytesMax = 4_096;
const bodyMsMax = 5_000;

/** Who does it: people with one key are told apart in the audit log. */
const by = NonBlankText({ max: 80 });
const bodies = {
  suspend: Type.Object({ by, reason: NonBlankText({ max: 200 }) }),
  resume: Type.Object({ by }),
  export: Type.Object({ by }),
  delete: Type.Object({
    ...{ by, name: NonBlankText({ max: 200 }) },
    afterDays: Type.Optional(WholeNumber({ min: 0, max: graceDays.max })),
  }),
};
type Operation = keyof typeof bodies;

/** What a body says; a field is there if its operation has it. */
export type Asked = Static<(typeof bodies)['resume']> & {
  readonly reason?: string;
  readonly name?: string;
  readonly afterDays?: number;
};

/** The operation of a path; null: there is none. */
export function readAsked(
  path: string,
): { readonly operation: 'list' } | { readonly operation: Operation; readonly id: number } | null {
  const root = `${operatorPath}/v1/organizations`;
  if (path === root) return { operation: 'list' };
  if (!path.startsWith(`${root}/`)) return null;
  const [, id, operation = ''] = /^([1-9]\d{0,14})\/([a-z]+)$/.exec(path.slice(root.length + 1)) ?? [];
  return Object.hasOwn(bodies, operation) ? { operation: operation as Operation, id: Number(id) } : null;
}

interface GateParts {
  readonly key: string;
  readonly host: string;
  readonly context: { readonly wallClock: Clock };
  readonly logger: Logger;
}

/** Refuses what comes without the operator's key. */
export class OperatorGate {
  readonly #digest: Buffer;
  readonly #names = new ServiceNames(undefined);
  readonly #limits: RateLimits;
  readonly #logger: Logger;
  readonly #validate: Readonly<Record<Operation, ReturnType<typeof requestValidator>>>;

  constructor({ key, host, context, logger }: GateParts) {
    this.#limits = new RateLimits(context.wallClock);
    this.#digest = digestOf(key);
    this.#names.boundHost = host;
    this.#logger = logger;
    const validator = (operation: Operation) =>
      requestValidator({ body: bodies[operation], resourceParams: {}, refusesUnknownNames: true });
    this.#validate = {
      ...{ suspend: validator('suspend'), resume: validator('resume') },
      ...{ export: validator('export'), delete: validator('delete') },
    };
  }

  /** A page of another site may have a name point to this machine: then its requests come with that name. */
  requireKnownHost(request: IncomingMessage): void {
    const problem = hostProblem(request);
    if (problem !== null) throw failure('INVALID_PARAMS', problem);
    if (this.#names.know(request)) return;
    throw failure(
      'CROSS_ORIGIN_REQUEST',
      'Open the page as localhost, through a tunnel, or by the address of this machine.',
    );
  }

  requireMethod({ method }: IncomingMessage, response: ServerResponse, allowed: 'GET' | 'POST'): void {
    if (method === allowed) return;
    response.setHeader('allow', allowed);
    throw failure('METHOD_NOT_ALLOWED', `This path takes ${allowed}.`);
  }

  /** Counts attempts before it compares, so that guesses wait, a right one among them. */
  requireKey({ headers, socket }: IncomingMessage, response: ServerResponse): void {
    const [, sent] = /^Bearer ([\x21-\x7e]+)$/i.exec(headers.authorization ?? '') ?? [];
    response.setHeader('www-authenticate', 'Bearer');
    if (sent === undefined) throw wrongKey();
    const from = plainAddress(socket.remoteAddress ?? '');
    const counted = failuresOfAddress(failureLimits.keys, from);
    const refusal = this.#limits.takeFailures(...counted);
    if (refusal !== null) {
      response.setHeader('retry-after', refusal.state.retryAfterSeconds);
      throw failure('RATE_LIMITED', 'Too many wrong keys from this address.');
    }
    if (!timingSafeEqual(digestOf(sent), this.#digest)) {
      this.#logger.warn({ from }, 'a wrong operator key');
      throw wrongKey();
    }
    this.#limits.giveBackFailures(...counted);
    response.removeHeader('www-authenticate');
  }

  async readBody(request: IncomingMessage, response: ServerResponse, operation: Operation): Promise<Asked> {
    requireJson(request);
    let timer: NodeJS.Timeout | undefined;
    try {
      const bytes = await readBody(request, response, bodyBytesMax, undefined, (giveUp) => {
        const late = failure('INVALID_PARAMS', 'The body must arrive within 5 seconds.');
        timer = setTimeout(() => giveUp(late), bodyMsMax);
      });
      return this.#validate[operation]({}, {}, parseJson(bytes), true).body as Asked;
    } finally {
      clearTimeout(timer);
    }
  }
}

const digestOf = (key: string): Buffer => hash('sha256', key, 'buffer');

const wrongKey = () =>
  failure('INVALID_API_CREDENTIALS', 'Send the key of the operator: Authorization: Bearer <OPERATOR_KEY>.');
