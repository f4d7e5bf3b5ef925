import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import type { DeclaredHeader } from '../../platform/http/endpoint-requests.ts';
import type { MasterKeys } from '../../platform/storage/master-keys.ts';

/*
 * The token in the reply to a placed order (D67): who placed an order in a web page reads it with that, without signing in.
 * It is a code over the order, made with the master key, so nothing is stored and a replay answers a valid one again.
 */

/** How a page shows the token. */
export const orderTokenHeader: DeclaredHeader = {
  name: 'X-Order-Token',
  description:
    'The `orderToken` of the reply to a placed order; with a publishable key this or a customer token is required.',
};

const dayMs = 86_400_000;
/** An order is done by then; a token that gets lost later opens nothing. */
const lifeMs = 90 * dayMs;

/** Makes and checks the tokens of orders. */
export class OrderTokens {
  readonly #context: Pick<Context, 'wallClock' | 'randomBytes'>;
  readonly #keys: MasterKeys;

  constructor(context: Pick<Context, 'wallClock' | 'randomBytes'>, keys: MasterKeys) {
    this.#context = context;
    this.#keys = keys;
  }

  /** A token for an order, `dco_live_…`, valid for 90 days. */
  async make(organization: OrganizationId, orderId: string): Promise<string> {
    const [present] = await this.#keys.load(this.#context.randomBytes);
    const endsOn = Math.ceil((this.#context.wallClock.now() + lifeMs) / dayMs);
    return `dco_live_${endsOn}x${codeOf(present.key, organization, orderId, endsOn)}`;
  }

  /** Whether a text is a token for this order that is still valid. */
  async fits(text: string | undefined, organization: OrganizationId, orderId: string): Promise<boolean> {
    const [, day, code] = /^dco_live_(\d{1,7})x([0-9a-f]{48})$/.exec(text ?? '') ?? [];
    if (day === undefined || code === undefined) return false;
    if (Number(day) * dayMs <= this.#context.wallClock.now()) return false;
    const sent = Buffer.from(code);
    // Every key is tried, so that a rotation of the master key ends no token.
    const fits = (await this.#keys.known()).map(({ key }) =>
      timingSafeEqual(Buffer.from(codeOf(key, organization, orderId, Number(day))), sent),
    );
    return fits.includes(true);
  }
}

/** 192 bits, in hexadecimal. */
function codeOf(key: Uint8Array, organization: OrganizationId, orderId: string, endsOn: number): string {
  const text = `order token:${organization}:${orderId}:${endsOn}`;
  return createHmac('sha256', key).update(text).digest('hex').slice(0, 48);
}
