import { expect, test } from 'vitest';
import type { OrganizationId } from '../../kernel/ids.ts';
import { FairTurns } from './fair-turns.ts';

const [a, b, c] = [1, 2, 3] as OrganizationId[] as [OrganizationId, OrganizationId, OrganizationId];

/** Work that finishes when the test says so. */
function desk(bounds = { waitingOfOneMax: 3, waitingMax: 5 }) {
  const turns = new FairTurns(bounds);
  const order: string[] = [];
  const open: (() => void)[] = [];
  const ask = (organization: OrganizationId, name: string) =>
    turns.take(organization, () => {
      order.push(name);
      return new Promise<void>((resolve) => open.push(resolve));
    });
  const finish = async () => {
    open.shift()!();
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  };
  return { turns, order, ask, finish };
}

test('organizations take turns, however much work one has sent before', async () => {
  const { order, ask, finish } = desk();
  const all = [ask(a, 'a1'), ask(a, 'a2'), ask(a, 'a3'), ask(b, 'b1'), ask(c, 'c1')];
  for (let count = 0; count < 4; count++) await finish();
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
  await finish();
  await Promise.all(all);
});

test("work above the queue's maximum is refused at once, and the queued work is unaffected", async () => {
  const { order, ask, finish } = desk();
  const refused = { code: 'RATE_LIMITED' };
  const taken = ['a1', 'a2', 'a3', 'a4'].map((name) => ask(a, name));
  await expect(ask(a, 'a5')).rejects.toMatchObject(refused);
  taken.push(ask(b, 'b1'), ask(c, 'c1'));
  await expect(ask(c, 'c2')).rejects.toMatchObject(refused);
  for (let count = 0; count < 6; count++) await finish();
  await Promise.all(taken);
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4']);
  const again = ask(c, 'c3');
  await finish();
  await again;
});

test('failed work passes the turn on', async () => {
  const { turns, order, ask, finish } = desk();
  const failing = turns.take(a, async () => {
    throw new Error('damaged');
  });
  const next = ask(b, 'b1');
  await expect(failing).rejects.toThrow('damaged');
  await finish();
  await next;
  expect(order).toEqual(['b1']);
});
