import fc from 'fast-check';
import { expect, test } from 'vitest';
import { orderOfStops, type RoutedStop } from './order-of-stops.ts';
import { directionOf, milesBetween, type Place, zipCenter } from './places.ts';

test('a ZIP code is found at the middle of its area, as the Census has it; ZIP+4 too', () => {
  for (const [zip, latitude, longitude] of [
    ['94607', 37.8088, -122.3047],
    ['10001', 40.7507, -73.9973],
    ['00601', 18.1806, -66.7499],
    ['99501', 61.22, -149.8578],
    ['96813-1234', 21.3163, -157.848],
    ['96813 1234', 21.3163, -157.848],
  ] as const) {
    expect(milesBetween(zipCenter(zip)!, { latitude, longitude }), zip).toBeLessThan(0.3);
  }
  for (const none of [null, '', '94', '9460', '00000', '99999', 'V6B 1A1']) {
    expect(zipCenter(none), String(none)).toBeNull();
  }
});

test('distances are in miles, and directions are one of eight', () => {
  const [oakland, newYork] = [zipCenter('94607')!, zipCenter('10001')!];
  expect(milesBetween(oakland, newYork)).toBeGreaterThan(2550);
  expect(milesBetween(oakland, newYork)).toBeLessThan(2590);
  expect(milesBetween(oakland, oakland)).toBe(0);
  const around = ([north, east]: [number, number]) =>
    directionOf(oakland, { latitude: oakland.latitude + north, longitude: oakland.longitude + east });
  expect(
    (
      [
        [1, 0],
        [1, 1],
        [0, 1],
        [-1, 1],
        [-1, 0],
        [-1, -1],
        [0, -1],
        [1, -1],
      ] as [number, number][]
    ).map(around),
  ).toEqual(['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest']);
});

const stop = (id: string, place: Place | null, from: string | null = null): RoutedStop => ({
  ...{ id, place, from, street: id },
});
const shop = { latitude: 37.8, longitude: -122.3 };
const east = (degrees: number) => ({ ...shop, longitude: shop.longitude + degrees });

test('time slots come in their order, and within one the way is short; what has no slot or no place comes last', () => {
  const [early, late] = ['2026-03-10T18:00:00.000Z', '2026-03-10T20:00:00.000Z'];
  expect(
    orderOfStops(
      [
        ...[stop('any', east(0.01)), stop('late', east(0.02), late), stop('far', east(0.09), early)],
        ...[stop('unknown', null, early), stop('near', east(0.03), early), stop('middle', east(0.05), early)],
      ],
      shop,
    ),
  ).toEqual(['near', 'middle', 'far', 'unknown', 'late', 'any']);
});

test('neighbors in one ZIP code go by street, and without any place all do', () => {
  const there = east(0.1);
  const inTurn = orderOfStops(
    [stop('9 Alder', there), stop('10 Alder', there), stop('2 Birch', there)],
    shop,
  );
  expect(inTurn).toEqual(['2 Birch', '9 Alder', '10 Alder']);
  expect(orderOfStops([stop('b', null), stop('a', null)], null)).toEqual(['a', 'b']);
});

test('a suggested order has each stop once, whatever came first, and no part of it is shorter the other way around', () => {
  const places = fc.record({
    latitude: fc.double({ min: 37.5, max: 38, noNaN: true }),
    longitude: fc.double({ min: -122.5, max: -122, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(places, { maxLength: 12 }), (found) => {
      const stops = found.map((place, index) => stop(`${index}`, place));
      const ids = orderOfStops(stops, shop);
      expect(ids.toSorted()).toEqual(stops.map(({ id }) => id).toSorted());
      expect(orderOfStops(stops.toReversed(), shop)).toEqual(ids);
      const route = [shop, ...ids.map((id) => found[Number(id)]!)];
      const miles = (way: readonly Place[]) =>
        way.slice(1).reduce((sum, place, index) => sum + milesBetween(way[index]!, place), 0);
      for (let from = 1; from < route.length - 1; from += 1) {
        for (let to = from + 1; to < route.length; to += 1) {
          const turned = [
            ...route.slice(0, from),
            ...route.slice(from, to + 1).reverse(),
            ...route.slice(to + 1),
          ];
          expect(miles(turned)).toBeGreaterThan(miles(route) - 1e-5);
        }
      }
    }),
    { numRuns: 40 },
  );
});
