import { expect, test, vi } from 'vitest';
import {
  type ApprovalKind,
  approvableKind,
  approvedFetch,
  askForApproval,
  presentRequest,
} from './manager-approvals.ts';

const address = 'http://shop.example.com/staff/v1/orders';
const refusal = () => Response.json({ error: { code: 'INSUFFICIENT_PERMISSIONS' } }, { status: 403 });

test.each([
  ['POST', '', 'amounts'],
  ['POST', '/pricing', 'amounts'],
  ['PATCH', '/0198c7c6', 'amounts'],
  ['POST', '/0198c7c6/void', 'void'],
  ['POST', '/0198c7c6/fulfill', 'payment'],
  ['POST', '/0198c7c6/cancel', null],
  ['GET', '/0198c7c6', null],
] as const)('%s %s is approved as %s', (method, path, kind) => {
  expect(approvableKind({ method, url: `${address}${path}` })).toBe(kind);
});

test('an act beyond the role asks once and is sent again; a preview only shows its refusal', async () => {
  const ask = vi.fn(async () => true);
  const sent: string[] = [];
  const send = async (request: Request) => {
    sent.push(await request.text());
    return sent.length === 1 ? refusal() : Response.json({ data: {} });
  };
  const request = () =>
    new Request(`${address}/0198c7c6/void`, { method: 'POST', body: '{"reason":"Twice"}' });
  expect((await approvedFetch(send, ask)(request())).status).toBe(200);
  expect(sent).toEqual(['{"reason":"Twice"}', '{"reason":"Twice"}']);
  expect(ask).toHaveBeenCalledExactlyOnceWith('void');

  const preview = new Request(`${address}/pricing`, { method: 'POST', body: '{}' });
  expect((await approvedFetch(async () => refusal(), ask)(preview)).status).toBe(403);
  expect(
    (
      await approvedFetch(
        async () => refusal(),
        async () => false,
      )(request())
    ).status,
  ).toBe(403);
  expect(ask).toHaveBeenCalledTimes(1);
});

/** A manager who types the PIN when asked. */
const giveWord = vi.fn((kind: ApprovalKind) => {
  const answered = askForApproval(kind);
  presentRequest()!.answer({ token: kind, expiresAt: '2026-03-14T18:10:00.000Z' });
  return answered;
});

test.each([
  ['POST', '/0198c7c6/void'],
  ['POST', '/0198c7c6/fulfill'],
  ['POST', ''],
  ['PATCH', '/0198c7c6'],
] as const)(
  "a manager's word for %s %s counts for one of them, and for its previews",
  async (method, path) => {
    const send = async (request: Request) =>
      request.headers.has('X-Approval') ? Response.json({ data: {} }) : refusal();
    const approved = approvedFetch(send, giveWord);
    const ask = (to: string, by: string = method) =>
      approved(new Request(`${address}${to}`, { method: by, body: '{}' }));
    giveWord.mockClear();
    if (approvableKind({ method, url: address + path }) === 'amounts') {
      await giveWord('amounts');
      for (const _ of [1, 2]) expect((await ask('/pricing', 'POST')).status).toBe(200);
    }
    expect((await ask(path)).status).toBe(200);
    expect(giveWord).toHaveBeenCalledTimes(1);
    expect((await ask(path)).status).toBe(200);
    expect(giveWord).toHaveBeenCalledTimes(2);
  },
);
