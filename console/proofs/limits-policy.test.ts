import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { guidesPages } from '../../src/app/guides/guides-pages.ts';
import { jurisdictions } from '../../src/engines/jurisdictions/jurisdictions.ts';
import { createToyServer } from '../../src/platform/http/toy-server.test-support.ts';
import { limitsPages } from '../../src/shop/limit-calculator/limits-page.ts';
import { findBrowser, launchBrowser } from './proof-browser.ts';

const { path } = findBrowser();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

test.runIf(path !== undefined)(
  'the purchase limits page works, is accessible in light, dark and on a phone, and requests no other host',
  async () => {
    const server = createToyServer({
      publicPages: {
        // With the stylesheet that all public pages share.
        ...guidesPages(),
        ...limitsPages({ known: () => jurisdictions, today: () => '2026-11-23' }),
      },
    });
    const { port } = await server.listen({ port: 0, host: '127.0.0.1' });
    const browser = await launchBrowser(path!);
    try {
      const complaints: string[] = [];
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await browser.newPage({ colorScheme, viewport: { width: 390, height: 844 } });
        page.on('console', (message) => complaints.push(message.text()));
        page.on('request', (request) => {
          if (!request.url().startsWith(`http://127.0.0.1:${port}/docs/`)) complaints.push(request.url());
        });
        await page.goto(`http://127.0.0.1:${port}/docs/limits`);
        await page.getByLabel('State').selectOption('Colorado');
        await page.getByLabel('Flower: wants to buy').fill('1/8 oz');
        await page.getByRole('button', { name: 'Show what is left' }).click();
        await page.getByText('0.875 oz').first().waitFor();
        await page.evaluate(axe);
        const barriers = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as {
          id: string;
        }[];
        complaints.push(...barriers.map(({ id }) => `${colorScheme}: ${id}`));
        const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        expect(await page.evaluate(overflow)).toBe(0);
        await page.close();
      }
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
      await server.close();
    }
  },
  60_000,
);
