import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressOf, consoleScreens } from './console-screens.ts';
import type { ConsolePage } from './proof-page.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

/** As many tests as run at once, each with a browser of its own. */
const atOnce = 5;

/** What holds of every screen that there is. */
export function everyScreen(shop: () => ProofShop): void {
  const idle: ConsolePage[] = [];
  beforeAll(async () => {
    const { service, demo, open } = shop();
    // So that the log of requests has some.
    const keys = { consumerKey: demo.consumerKey, clientKey: demo.clientKey };
    for (const path of ['/api/v1/organization', '/api/v1/orders', '/api/v1/orders/none']) {
      await service.call('GET', path, { keys });
    }
    await service.apiRequests.write();
    for (let count = 0; count < atOnce; count += 1) idle.push(await open('owner'));
  });
  afterAll(() => shop().settle());

  test.concurrent.for(consoleScreens())(
    '$route shows itself in light and dark without a barrier or a complaint',
    { timeout: 60_000 },
    async (screen) => {
      const { owner } = shop();
      const console = idle.pop()!;
      try {
        const address = await addressOf(screen, async (path) => (await owner.call('GET', path)).data);
        await console.goto(address);
        await console.show('light');
        const barriers = await console.barriers();
        await console.show('dark');
        barriers.push(...(await console.barriers(['color-contrast'])));
        expect(barriers).toEqual([]);
        expect(console.complaints.splice(0)).toEqual([]);
      } finally {
        idle.push(console);
      }
    },
  );
}
