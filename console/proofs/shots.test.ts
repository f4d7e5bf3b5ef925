import { importProofs } from './import-proofs.test-support.ts';
import { inBrowser } from './in-browser.test-support.ts';

inBrowser((shop) => {
  importProofs(shop, async (page, name) => {
    for (const [size, viewport] of Object.entries({
      desktop: { width: 1440, height: 900 },
      phone: { width: 390, height: 844 },
    })) {
      await page.setViewportSize(viewport);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `/tmp/menus/${name}-${size}-${colorScheme}.png`, fullPage: true });
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
  });
});
