import { expect, test } from 'vitest';
import { refusalOf } from '../connections/database-refusals.ts';
import { throughMoves } from './write-collisions.ts';

const said = (code: string, message: string) => refusalOf(Object.assign(new Error(message), { code }));
const waitedInVain = said('55P03', 'canceling statement due to lock timeout');
const wentToFormerServer = said('XX000', 'could not find valid entry for shard 102208');

/** Fails with each of these, one after another, and then succeeds; resolves to the number of tries. */
async function triesOf(onSeveral: boolean, ...errors: readonly unknown[]): Promise<number> {
  let tries = 0;
  await throughMoves(onSeveral, async () => {
    const error = errors[tries];
    tries += 1;
    if (error !== undefined) throw error;
  });
  return tries;
}

test('on several servers, work that met a move runs again', async () => {
  expect(await triesOf(true, waitedInVain, wentToFormerServer)).toBe(3);
});

test('after three tries it is refused for now, and for another cause or on one server at once', async () => {
  await expect(triesOf(true, waitedInVain, waitedInVain, waitedInVain)).rejects.toBe(waitedInVain);
  const isGone = said('57P01', 'terminating connection due to administrator command');
  await expect(triesOf(true, isGone)).rejects.toBe(isGone);
  await expect(triesOf(false, waitedInVain)).rejects.toBe(waitedInVain);
});
