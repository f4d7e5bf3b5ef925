import { expect, test } from 'vitest';
import {
  cashOf,
  dueOf,
  isToDo,
  navigationLink,
  type QueuedAct,
  type Trip,
  type TripAct,
  tripAfter,
} from './trip-acts.ts';

const lines = [
  { lineItemId: 1, productName: 'Blue Dream', optionName: '3.5 g', quantity: 3, price: 9000 },
  { lineItemId: 2, productName: 'Papers', optionName: 'Each', quantity: 1, price: 300 },
];
const stop = (id: number) =>
  ({
    id,
    status: 'waiting',
    lines,
    total: 10_823,
    fees: 500,
    amountDue: 10_823,
  }) as unknown as Trip['stops'][number];
const trip = { id: 7, status: 'loaded', stops: [stop(1), stop(2), stop(3)] } as unknown as Trip;
const queued = (act: TripAct, change: Partial<QueuedAct> = {}) =>
  ({ tripId: 7, refusal: null, act, ...change }) as QueuedAct;

test('a trip shows what was done on the phone: each stop once, and no act that was refused or is of another trip', () => {
  const after = tripAfter(trip, [
    queued({ kind: 'depart' }),
    queued({ kind: 'arrive', stopId: 1 }),
    queued({ kind: 'deliver', stopId: 1, handOver: {} }),
    queued({ kind: 'arrive', stopId: 1 }),
    queued({ kind: 'deliver', stopId: 2, handOver: { lines: [{ lineItemId: 1, quantity: 1 }] } }),
    queued({ kind: 'not-home', stopId: 3 }, { refusal: 'No.' }),
    queued({ kind: 'refuse', stopId: 3, reason: 'Too young' }, { tripId: 8 }),
  ]);
  expect([after.status, ...after.stops.map(({ status }) => status)]).toEqual([
    ...['out', 'delivered', 'partly', 'waiting'],
  ]);
  expect(tripAfter(after, [queued({ kind: 'depart' }), queued({ kind: 'return' })]).status).toBe('back');
});

test('a driver does not go to a stop that is done, nor where the order was canceled since', () => {
  const cases = [
    ['waiting', 'packed'],
    ['arrived', 'new'],
    ['waiting', 'canceled'],
    ['arrived', 'fulfilled'],
    ['notHome', 'packed'],
  ] as const;
  const toDo = cases.map(([status, orderStatus]) => isToDo({ ...stop(1), status, orderStatus }));
  expect(toDo).toEqual([true, true, false, false, false]);
});

test.each([
  ['everything', [3, 1], 10_823],
  ['a part', [1, 1], 4163],
] as const)('the cents to take for %s of a stop', (_, [flower, papers], cents) => {
  const taken = new Map([
    [1, flower],
    [2, papers],
  ]);
  expect(dueOf(stop(1), taken)).toBe(cents);
});

test.each([
  ['the exact cash', [4120, null, 0, 'off'], { owed: 4120, change: 0 }],
  ['a note', [4120, 5000, 0, 'off'], { owed: 4120, change: 880 }],
  ['a note with a tip', [4120, 5000, 500, 'off'], { owed: 4120, change: 380 }],
  ['a shop without pennies', [4123, 5000, 0, 'symmetric'], { owed: 4125, change: 875 }],
  ['too little', [4120, 4000, 0, 'off'], { owed: 4120, change: null }],
  ['a tip alone', [0, null, 300, 'off'], { owed: 0, change: 0 }],
] as const)('change of %s', (_, [due, given, tip, rounding], cash) => {
  expect(cashOf(due, given, tip, rounding)).toEqual(cash);
});

test("a stop opens in the phone's own map", () => {
  const address = {
    street1: '418 Alder St',
    street2: null,
    city: 'Oakland',
    state: 'CA',
    postalCode: '94607',
  };
  const at = { ...stop(1), address } as unknown as Trip['stops'][number];
  const words = '418%20Alder%20St%2C%20Oakland%2C%20CA%2094607';
  expect(navigationLink(at, true)).toBe(`maps:?daddr=${words}`);
  expect(navigationLink(at, false)).toBe(`geo:0,0?q=${words}`);
});
