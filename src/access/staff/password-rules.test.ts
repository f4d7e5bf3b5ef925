import { expect, test } from 'vitest';
import { brokenRule, type PasswordRule } from './password-rules.ts';

const own = ['Theo@harborlight.example.com', 'Theodora', 'Lindqvist', 'Harborlight Provisions'];

test.each<[string, PasswordRule]>([
  ['password123', 'common'],
  ['Password123', 'common'],
  ['ｐａｓｓｗｏｒｄ１２３', 'common'],
  ['2026Football!!', 'common'],
  ['...trustno1...', 'common'],
  ['qwertyuiop', 'common'],
  ['aaaaaaaaaa', 'pattern'],
  ['abcabcabcab', 'pattern'],
  ['éèéèéèéèéè', 'pattern'],
  ['abcdefghij', 'pattern'],
  ['9876543210', 'pattern'],
  ['theo@harborlight.example.com', 'own-words'],
  ['Theodora-1987', 'own-words'],
  ['lindqvist!2026', 'own-words'],
  ['HARBORLIGHT420', 'own-words'],
  ['my harborlight', 'own-words'],
])('%s is refused as %s', async (password, rule) => {
  expect(await brokenRule(password, own)).toBe(rule);
});

test.each([
  'quiet harbor lantern 41',
  'correct horse battery staple',
  'all lowercase is fine',
  '83 1047 5526',
  'kx9!Qz2#pLvv',
  'theodora eats lemons',
  'çok güzel bir gün',
  'quiet harbor quiet harbor',
])('%s is accepted: no capitals, digits or signs are asked for', async (password) => {
  expect(await brokenRule(password, own)).toBe(null);
});

test('an empty name or organization is no word', async () => {
  expect(await brokenRule('lemon grove seven', ['', '', ' ', '--'])).toBe(null);
});
