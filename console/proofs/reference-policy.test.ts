import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../../src/kernel/project-folder.ts';
import { createToyServer } from '../../src/platform/http/toy-server.test-support.ts';
import { findBrowser, launchBrowser } from './proof-browser.ts';

const { path } = findBrowser();
const document = JSON.parse(readFileSync(join(projectFolder(), 'contract', 'v1.json'), 'utf8'));

test.runIf(path !== undefined)(
  'the reference shows the operations, requests no other host, and runs no injected script',
  async () => {
    const server = createToyServer({ openApi: () => document });
    const { port } = await server.listen({ port: 0, host: '127.0.0.1' });
    const browser = await launchBrowser(path!);
    try {
      const page = await browser.newPage();
      const baseUrl = `http://127.0.0.1:${port}`;
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('request', (request) => {
        if (!new RegExp(`^(${baseUrl}/|data:|blob:)`).test(request.url())) complaints.push(request.url());
      });
      await page.goto(`${baseUrl}/docs`);
      await page.getByRole('heading', { level: 1, name: document.info.title }).waitFor();
      await page.getByText('List categories').first().waitFor();
      // Its styles are applied: the browser's own margin of a page is 8 pixels.
      expect(await page.evaluate('getComputedStyle(document.body).margin')).toBe('0px');
      const ran = await page.evaluate(`new Promise((resolve) => {
        const script = document.createElement('script');
        script.textContent = 'window.ran = "script"';
        document.body.append(script);
        const picture = document.createElement('div');
        picture.innerHTML = '<img src="data:," onerror="window.ran = 1">';
        picture.firstChild.addEventListener('error', () => resolve(window.ran ?? null));
        document.body.append(picture);
      })`);
      expect([ran, complaints]).toEqual([null, []]);
    } finally {
      await browser.close();
      await server.close();
    }
  },
  60_000,
);
