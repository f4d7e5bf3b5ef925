import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { signedHeaders } from '../../../src/shop/webhooks/webhook-secrets.ts';
import { verifyWebhook, type WebhookToVerify } from './verify-webhook.ts';

const nowMs = Date.UTC(2026, 2, 1, 12);
const secretOf = (key: Buffer) => `whsec_${key.toString('base64')}`;
const [key, oldKey, otherKey] = [randomBytes(24), randomBytes(24), randomBytes(24)];
const change = { id: '0-1', type: 'order.placed', at: '2026-03-01T12:00:00.000Z' };
const body = JSON.stringify({
  type: 'order.placed',
  timestamp: change.at,
  data: { ...change, note: 'crème' },
});

/** A webhook as the service signs it. */
const signed = (keys: readonly Buffer[] = [key!], atMs = nowMs) => signedHeaders(keys, 'msg_1', atMs, body);

const verify = (changes: Partial<WebhookToVerify> = {}) =>
  verifyWebhook({ body, headers: signed(), secrets: secretOf(key!), now: () => nowMs, ...changes }).catch(
    (error: { code?: string }) => error.code ?? error,
  );

describe('a webhook', () => {
  test('of the service is returned, from bytes or text, and from headers of any kind', async () => {
    const event = { id: 'msg_1', type: 'order.placed', data: { id: '0-1', note: 'crème' } };
    expect(await verify()).toMatchObject(event);
    expect(await verify({ body: Buffer.from(body) })).toMatchObject(event);
    expect(await verify({ headers: new Headers(signed()) })).toMatchObject(event);
    const shouted = Object.fromEntries(
      Object.entries(signed()).map(([name, it]) => [name.toUpperCase(), it]),
    );
    expect(await verify({ headers: shouted })).toMatchObject(event);
  });

  test('of any sender by the specification is returned', async () => {
    const webhook = new Webhook(secretOf(key!));
    const headers = {
      'webhook-id': 'msg_2',
      'webhook-timestamp': String(nowMs / 1_000),
      'webhook-signature': webhook.sign('msg_2', new Date(nowMs), body),
    };
    expect(await verify({ headers })).toMatchObject({ id: 'msg_2' });
  });

  test('is good while a secret is rotated, on either side', async () => {
    const headers = signed([key!, oldKey!]);
    for (const secrets of [[secretOf(oldKey!)], [secretOf(otherKey!), secretOf(key!)]]) {
      expect(await verify({ headers, secrets })).toMatchObject({ id: 'msg_1' });
    }
    expect(await verify({ secrets: [secretOf(otherKey!), secretOf(oldKey!)] })).toBe('WRONG_SIGNATURE');
  });

  test('whose body, id, time or signature was changed is refused', async () => {
    const headers = signed();
    const signature = headers['webhook-signature']!;
    expect(await verify({ body: body.replace('placed', 'packed') })).toBe('WRONG_SIGNATURE');
    expect(await verify({ secrets: secretOf(otherKey!) })).toBe('WRONG_SIGNATURE');
    for (const [name, value] of [
      ['webhook-id', 'msg_9'],
      ['webhook-timestamp', String(nowMs / 1_000 + 1)],
      ['webhook-signature', signature.replace('v1,', 'v2,')],
      ['webhook-signature', signature.slice(0, -4)],
      ['webhook-signature', 'v1,%%%'],
      ['webhook-signature', 'v1'],
    ] as const) {
      expect([value, await verify({ headers: { ...headers, [name]: value } })]).toEqual([
        value,
        'WRONG_SIGNATURE',
      ]);
    }
  });

  test('that was signed five minutes ago or ahead is good, a second more is not', async () => {
    for (const [seconds, outcome] of [
      [300, 'good'],
      [-300, 'good'],
      [301, 'OUT_OF_TIME'],
      [-301, 'OUT_OF_TIME'],
    ] as const) {
      const verdict = await verify({ headers: signed([key!], nowMs - seconds * 1_000) });
      expect([seconds, typeof verdict === 'string' ? verdict : 'good']).toEqual([seconds, outcome]);
    }
    const old = signed([key!], nowMs - 3_600_000);
    expect(await verify({ headers: old, toleranceSeconds: 3_600 })).toMatchObject({ id: 'msg_1' });
    expect(await verify({ headers: { ...signed(), 'webhook-timestamp': 'soon' } })).toBe('OUT_OF_TIME');
  });

  test('without a header is refused; a secret that is none is a mistake of the program', async () => {
    for (const name of Object.keys(signed()).filter((it) => it.startsWith('webhook-'))) {
      expect(await verify({ headers: { ...signed(), [name]: undefined } })).toBe('MISSING_HEADER');
    }
    expect(await verify({ secrets: 'whsec_' })).toBeInstanceOf(TypeError);
    expect(await verify({ secrets: [] })).toBe('WRONG_SIGNATURE');
  });
});
