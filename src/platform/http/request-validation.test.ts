import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { casesOf } from '../../../test/harness/long-suite.ts';
import { ask, createToyServer } from './toy-server.test-support.ts';

const server = createToyServer();
const strictServer = createToyServer({ caller: { strict: true } });
afterAll(() => Promise.all([server.close(), strictServer.close()]));

const json = { 'content-type': 'application/json' };
const line = { productOptionId: 7, quantity: 2 };
const basket = { lineItems: [line], type: 'pickup' };

function place(payload: string | Buffer | object, url = '/api/v1/toys', to = server) {
  return ask(to, { method: 'POST', url, payload, headers: json });
}

async function refusal(changes: object) {
  const { status, code, message } = await place({ ...basket, ...changes });
  expect(status).toBe(400);
  return [code, message];
}

describe('the refusal of a wrong field names the field and the expectation', () => {
  it.each([
    [{ lineItems: {} }, 'INVALID_PARAMS', 'lineItems must be a list of 1 to 100 items.'],
    [{ lineItems: [] }, 'INVALID_PARAMS', 'lineItems must be a list of 1 to 100 items.'],
    [{ lineItems: [7] }, 'INVALID_PARAMS', 'lineItems[0] must be an object.'],
    [{ type: 'mail' }, 'INVALID_PARAMS', 'type must be one of delivery, pickup.'],
    [{ type: null }, 'INVALID_PARAMS', 'type must be one of delivery, pickup.'],
    [{ tip: -1 }, 'INVALID_PARAMS', 'tip must be a whole number from 0 to 1,000,000,000.'],
    [{ tip: 0.5 }, 'INVALID_PARAMS', 'tip must be a whole number from 0 to 1,000,000,000.'],
    [{ tip: '5' }, 'INVALID_PARAMS', 'tip must be a whole number from 0 to 1,000,000,000.'],
    [{ deliverOn: '2026-02-29' }, 'INVALID_PARAMS', 'deliverOn must be a date YYYY-MM-DD that exists.'],
    [{ deliverOn: '2026-2-09' }, 'INVALID_PARAMS', 'deliverOn must be a date YYYY-MM-DD that exists.'],
    [
      { seenAt: '2026-02-01' },
      'INVALID_PARAMS',
      'seenAt must be a timestamp with Z or an offset, such as 2026-03-01T17:05:09.123Z.',
    ],
    [
      { content: '0.000' },
      'INVALID_PARAMS',
      'content must be a number above 0 as text, with at most 12 digits before and 6 after the point.',
    ],
    [
      { address: { street1: '', city: 'x' } },
      'INVALID_PARAMS',
      'address.street1 must be text of 1 to 100 characters.',
    ],
    [
      { address: { street1: 'a\u0000', city: 'x' } },
      'INVALID_PARAMS',
      'address.street1 must be text without NUL characters and unpaired surrogates.',
    ],
    [{ idempotencyKey: '7' }, 'INVALID_IDEMPOTENCY_KEY', 'idempotencyKey must be a UUID v4.'],
    [{ idempotencyKey: 7 }, 'INVALID_IDEMPOTENCY_KEY', 'idempotencyKey must be a UUID v4.'],
    [
      { lineItems: [line, { ...line, quantity: 0 }] },
      'INVALID_ORDER_QUANTITY',
      'lineItems[1].quantity must be a whole number from 1 to 10,000.',
    ],
    [
      { lineItems: [{ ...line, note: 5 }] },
      'INVALID_PARAMS',
      'lineItems[0].note must be text of at most 20 characters, or null.',
    ],
  ])('%j', async (changes, code, message) => {
    expect(await refusal(changes)).toEqual([code, message]);
  });

  it.each(['[]', '7', 'null', '"text"', 'true'])('a body of %s is not an object', async (text) => {
    const reply = await place(text);
    expect([reply.code, reply.message]).toEqual(['INVALID_PARAMS', 'The body must be an object.']);
  });

  it('the sent value is never repeated', async () => {
    for (const changes of [
      { type: 'jane@example.com' },
      { deliverOn: 'dck_test_1' },
      { tip: 'x'.repeat(999) },
    ]) {
      expect((await refusal(changes))[1]!.length).toBeLessThan(100);
      expect((await refusal(changes))[1]).not.toMatch(/jane|dck|xx/);
    }
  });

  it('absent fields are listed up to fifty', async () => {
    const reply = await place({ ...basket, lineItems: Array.from({ length: 100 }, () => ({})) });
    expect(reply.code).toBe('MISSING_PARAMS');
    expect(reply.json).toHaveProperty('error.meta.missing.length', 50);
  });
});

describe('query values are converted by their declared types, strictly', () => {
  it.each([
    ['limit=1e1', 'limit must be a whole number from 1 to 50.'],
    ['limit=0x10', 'limit must be a whole number from 1 to 50.'],
    ['limit=', 'limit must be a whole number from 1 to 50.'],
    ['limit=+7', 'limit must be a whole number from 1 to 50.'],
    ['limit=07', 'limit must be a whole number from 1 to 50.'],
    ['limit=-0', 'limit must be a whole number from 1 to 50.'],
    ['limit=51', 'limit must be a whole number from 1 to 50.'],
    ['limit=1&limit=2', 'limit must be given once.'],
    ['dryRun=1', 'dryRun must be true or false.'],
    ['dryRun=TRUE', 'dryRun must be true or false.'],
    ['dryRun', 'dryRun must be true or false.'],
  ])('%s', async (query, message) => {
    const reply = await place(basket, `/api/v1/toys?${query}`);
    expect([reply.code, reply.message]).toEqual(['INVALID_PARAMS', message]);
  });

  it('valid ones pass', async () => {
    expect((await place(basket, '/api/v1/toys?limit=50&dryRun=false')).status).toBe(201);
  });

  it.each([
    'search=',
    'search=%00',
    'search=a&search=b',
    `search=${'x'.repeat(31)}`,
    'startingOn=2026-13-01',
  ])('%s is refused', async (query) => {
    expect((await ask(server, { url: `/api/v1/toys/7?${query}` })).code).toBe('INVALID_PARAMS');
  });
});

describe('unknown names (D5)', () => {
  it('are ignored in body and query, and do not reach the handler', async () => {
    const reply = await place(
      { ...basket, lineItems: [{ ...line, colour: 'red' }], more: 1 },
      '/api/v1/toys?x=1&x=2',
    );
    expect(reply.json).toEqual({ data: { lineCount: 1, lines: [line], key: null } });
  });

  it.each([
    [{ ...basket, deliveron: 'x' }, '', 'deliveron is not known; the nearest is deliverOn.'],
    [{ ...basket, lineItems: [{ ...line, qty: 2 }] }, '', 'lineItems[0].qty is not known.'],
    [basket, '?limits=3', 'limits is not known; the nearest is limit.'],
    [{ ...basket, ['x'.repeat(41)]: 1 }, '', 'A name in the request is not known.'],
  ])('are refused with the nearest name for a strict key: %#', async (body, query, message) => {
    const reply = await place(body, `/api/v1/toys${query}`, strictServer);
    expect([reply.code, reply.message]).toEqual(['INVALID_PARAMS', message]);
  });

  it('are refused for a strict key if no name is declared', async () => {
    const reply = await ask(strictServer, { method: 'DELETE', url: '/api/v1/toys/7?force=1' });
    expect(reply.message).toBe('force is not known.');
    expect((await place(basket, '/api/v1/toys?limit=1', strictServer)).status).toBe(201);
  });
});

describe('hostile bodies', () => {
  it.each([
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'INVALID_JSON'],
    ['an overlong UTF-8 form', Buffer.from([0x22, 0xc0, 0x80, 0x22]), 'INVALID_JSON'],
    ['100,000 opening brackets', '['.repeat(100_000), 'INVALID_JSON'],
    ['100,000 levels of lists', '['.repeat(100_000) + ']'.repeat(100_000), 'INVALID_PARAMS'],
    ['100,000 levels of objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 'MISSING_PARAMS'],
    [
      'a list of 100,000',
      JSON.stringify({ ...basket, lineItems: Array(100_000).fill({}) }),
      'INVALID_PARAMS',
    ],
    ['100,000 names', `{${Array.from({ length: 100_000 }, (_, i) => `"a${i}":1`).join()}}`, 'MISSING_PARAMS'],
    ['1e308', '{"type":"pickup","lineItems":[{"productOptionId":1e308,"quantity":1}]}', 'INVALID_PARAMS'],
    ['1e999', '{"type":"pickup","lineItems":[{"productOptionId":1e999,"quantity":1}]}', 'INVALID_PARAMS'],
    [
      '2^53',
      '{"type":"pickup","lineItems":[{"productOptionId":9007199254740992,"quantity":1}]}',
      'INVALID_PARAMS',
    ],
    [
      'a NUL',
      '{"type":"pickup","lineItems":[{"productOptionId":1,"quantity":1,"note":"\\u0000"}]}',
      'INVALID_PARAMS',
    ],
    [
      'a lone surrogate',
      '{"type":"pickup","lineItems":[{"productOptionId":1,"quantity":1,"note":"\\ud800"}]}',
      'INVALID_PARAMS',
    ],
    [
      '-0 with a minimum of 1',
      '{"type":"pickup","lineItems":[{"productOptionId":1,"quantity":-0}]}',
      'INVALID_ORDER_QUANTITY',
    ],
    ['required fields by prototype', '{"__proto__":{"type":"pickup","lineItems":[]}}', 'MISSING_PARAMS'],
  ])('%s', async (_name, payload, code) => {
    for (const to of [server, strictServer]) {
      const reply = await place(payload, '/api/v1/toys', to);
      expect(reply.status).toBe(400);
      if (to === server) expect(reply.code).toBe(code);
    }
  });

  it.each([
    ['a byte order mark', `\ufeff${JSON.stringify(basket)}`],
    ['duplicate names, where the last one counts', `{"type":"nowhere",${JSON.stringify(basket).slice(1)}`],
    [
      '__proto__ and constructor',
      `{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}},${JSON.stringify(basket).slice(1)}`,
    ],
    ['an astral character', JSON.stringify({ ...basket, lineItems: [{ ...line, note: '🌿' }] })],
    ['-0 with a minimum of 0', `{"tip":-0,${JSON.stringify(basket).slice(1)}`],
    [
      'deep nesting under an unknown name',
      `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)},${JSON.stringify(basket).slice(1)}`,
    ],
  ])('%s: answered like a plain body', async (_name, text) => {
    expect((await place(text)).status).toBe(201);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });
});

describe('random requests never give a 5xx', () => {
  // fast-check's own unit of all characters makes a table of them first, which takes more than a second.
  const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));
  const anyText = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string(),
    fc.constantFrom('\ud800', '\u0000', '__proto__'),
  );
  const anyValue = fc.oneof(fc.jsonValue(), anyText, fc.double(), fc.constantFrom(-0, 1e308, 2 ** 53));
  const anyLine = fc.record(
    { productOptionId: anyValue, quantity: anyValue, note: anyValue },
    { requiredKeys: [] },
  );
  const anyBasket = fc.record(
    {
      lineItems: fc.oneof(fc.array(fc.oneof(anyLine, fc.constant(line))), anyValue),
      type: fc.oneof(fc.constant('pickup'), anyValue),
      idempotencyKey: fc.oneof(fc.uuid(), anyValue),
      deliverOn: anyValue,
      address: fc.oneof(fc.record({ street1: anyText, city: anyText }), anyValue),
    },
    { requiredKeys: [] },
  );

  it('bodies', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyBasket, fc.jsonValue()), fc.boolean(), async (body, strict) => {
        const reply = await place(JSON.stringify(body), '/api/v1/toys', strict ? strictServer : server);
        expect([201, 400]).toContain(reply.status);
        if (reply.status === 400) expect(reply.message).toMatch(/\.$/);
      }),
      { numRuns: casesOf({ everyRun: 80, long: 2_000 }) },
    );
  });

  it('bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        expect((await place(Buffer.from(bytes))).status).toBe(400);
      }),
      { numRuns: casesOf({ everyRun: 60, long: 1_000 }) },
    );
  });

  it('paths and queries', async () => {
    const encoded = anyText.map((text) => encodeURIComponent(Buffer.from(text).toString()));
    const raw = fc.string({ unit: fc.constantFrom(...'abc=&%?;/._~07+[]'.split('')) });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(encoded, raw),
        fc.oneof(encoded, raw),
        fc.oneof(encoded, raw),
        async (id, name, value) => {
          const url = `/api/v1/toys/${id}?search=${value}&${name}=${value}`;
          expect((await ask(server, { url })).status).toBeLessThan(500);
        },
      ),
      { numRuns: casesOf({ everyRun: 80, long: 2_000 }) },
    );
  });
});
