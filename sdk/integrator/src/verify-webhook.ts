import type { Schema, ShopEvent } from './operation-types.ts';
import type { ShopEventType } from './shop-events.ts';

/**
 * An event as it arrives: `data` is the change that `GET /api/v1/changes` shows. In a `switch` over `type`, `data.facts` has the type of
 * that event. `webhook_endpoint.test` is the test that an owner or an integrator asks for.
 */
export type WebhookEvent =
  | {
      [Type in ShopEventType]: {
        readonly type: Type;
        /** When it happened. */
        readonly timestamp: string;
        readonly data: Extract<ShopEvent, { readonly type: Type }>;
      };
    }[ShopEventType]
  | { readonly type: 'webhook_endpoint.test'; readonly timestamp: string; readonly data: Schema['Change'] };

export type VerifiedWebhook = WebhookEvent & {
  /** `webhook-id`: an event can arrive more than once, each time with the same id. */
  readonly id: string;
};

/**
 * Why a webhook is not accepted. `MISSING_HEADER`: it is not signed by Standard Webhooks. `OUT_OF_TIME`: it was signed too long
 * ago, or ahead of the clock. `WRONG_SIGNATURE`: no secret made its signature. `NOT_JSON`: it is signed and cannot be read.
 */
export type WebhookProblem = 'MISSING_HEADER' | 'OUT_OF_TIME' | 'WRONG_SIGNATURE' | 'NOT_JSON';

/** A webhook that must not be trusted: answer 400, and do nothing. */
export class WebhookRefused extends Error {
  override name = 'WebhookRefused';
  readonly code: WebhookProblem;

  constructor(code: WebhookProblem, message: string) {
    super(message);
    this.code = code;
  }
}

export interface WebhookToVerify {
  /** The body as it arrived, unparsed. */
  readonly body: string | Uint8Array;
  /** `Headers`, or those of Node's `IncomingMessage`. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The secret of the endpoint (`whsec_…`), or several while it is rotated. */
  readonly secrets: string | readonly string[];
  /** How far the time of signing may be off. By default 5 minutes. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970; by default the clock of the machine. */
  readonly now?: () => number;
}

/** Signatures in one header; while a secret is rotated there are two. */
const signatureCountMax = 10;

/**
 * Checks that a webhook comes from the service, unchanged and in time (Standard Webhooks, D66), and returns it. Throws
 * `WebhookRefused`. Signatures are compared in constant time. It needs Web Crypto only: it runs in Node, in browsers and at the
 * edge.
 */
export async function verifyWebhook(sent: WebhookToVerify): Promise<VerifiedWebhook> {
  const { body, headers, secrets, toleranceSeconds = 300, now = Date.now } = sent;
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !timestamp || !signatures) {
    throw new WebhookRefused(
      'MISSING_HEADER',
      'webhook-id, webhook-timestamp or webhook-signature is missing.',
    );
  }
  const offSeconds = Math.abs(now() / 1_000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || offSeconds > toleranceSeconds) {
    throw new WebhookRefused('OUT_OF_TIME', 'webhook-timestamp is too far from the present time.');
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const given = signatures.split(' ', signatureCountMax).flatMap((signature) => {
    const [version, text = ''] = signature.split(',');
    const decoded = version === 'v1' ? decodeBase64(text) : null;
    return decoded === null ? [] : [decoded];
  });
  const keys = await Promise.all((typeof secrets === 'string' ? [secrets] : secrets).map(importSecret));
  const verdicts = await Promise.all(
    keys.flatMap((key) => given.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed))),
  );
  if (!verdicts.includes(true)) {
    throw new WebhookRefused(
      'WRONG_SIGNATURE',
      'webhook-signature is not made with a secret of this endpoint.',
    );
  }
  try {
    return { ...(JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent), id };
  } catch {
    throw new WebhookRefused('NOT_JSON', 'The body is not JSON.');
  }
}

function headerOf(headers: WebhookToVerify['headers'], name: string): string | undefined {
  // Frameworks bring classes of their own, which are no `instanceof Headers`.
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const value = headers[name] ?? Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'object' ? value.join(' ') : value;
}

function isHeaders(headers: WebhookToVerify['headers']): headers is Headers {
  return typeof headers.get === 'function';
}

async function importSecret(secret: string) {
  const key = decodeBase64(secret.replace(/^whsec_/, ''));
  if (key === null || key.length === 0) {
    throw new TypeError('A secret must be whsec_ and Base64, as the endpoint was created with.');
  }
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
