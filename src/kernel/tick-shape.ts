import { executionAsyncResource } from 'node:async_hooks';

const kept: object[] = [];

/**
 * Keeps `process.nextTick` as quick as it is at first, for the life of the process; to be called once, at the start.
 *
 * Node makes an object for every tick, by a literal with computed keys. V8 writes such keys quickly as long as it knows the
 * shape that comes of them. It forgets a shape when no object has it at a few collections of garbage in a row, as after
 * some seconds without a request, and then writes the keys of all later ticks slowly: 5 µs more for every request. One
 * object that stays keeps its shape.
 */
export function keepTickShape(): void {
  process.nextTick(() => kept.push(executionAsyncResource()));
}
