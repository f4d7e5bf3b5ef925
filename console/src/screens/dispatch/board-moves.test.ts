import { expect, test } from 'vitest';
import { withOrders } from './board-moves.ts';
import { deliveryGroups } from './delivery-groups.ts';
import type { Delivery, Trip } from './trips-query.ts';

const trip = { stops: ['a', 'b', 'c'].map((orderId) => ({ orderId })) } as unknown as Trip;

test('orders go to the end of a trip, or before one of its stops; each is there once', () => {
  expect(withOrders(trip, ['d', 'e'])).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(withOrders(trip, ['d'], 'b')).toEqual(['a', 'd', 'b', 'c']);
  expect(withOrders(trip, ['c'], 'a')).toEqual(['c', 'a', 'b']);
  expect(withOrders(trip, ['a'])).toEqual(['b', 'c', 'a']);
  expect(withOrders(trip, ['b'], 'b')).toEqual(['a', 'b', 'c']);
  // Another person took that stop off meanwhile.
  expect(withOrders(trip, ['d'], 'gone')).toEqual(['a', 'b', 'c', 'd']);
});

test('deliveries are listed by zone, or by time slot, as they begin; those without one come last', () => {
  const delivery = (orderId: string, zoneName: string | null, from: string | null) =>
    ({ orderId, zoneName, window: from === null ? null : { from, to: from } }) as Delivery;
  const deliveries = [
    delivery('a', null, '2026-03-10T20:00:00.000Z'),
    delivery('b', 'Uptown', null),
    delivery('c', 'Harbor', '2026-03-10T18:00:00.000Z'),
    delivery('d', 'Uptown', '2026-03-10T18:00:00.000Z'),
  ];
  const ids = (by: 'zone' | 'slot') =>
    deliveryGroups(deliveries, by, 'America/Los_Angeles').map((group) =>
      group.deliveries.map((it) => it.orderId),
    );
  expect(ids('zone')).toEqual([['c'], ['b', 'd'], ['a']]);
  expect(ids('slot')).toEqual([['c', 'd'], ['a'], ['b']]);
  const titles = deliveryGroups(deliveries, 'zone', 'America/Los_Angeles').map(({ title }) => title);
  expect(titles).toEqual(['Harbor', 'Uptown', 'No zone']);
});
