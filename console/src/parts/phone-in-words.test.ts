import { expect, test } from 'vitest';
import { phoneInWords } from './phone-in-words.ts';

test('a US number is shown in groups, any other as stored', () => {
  expect(phoneInWords('+15105550188')).toBe('(510) 555-0188');
  expect(phoneInWords('+442079460018')).toBe('+442079460018');
  expect(phoneInWords(null)).toBe('–');
});
