import { expect, test } from 'vitest';
import { flatMap, mapHeight, mapWidth, scaleMiles, spread } from './map-points.ts';

test('places are drawn within the map, north above and east to the right, a mile as long up as across', () => {
  const [shop, north, east] = [
    { latitude: 37.8, longitude: -122.3 },
    { latitude: 37.9, longitude: -122.3 },
    { latitude: 37.8, longitude: -122.1 },
  ];
  const { at, pixelsPerMile } = flatMap([shop, north, east]);
  for (const place of [shop, north, east]) {
    const { x, y } = at(place);
    expect(Math.min(x, mapWidth - x, y, mapHeight - y)).toBeGreaterThan(20);
  }
  expect(at(shop).y - at(north).y).toBeCloseTo(6.9 * pixelsPerMile, 5);
  expect(at(east).x - at(shop).x).toBeCloseTo(13.8 * Math.cos((37.85 * Math.PI) / 180) * pixelsPerMile, 5);
  expect(at(north).x).toBeCloseTo(at(shop).x);
});

test('one place alone is in the middle of some miles, and a scale is a round number of them', () => {
  const { at, pixelsPerMile } = flatMap([{ latitude: 37.8, longitude: -122.3 }]);
  expect(at({ latitude: 37.8, longitude: -122.3 })).toEqual({ x: mapWidth / 2, y: mapHeight / 2 });
  expect(scaleMiles(pixelsPerMile)).toBe(1);
  expect(scaleMiles(10)).toBe(5);
  expect(scaleMiles(1000)).toBe(0.5);
});

test('deliveries of one ZIP code are drawn apart', () => {
  const points = spread(Array.from({ length: 40 }, () => ({ x: 100, y: 100 })));
  expect(points[0]).toEqual({ x: 100, y: 100 });
  for (const [index, a] of points.entries()) {
    for (const b of points.slice(index + 1)) expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(8);
  }
});
