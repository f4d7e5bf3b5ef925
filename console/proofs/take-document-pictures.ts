import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { startPictureShop } from './picture-shop.ts';
import { findBrowser, launchBrowser } from './proof-browser.ts';
import { ConsolePage, desktop, phone, tablet, uprightTablet } from './proof-page.test-support.ts';

/*
 * Takes the pictures of docs/CONSOLE.md anew, with a new demo shop: `npm run pictures [folder]`, by default into docs/console. Small
 * files: a picture of the till has about 60 kB.
 */

const root = join(import.meta.dirname, '..', '..');
const folder = resolve(process.argv[2] ?? join(root, 'docs', 'console'));

type Read = (path: string) => Promise<Record<string, never>[]>;

/** What is shown, from an empty page on. */
const scenes = {
  till: async (console: ConsolePage, read: Read) => {
    const page = await openTill(console, read);
    await page.getByRole('button', { name: /^Pay \$/ }).waitFor();
  },
  payment: async (console: ConsolePage, read: Read) => {
    const page = await openTill(console, read);
    await page.getByRole('button', { name: /^Pay \$/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('group', { name: 'Cash received' }).getByRole('button').nth(1).click();
    await dialog.getByText('Change', { exact: true }).waitFor();
  },
  orders: (console: ConsolePage) => console.goto('/orders'),
  order: async (console: ConsolePage, read: Read) => {
    const [order] = await read('/staff/v1/orders?type=pickup&status=fulfilled');
    await console.goto(`/orders/${order!.id}`);
  },
  today: (console: ConsolePage) => console.goto('/today'),
  stock: (console: ConsolePage) => console.goto('/inventory'),
  margins: (console: ConsolePage) => console.goto('/reports/margins'),
} as const;

const sizes = {
  desktop: { viewport: desktop },
  tablet: { viewport: tablet },
  upright: { viewport: uprightTablet },
  phone: { viewport: phone },
  dark: { viewport: desktop, colorScheme: 'dark' },
  // A page at 200 % has half as many pixels of its own, each drawn as four.
  double: { viewport: { width: desktop.width / 2, height: desktop.height / 2 } },
} as const;

const wanted: Readonly<Record<keyof typeof scenes, readonly (keyof typeof sizes)[]>> = {
  till: ['desktop', 'tablet', 'upright', 'phone', 'dark', 'double'],
  payment: ['desktop', 'tablet', 'upright', 'phone', 'dark', 'double'],
  orders: ['desktop', 'tablet', 'phone'],
  order: ['desktop'],
  today: ['desktop', 'phone'],
  stock: ['desktop', 'phone'],
  margins: ['desktop'],
};

/** The till with a customer and two items. */
async function openTill(console: ConsolePage, read: Read): Promise<Page> {
  const people = await read('/staff/v1/customers?sortBy=lastOrderAt&sortDirection=descending');
  const regular = people.find(({ medical, birthday }) => !medical && birthday) ?? people[0]!;
  const page = await console.goto(`/point-of-sale?customer=${regular.id}`);
  const item = page
    .getByRole('option')
    .or(page.getByRole('listitem').getByRole('button', { name: /^Add .*, / }));
  for (const place of [0, 4]) await item.nth(place).click();
  return page;
}

const { path, missing } = findBrowser();
if (path === undefined) {
  console.error(missing);
  process.exit(1);
}
mkdirSync(folder, { recursive: true });
const shop = await startPictureShop();
const browser = await launchBrowser(path);
const read: Read = async (address) => {
  const response = await fetch(shop.baseUrl + address, {
    headers: { authorization: `Bearer ${shop.token}` },
  });
  return ((await response.json()) as { data: Record<string, never>[] }).data;
};
try {
  for (const [size, options] of Object.entries(sizes)) {
    for (const [scene, show] of Object.entries(scenes)) {
      if (!wanted[scene as keyof typeof scenes].includes(size as keyof typeof sizes)) continue;
      const opened = await ConsolePage.open(browser, shop.baseUrl, shop.token, options);
      await show(opened, read);
      await opened.settled();
      await opened.pictured();
      const picture = sharp(await opened.page.screenshot());
      writeFileSync(join(folder, `${scene}-${size}.webp`), await picture.webp({ quality: 72 }).toBuffer());
      for (const complaint of opened.complaints) console.warn(complaint);
      await opened.close();
    }
  }
  console.log(`The pictures are in ${folder}`);
} finally {
  await browser.close();
  await shop.stop();
}
