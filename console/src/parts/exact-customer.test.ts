import { expect, test } from 'vitest';
import { exactCustomer } from './exact-customer.ts';

const rows = [
  {
    id: 1,
    firstName: 'Ines',
    lastName: 'Halloran',
    phone: '+14155550177',
    email: 'ines@example.com',
    hashId: 'k7x2',
  },
  { id: 2, firstName: 'Ines', lastName: 'Halloran-Diaz', phone: null, email: null, hashId: 'p9m4' },
  { id: 3, firstName: 'Ada', lastName: 'Twin', phone: null, email: null, hashId: 'q1w1' },
  { id: 4, firstName: 'ada', lastName: 'twin', phone: null, email: null, hashId: 'q1w2' },
];

test.each([
  ['ines  halloran', 1],
  ['(415) 555-0177', 1],
  ['+1 415 555 0177', 1],
  ['INES@example.com', 1],
  ['p9m4', 2],
  ['ines', null],
  ['ada twin', null],
  ['0177', null],
  ['', null],
])('“%s” is customer %s', (typed, id) => {
  expect(exactCustomer(rows, typed)?.id ?? null).toBe(id);
});
