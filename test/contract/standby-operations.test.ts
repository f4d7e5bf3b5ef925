import { afterAll, expect, test } from 'vitest';
import type { AnyEndpoint } from '../../src/platform/http/endpoint.ts';
import { startTestService } from '../harness/test-service.ts';

const service = await startTestService();
afterAll(() => service.close());

const all: readonly AnyEndpoint[] = [...service.endpoints, ...service.staffEndpoints];
const marked = all.filter(({ readsFrom }) => readsFrom === 'standby');

test('only operations that change nothing read from a standby', () => {
  expect(marked.filter(({ method, kind }) => method !== 'GET' || kind !== 'read')).toEqual([]);
});

test('every list reads from a standby, or declares why not', () => {
  const isList = ({ success }: AnyEndpoint) => (success.data as { type?: string })?.type === 'array';
  const lists = all.filter((endpoint) => endpoint.method === 'GET' && isList(endpoint));
  expect(lists.filter(({ readsFrom }) => readsFrom === undefined).map(({ id }) => id)).toEqual([]);
  expect(marked.length).toBeGreaterThan(40);
});

test('no read of one record comes from a standby: it may lead to a write', () => {
  expect(marked.filter(({ path }) => path.endsWith('}')).map(({ id }) => id)).toEqual([]);
});
