import { expect, test } from 'vitest';
import { judgeDoorId } from './door-id.ts';

const buyer = { firstName: 'María José', lastName: 'Núñez', birthday: '1990-02-28' };
const seen = { firstName: 'MARIA', lastName: 'NUNEZ', birthday: '1990-02-28', expiry: '2026-05-01' };
const asked = { seen, buyer, today: '2026-05-01', minimumAge: 21 };

test.each([
  ['the buyer with a valid ID, on its last day', {}, null],
  ['an ID without an expiry', { seen: { ...seen, expiry: null } }, null],
  ['an order without a customer', { buyer: null }, null],
  ['a buyer without a birthday on file', { buyer: { ...buyer, birthday: null } }, null],
  ['the day before the age is reached', { seen: { ...seen, birthday: '2005-05-02' } }, 'underage'],
  ['an ID that ended yesterday', { today: '2026-05-02' }, 'expired'],
  ['a person with another birthday', { seen: { ...seen, birthday: '1990-02-27' } }, 'other-birthday'],
  ['a twin of another name', { seen: { ...seen, firstName: 'Ana' } }, 'other-name'],
] as const)('at the door: %s', (_, change, fault) => {
  expect(judgeDoorId({ ...asked, ...change })).toBe(fault);
});
