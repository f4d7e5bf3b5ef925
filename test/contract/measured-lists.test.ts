import { expect, test } from 'vitest';
import { declaredEndpoints, listRequests } from '../../bench/list-requests.ts';

test('every list with pages is measured with each of its filters; the others declare why they stay small', async () => {
  const requests = await listRequests(declaredEndpoints(), { value: async () => '1' });
  expect(requests.length).toBeGreaterThan(100);
});
