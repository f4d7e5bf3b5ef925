import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import spanish from '../src/words/es.json' with { type: 'json' };
import type { ProofShop } from './proof-shop.test-support.ts';

/** English texts that read otherwise in Spanish and are no sentences with places. */
const english = Object.entries(spanish as Readonly<Record<string, string>>)
  .filter(([text, inSpanish]) => text !== inSpanish && !/[{¦]/.test(text) && text.trim().length > 2)
  .map(([text]) => text.trim());

/** Reads all texts of a page, also those of attributes. The browser takes it as text: this project has no types of a page. */
const textsOfPage = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const shown = [];
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode;
    // What is for sale has names in no language: a size may be called Standard.
    if (!parentElement.closest('[role=option]')) shown.push(textContent.trim());
  }
  for (const element of document.querySelectorAll('[aria-label], [placeholder], [title]')) {
    for (const name of ['aria-label', 'placeholder', 'title']) shown.push(element.getAttribute(name) ?? '');
  }
  return shown;
})()`;

/** The English texts of the catalog that a page shows or says; what people named is none of it. */
async function englishOn(page: Page, names: readonly string[]): Promise<string[]> {
  const shown = new Set<string>(await page.evaluate(textsOfPage));
  return english.filter((text) => shown.has(text) && !names.includes(text));
}

/** The language of the console. */
export function languageProofs(shop: () => ProofShop): void {
  test('Spanish is chosen in the menu, reaches screens, dialogs, money and dates, and outlives a reload', async () => {
    const console = await shop().open('owner');
    const page = await console.goto('/orders?view=list');
    await page.getByRole('button', { name: /: your menu$/ }).click();
    await page.getByRole('menuitemradio', { name: 'Español' }).click();
    const heading = page.getByRole('heading', { name: 'Pedidos', level: 1 });
    await heading.waitFor();
    await page.reload();
    await heading.waitFor();
    await console.settled();
    expect(await page.locator('html').getAttribute('lang')).toBe('es');
    const sections = page.getByRole('navigation', { name: 'Secciones' });
    await sections.getByRole('link', { name: 'Punto de venta' }).waitFor();
    const row = page.locator('tr[data-index="0"]');
    expect(await row.innerText()).toMatch(/\$[\d,]+\.\d\d[\s\S]*\d+ [a-z]{3,4}, \d+:\d\d [ap]\.\s?m\./);

    const categories = (await shop().owner.call('GET', '/staff/v1/product-categories')).data;
    const names = categories.map(({ name }: { name: string }) => name);
    for (const address of ['/point-of-sale', '/settings/organization']) {
      await console.goto(address);
      expect([address, await englishOn(page, names)]).toEqual([address, []]);
    }
    await console.goto('/customers');
    await page.getByRole('button', { name: 'Nuevo cliente' }).click();
    const dialog = page.getByRole('dialog', { name: 'Nuevo cliente' });
    await dialog.getByLabel('Fecha de nacimiento').waitFor();
    await dialog.getByRole('button', { name: 'Crear cliente' }).waitFor();
    expect(await englishOn(page, names)).toEqual([]);
    expect(await console.barriers()).toEqual([]);
  });
}
