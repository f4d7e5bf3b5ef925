import { focusManager, QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { askWithin } from './ask-within.ts';

afterEach(() => focusManager.setFocused(undefined));

const clientThatRetries = () => new QueryClient({ defaultOptions: { queries: { retry: 2 } } });

test('a request without an answer ends by the deadline, and the next one is a new one', async () => {
  const client = clientThatRetries();
  await expect(askWithin(client, 30)(['products', 'a'], () => new Promise(() => {}))).rejects.toThrow();
  expect(await askWithin(client, 10_000)(['products', 'a'], async () => 'found')).toBe('found');
});

test('a request that fails while the tab is hidden ends by the deadline, too', async () => {
  focusManager.setFocused(false);
  let tries = 0;
  const asked = askWithin(clientThatRetries(), 30)(['products', 'a'], async () => {
    tries += 1;
    throw new Error('503');
  });
  await expect(asked).rejects.toThrow();
  expect(tries).toBe(1);
});
