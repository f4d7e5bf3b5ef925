import { afterAll, expect, test } from 'vitest';
import { isLongSuite } from '../../test/harness/long-suite.ts';
import { startTestService } from '../../test/harness/test-service.ts';
import { createTestShop } from '../../test/harness/test-shop.ts';
import { findBrowser, launchBrowser } from './proof-browser.ts';

const service = await startTestService();
const { baseUrl } = await service.listen();
afterAll(() => service.close());

/** Below it stands the whole description: a browser takes its time. */
const timeout = 120_000;

/** The button that opens the form of an operation. */
const formOf = (path: string) => new RegExp(`Test Request.*get ${path}\\)`, 'i');

test('the page sends what is tried to the address at which it was opened', async () => {
  const { text } = await service.call('GET', '/docs/js/start.js');
  expect(text).toContain('servers: [{ url: window.location.origin }]');
});

if (isLongSuite) {
  const { path } = findBrowser();

  test.runIf(path !== undefined)(
    'in the reference, operations of the menu and others can be tried',
    { timeout },
    async () => {
      const shop = await createTestShop(service.context);
      const browser = await launchBrowser(path!);
      try {
        const page = await browser.newPage();
        page.setDefaultTimeout(timeout);
        const tried = { Menu: '/api/v1/shop', Organization: '/api/v1/organization' };
        for (const [tag, asked] of Object.entries(tried)) {
          await page.goto('about:blank');
          await page.goto(`${baseUrl}/docs/#tag/${tag.toLowerCase()}/GET${asked}`);
          await page.getByRole('button', { name: formOf(asked) }).click();
          const form = page.getByRole('dialog');
          // The only fields of one line for secrets are those of the two keys.
          const keys = form.locator('input[placeholder]');
          await keys.nth(0).fill(shop.keys.consumerKey!);
          await keys.nth(1).fill(shop.keys.clientKey!);
          const answered = page.waitForResponse((response) => response.url().includes('/api/'));
          await page.getByRole('button', { name: /Send get request/i }).click();
          const response = await answered;
          expect([response.url(), response.status()]).toEqual([`${baseUrl}${asked}`, 200]);
          await form.getByText('Test Shop').first().waitFor();
        }
        // The policy of the page lets every operation through: what it blocks throws.
        const reads = service.endpoints.filter((it) => it.method === 'GET' && !it.path.includes('{'));
        const statuses = await page.evaluate(
          ([paths, headers]) =>
            Promise.all(paths.map(async (url) => [url, (await fetch(url, { headers })).status] as const)),
          [
            reads.map((it) => it.path),
            { 'X-Consumer-Key': shop.keys.consumerKey!, 'X-Client-Key': shop.keys.clientKey! },
          ] as const,
        );
        // The service itself refuses an operation with a required query, and that of a sandbox in a shop that is none.
        const unexpected = statuses.filter(([, status]) => status !== 200 && status !== 400);
        expect(unexpected).toEqual([['/api/v1/sandbox', 403]]);
        expect(statuses.length).toBeGreaterThan(30);
      } finally {
        await browser.close();
      }
    },
  );
}
