import { expect, test } from 'vitest';
import { askForProof } from './proof-request.ts';
import { provenFetch } from './proven-fetch.ts';

const refusal = () =>
  Response.json(
    { error: { code: 'RECENT_PROOF_REQUIRED', message: 'Prove it.', meta: { needs: 'password-and-code' } } },
    { status: 403 },
  );

const write = () =>
  new Request('https://shop.example.com/staff/v1/client-keys', {
    method: 'POST',
    headers: { 'idempotency-key': 'key-1' },
    body: '{"name":"Kiosk"}',
  });

/** Answers one after the other, and notes what was sent. */
function answering(...answers: readonly Response[]) {
  const sent: string[] = [];
  const left = [...answers];
  const fetch = async (request: Request) => {
    sent.push(`${request.headers.get('idempotency-key')} ${await request.text()}`);
    return left.shift()!;
  };
  return { sent, fetch };
}

test('a request that needs a proof is sent again as it was, once the person has given it', async () => {
  const { sent, fetch } = answering(refusal(), Response.json({ data: { id: 1 } }, { status: 201 }));
  const asked: string[] = [];
  const response = await provenFetch(fetch, async (needs) => asked.push(needs) > 0)(write());
  expect(response.status).toBe(201);
  expect(asked).toEqual(['password-and-code']);
  expect(sent).toEqual(['key-1 {"name":"Kiosk"}', 'key-1 {"name":"Kiosk"}']);
});

test('the refusal is the answer if the person gives up, and it can be read', async () => {
  const { sent, fetch } = answering(refusal());
  const response = await provenFetch(fetch, async () => false)(write());
  expect(await response.json()).toMatchObject({ error: { code: 'RECENT_PROOF_REQUIRED' } });
  expect(sent).toHaveLength(1);
});

test('other refusals ask for nothing', async () => {
  const other = Response.json(
    { error: { code: 'INSUFFICIENT_PERMISSIONS', message: 'No.' } },
    { status: 403 },
  );
  const { fetch } = answering(other);
  const ask = async () => {
    throw new Error('not expected');
  };
  expect((await provenFetch(fetch, ask)(write())).status).toBe(403);
});

test('all who ask meanwhile wait for one answer', () => {
  expect(askForProof('password')).toBe(askForProof('password'));
});
