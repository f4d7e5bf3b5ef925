import { expect, test } from 'vitest';
import { hashPassword, isPasswordOf } from './passwords.ts';

test('a password matches only its own hash, and never a missing hash', async () => {
  const [one, other] = await Promise.all([hashPassword('lemon grove 7'), hashPassword('lemon grove 7')]);
  expect(one).toMatch(/^\$argon2id\$/);
  expect(one).not.toBe(other);
  expect(await isPasswordOf(one, 'lemon grove 7')).toBe(true);
  for (const wrong of ['', 'Lemon grove 7', 'lemon grove 7 '])
    expect(await isPasswordOf(one, wrong)).toBe(false);
  expect(await isPasswordOf(null, '')).toBe(false);
  expect(await isPasswordOf(null, 'lemon grove 7')).toBe(false);
});

test('a caller that would wait for seconds is refused at once, and the others are answered', async () => {
  const hash = await hashPassword('right');
  const asked = Array.from({ length: 110 }, () => isPasswordOf(hash, 'right'));
  const outcomes = await Promise.allSettled(asked);
  const answered = outcomes.filter((it) => it.status === 'fulfilled' && it.value);
  const refused = outcomes.filter(
    (it) => it.status === 'rejected' && it.reason.code === 'SERVICE_UNAVAILABLE',
  );
  expect([answered.length, refused.length]).toEqual([102, 8]);
  expect(await isPasswordOf(hash, 'right')).toBe(true);
});
