import { onlineManager } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { ApiFailure } from './api.ts';
import { queryClient } from './query-client.ts';

afterEach(() => {
  onlineManager.setOnline(true);
  queryClient.clear();
});

const offline = () => new ApiFailure({ message: 'Offline.', code: 'OFFLINE', status: 0 });

test('offline, reads and writes fail at once and are not queued', async () => {
  onlineManager.setOnline(false);
  let count = 0;
  const ask = () => {
    count += 1;
    return Promise.reject(offline());
  };
  await expect(queryClient.fetchQuery({ queryKey: ['orders'], queryFn: ask })).rejects.toThrow('Offline');
  const write = queryClient.getMutationCache().build(queryClient, { mutationFn: ask });
  await expect(write.execute(undefined)).rejects.toThrow('Offline');
  expect([count, write.state.isPaused]).toEqual([2, false]);
  onlineManager.setOnline(true);
  await queryClient.resumePausedMutations();
  expect(count).toBe(2);
});
