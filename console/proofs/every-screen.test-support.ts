import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressOf, consoleScreens } from './console-screens.ts';
import type { ConsolePage } from './proof-page.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

/** Browsers at once: one loads while another is looked at. */
const browserCount = 3;

/** What holds of every screen that there is. */
export function everyScreen(shop: () => ProofShop): void {
  const idle: ConsolePage[] = [];
  const waiting: ((console: ConsolePage) => void)[] = [];
  const take = async () => idle.pop() ?? new Promise<ConsolePage>((resolve) => waiting.push(resolve));
  const giveBack = (console: ConsolePage) => {
    const next = waiting.shift();
    if (next) next(console);
    else idle.push(console);
  };
  beforeAll(async () => {
    const { service, demo, open } = shop();
    // So that the log of requests has some.
    const keys = { consumerKey: demo.consumerKey, clientKey: demo.clientKey };
    for (const path of ['/api/v1/organization', '/api/v1/orders', '/api/v1/orders/none']) {
      await service.call('GET', path, { keys });
    }
    await service.apiRequests.write();
    for (let count = 0; count < browserCount; count += 1) idle.push(await open('owner'));
  });
  afterAll(() => shop().settle());

  test.concurrent.for(consoleScreens())(
    '$route shows itself in light and dark without a barrier or a complaint',
    { timeout: 60_000 },
    async (screen) => {
      const { owner } = shop();
      const console = await take();
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
        giveBack(console);
      }
    },
  );
}
