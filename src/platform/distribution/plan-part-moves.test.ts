import { expect, test } from 'vitest';
import { planPartMoves, type SizedPart } from './plan-part-moves.ts';

const part = (id: string, server: string, bytes: number): SizedPart => ({ id, server, bytes });
const planned = (parts: readonly SizedPart[], servers: readonly string[], leaving?: string) =>
  planPartMoves(parts, servers, leaving).map(({ part: { id }, to }) => `${id} to ${to}`);

test('a new server gets parts until all have about as many bytes', () => {
  const parts = [
    part('1', 'a', 40),
    part('2', 'a', 30),
    part('3', 'a', 30),
    part('4', 'b', 50),
    part('5', 'b', 50),
  ];
  expect(planned(parts, ['a', 'b', 'c'])).toEqual(['4 to c', '2 to b']);
});

test('servers that differ by less than a tenth, or by less than a part, are left as they are', () => {
  expect(planned([part('1', 'a', 100), part('2', 'b', 95)], ['a', 'b'])).toEqual([]);
  expect(planned([part('1', 'a', 100), part('2', 'b', 5)], ['a', 'b'])).toEqual([]);
  expect(planned([], ['a', 'b'])).toEqual([]);
});

test('a server that leaves gives its parts to the others, the largest first', () => {
  const parts = [part('1', 'a', 10), part('2', 'a', 40), part('3', 'b', 20), part('4', 'c', 30)];
  expect(planned(parts, ['a', 'b', 'c'], 'a')).toEqual(['2 to b', '1 to c']);
});
