import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBrowser, type Optimizing } from './proof-browser.ts';
import { openProofShop, type ProofShop } from './proof-shop.test-support.ts';

const isRequired = process.env.CI === 'true' || process.env.CI === '1';

/** Defines proofs that need a browser and a shop. Both are opened once for the file. CI requires a browser. */
export function inBrowser(define: (shop: () => ProofShop) => void, optimizing: Optimizing = 'ahead'): void {
  const { path, missing } = findBrowser();
  if (missing !== undefined) console.warn(`The console cannot be tested in a browser. ${missing}`);

  test.runIf(path !== undefined || isRequired)('a browser is available for the console', () => {
    expect(missing).toBeUndefined();
  });

  describe.runIf(path !== undefined)('in a browser', () => {
    let shop: ProofShop;
    beforeAll(async () => {
      shop = await openProofShop(path!, optimizing);
      // It builds the console, which takes long on a busy machine.
    }, 300_000);
    afterAll(() => shop?.close());
    define(() => shop);
  });
}
