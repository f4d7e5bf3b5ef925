import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { addressOf, consoleScreens } from './console-screens.ts';
import { type PictureShop, startPictureShop } from './picture-shop.ts';
import { findBrowser, launchBrowser } from './proof-browser.ts';
import { ConsolePage, desktop, phone, tablet, uprightTablet } from './proof-page.test-support.ts';

/*
 * Takes pictures of every screen of the console in light and dark, on a phone, on a tablet in both orientations and at desktop
 * size, with a new demo shop: `npm run screenshots [folder] [size …]`, by default `screenshots/` and all sizes, with an index.html
 * to browse them. Prints the browser's complaints.
 */

const root = join(import.meta.dirname, '..', '..');
const folder = resolve(process.argv[2] ?? join(root, 'screenshots'));
const allSizes = { phone, upright: uprightTablet, tablet, desktop } as const;
const wantedSizes = process.argv.slice(3);
const sizes = Object.fromEntries(
  Object.entries(allSizes).filter(([size]) => wantedSizes.length === 0 || wantedSizes.includes(size)),
);
const schemes = ['light', 'dark'] as const;
const signInName = 'sign-in';

/** The screens by name, with their addresses in this shop. */
async function findAddresses({ baseUrl, token }: PictureShop): Promise<Map<string, string>> {
  const addresses = new Map<string, string>();
  for (const screen of consoleScreens()) {
    const address = await addressOf(screen, async (path) => {
      const response = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${token}` } });
      return ((await response.json()) as { data: { id: number }[] }).data;
    });
    addresses.set(screen.name, address);
  }
  return addresses;
}

const fileOf = (name: string, size: string, scheme: string): string => `${name}-${size}-${scheme}.png`;

/** Takes every screen in one size; a screen that fails is reported, and the others are taken. */
async function takeAll(
  page: ConsolePage,
  size: string,
  addresses: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [name, address] of addresses) {
    try {
      await page.goto(address);
      await page.pictured();
      for (const scheme of schemes) {
        await page.show(scheme);
        await page.page.screenshot({ path: join(folder, fileOf(name, size, scheme)) });
      }
    } catch (error) {
      console.error(`${name} (${address}): ${(error as Error).message}`);
      process.exitCode = 1;
    }
  }
  await page.close();
  for (const complaint of page.complaints) console.warn(complaint);
}

/** A row of pictures for each screen. */
function gallery(names: readonly string[]): string {
  const rows = names.map((name) => {
    const pictures = Object.keys(sizes).flatMap((size) =>
      schemes.map((scheme) => fileOf(name, size, scheme)),
    );
    const links = pictures.map(
      (file) => `<a href="${file}"><img src="${file}" alt="${file}" loading="lazy"></a>`,
    );
    return `<h2>${name}</h2><div>${links.join('')}</div>`;
  });
  return `<!doctype html>
<meta charset="utf-8">
<title>Screens of the console</title>
<style>
  body { font: 14px system-ui; margin: 24px; background: #999; }
  div { display: grid; grid-template-columns: repeat(8, 1fr); gap: 12px; }
  img { width: 100%; }
</style>
${rows.join('\n')}
`;
}

const { path, missing } = findBrowser();
if (path === undefined) {
  console.error(missing);
  process.exit(1);
}
mkdirSync(folder, { recursive: true });
const shop = await startPictureShop();
const browser = await launchBrowser(path);
try {
  const addresses = await findAddresses(shop);
  await Promise.all(
    Object.entries(sizes).map(async ([size, viewport]) => {
      const outside = await ConsolePage.open(browser, shop.baseUrl, null, { viewport, refusals: [401] });
      await takeAll(outside, size, new Map([[signInName, '/']]));
      const inside = await ConsolePage.open(browser, shop.baseUrl, shop.token, { viewport });
      await takeAll(inside, size, addresses);
    }),
  );
  const index = join(folder, 'index.html');
  writeFileSync(index, gallery([signInName, ...addresses.keys()]));
  console.log(`Open ${index}`);
} finally {
  await browser.close();
  await shop.stop();
}
