import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findBrowser } from './proofs/proof-browser.ts';
import { openProofShop } from './proofs/proof-shop.test-support.ts';

test('tabs', async () => {
  const log = (...a: unknown[]) => process.stderr.write(`TAB ${(performance.now() / 1000).toFixed(1)} ${a.map(String).join(' ')}\n`);
  const shop = await openProofShop(findBrowser().path!);
  log('shop');
  const first = await shop.open('owner');
  const context = first.page.context();
  const streams: string[] = [];
  const refetches = new Map<Page, number>();
  const tabs: Page[] = [];
  const watch = (page: Page) => {
    const at = tabs.push(page);
    refetches.set(page, 0);
    page.on('request', (r) => {
      if (r.url().endsWith('/staff/v1/live')) { streams.push(`tab ${at}`); log('stream by tab', at); }
      else if (/staff\/v1\/orders\?/.test(r.url())) refetches.set(page, refetches.get(page)! + 1);
    });
  };
  watch(first.page);
  await first.goto('/orders');
  for (let n = 2; n <= 8; n++) {
    const page = await context.newPage();
    watch(page);
    await page.goto(`${shop.baseUrl}/console/orders`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.locator('.mantine-Skeleton-root, [aria-busy=true]').first().waitFor({ state: 'detached' });
  }
  log('8 tabs', streams.join());
  const counts = () => [...refetches.values()];
  log('counts', counts());
  const { productOptionId } = { productOptionId: 0 };
  void productOptionId;
  const customers = async () => shop.owner.call('GET', '/staff/v1/orders?limit=1');
  const o = (await customers());
  const id = (o.data as any[])[0].id;
  log('order', id, o.status);
  const before = counts();
  const detail = await shop.owner.call('PATCH', `/staff/v1/orders/${id}`, { notes: 'x' });
  log('patch', detail.status, detail.text.slice(0, 200));
  const r = detail.status < 300 ? detail : await shop.owner.call('POST', '/staff/v1/orders', { });
  log(r.status, r.text.slice(0, 300));
  for (let k = 0; k < 5; k++) { await new Promise((r) => setTimeout(r, 2000)); log(before, counts()); }
  log(await tabs[1]!.evaluate(async () => { const c = new BroadcastChannel('dispensary-live'); (globalThis as any).heard = []; c.onmessage = (m: any) => (globalThis as any).heard.push(m.data); return JSON.stringify([await navigator.locks.query(), document.visibilityState]); }));
  log((await shop.owner.call('PATCH', `/staff/v1/orders/${id}`, { notes: 'z' })).status);
  await new Promise((r) => setTimeout(r, 3000)); log(await tabs[1]!.evaluate(() => JSON.stringify((globalThis as any).heard)), counts());
  await expect.poll(() => counts().every((n, i) => n > before[i]!), { timeout: 10_000 }).toBe(true);
  log('all told', before, counts());
  const mid = counts();
  await tabs[0]!.close();
  await expect.poll(() => streams.length, { timeout: 10_000 }).toBe(2);
  await expect.poll(() => counts().slice(1).every((n, i) => n > mid[i + 1]!), { timeout: 10_000 }).toBe(true);
  log('taken over', streams.join(), mid, counts());
  await new Promise((r) => setTimeout(r, 2000));
  const last = counts();
  log((await shop.owner.call('PATCH', `/staff/v1/orders/${id}`, { notes: 'y' })).status);
  await expect.poll(() => counts().slice(1).every((n, i) => n > last[i + 1]!), { timeout: 10_000 }).toBe(true);
  log('all told again', streams.join(), last, counts());
  await context.close();
  await shop.close();
}, 200_000);
