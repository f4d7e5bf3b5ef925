import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addressOf, consoleScreens } from './console-screens.ts';

test('every screen of routes.tsx is found, framed ones by the path of the frame', () => {
  const text = readFileSync(join(import.meta.dirname, '..', 'src', 'routes.tsx'), 'utf8');
  const routes = consoleScreens(text).map(({ route }) => route);
  const listed = [...text.matchAll(/\bscreen\('([^']+)'/g)].map(([, path]) => path!);
  for (const path of listed.filter((it) => it !== 'settings')) {
    expect([`/${path}`, `/settings/${path}`]).toEqual(
      expect.arrayContaining([expect.toSatisfy((it) => routes.includes(it))]),
    );
  }
  expect(routes).toHaveLength(listed.length - 1);
  expect(routes).toContain('/settings/taxes');
  expect(routes).not.toContain('/settings/orders');
});

test('an address uses the first row with a value', async () => {
  const rows = [{ packageId: null }, { packageId: 7001 }];
  const screen = { route: '/inventory/packages/:packageId', name: 'inventory-packages-packageId' };
  expect(await addressOf(screen, async () => rows)).toBe('/inventory/packages/7001');
  await expect(addressOf(screen, async () => [])).rejects.toThrow('the shop has no record');
});
