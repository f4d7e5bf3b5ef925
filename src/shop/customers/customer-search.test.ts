import { expect, test } from 'vitest';
import { readSearch } from './customer-search.ts';

test.each([
  ['mar', null],
  ['(415) 555', '+1415555'],
  ['1-415-555', '+1415555'],
  ['+44 20', '+4420'],
  ['41', null],
  ['415 Ok', null],
])('%s is a prefix of the phone number %s', (typed, phone) => {
  expect(readSearch(typed).phone).toBe(phone);
});

test('several words are tried as every split into two names', () => {
  const { name, parts, otherParts, email, hashId } = readSearch(' Mary Ann,  Smi ');
  expect([name, parts, otherParts]).toEqual(['Mary Ann Smi', ['Mary', 'Mary Ann'], ['Ann Smi', 'Smi']]);
  expect([email, hashId]).toEqual([null, null]);
});

test('one word can be a name, an email or a hash id', () => {
  expect(readSearch('k7Q')).toEqual({
    name: 'k7Q',
    parts: [],
    otherParts: [],
    email: 'k7q',
    phone: null,
    hashId: 'K7Q',
  });
});

test.each(['', ' a ', '\u{1F33F}'])('%j is too short', (typed) => {
  expect(() => readSearch(typed)).toThrow(/^search must have at least 2 characters/);
});
