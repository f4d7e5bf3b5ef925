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
const organizationsPath = `${operatorPath}/v1/organizations`;
/** Takes an archive as its body. */
export const importPath = `${organizationsPath}/import`;

/** What the page takes and how long it waits; tests take less. */
export interface DeskLimits {
  /** The size of an archive that comes in; the command takes larger ones. */
  readonly archiveBytes: number;
  /** An archive that does not move for so long is given up: its transaction holds what the database would clear away. */
  readonly idleMs: number;
}
export const deskLimits: DeskLimits = { archiveBytes: 4 * 1_073_741_824, idleMs: 60_000 };

const bodyBytesMax = 4_096;
const bodyMsMax = 5_000;

/** Who does it: people with one key are told apart in the audit log. */
const by = NonBlankText({ max: 80 });
const bodies = {
  suspend: Type.Object({ by, reason: NonBlankText({ max: 200 }) }),
  resume: Type.Object({ by }),
  export: Type.Object({ by }),
  /** These are in the query: the body is the archive. */
  import: Type.Object({ by, reason: NonBlankText({ max: 200 }) }),
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
):
  | { readonly operation: 'list' }
  | { readonly operation: 'import' }
  | { readonly operation: Exclude<Operation, 'import'>; readonly id: number }
  | null {
  if (path === organizationsPath) return { operation: 'list' };
  if (path === importPath) return { operation: 'import' };
  if (!path.startsWith(`${organizationsPath}/`)) return null;
  const [, id, operation = ''] =
    /^([1-9]\d{0,14})\/([a-z]+)$/.exec(path.slice(organizationsPath.length + 1)) ?? [];
  if (operation === 'import' || !Object.hasOwn(bodies, operation)) return null;
  return { operation: operation as Exclude<Operation, 'import'>, id: Number(id) };
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
      ...{ export: validator('export'), import: validator('import'), delete: validator('delete') },
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

  /** Who imports and why, and what opens the archive: the text of its header, percent-encoded; undefined: none is sent. */
  readImport({ url, headers }: IncomingMessage): Asked & { readonly key: string | undefined } {
    const query = Object.fromEntries(new URLSearchParams(url!.split('?')[1] ?? ''));
    const asked = this.#validate.import({}, {}, query, true).body as Asked;
    const sent = String(headers['archive-key'] ?? '');
    try {
      return { ...asked, key: decodeURIComponent(sent).trim() || undefined };
    } catch {
      throw failure('INVALID_PARAMS', 'Archive-Key must be percent-encoded.');
    }
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
