import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressOf, consoleScreens } from './console-screens.ts';
import type { ConsolePage } from './proof-page.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

/** What holds of every screen that there is. */
export function everyScreen(shop: () => ProofShop): void {
  let console: ConsolePage;
  beforeAll(async () => {
    console = await shop().open('owner');
  });
  afterAll(() => shop().settle());

  test.for(consoleScreens())(
    '$route shows itself in light and dark without a barrier or a complaint',
    async (screen) => {
      const { owner } = shop();
      const address = await addressOf(screen, async (path) => (await owner.call('GET', path)).data);
      await console.goto(address);
      await console.show('light');
      const barriers = await console.barriers();
      await console.show('dark');
      barriers.push(...(await console.barriers(['color-contrast'])));
      expect(barriers).toEqual([]);
      expect(console.complaints.splice(0)).toEqual([]);
    },
  );
}
