import { afterAll, beforeAll } from 'vitest';
import { casesOf } from '../../test/harness/long-suite.ts';
import type { ConsolePage } from './proof-page.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';

/** Pages in parallel: one loads while another is checked. Each costs a load of the console. */
const browserCount = casesOf({ everyRun: 1, long: 3 });

/** Lends a browser with a signed-in owner; the borrower checks its complaints. */
export type LendConsole = <Result>(use: (console: ConsolePage) => Promise<Result>) => Promise<Result>;

/** Browsers shared by the proofs of this `describe`, so not every screen starts a new one. */
export function sharedConsoles(shop: () => ProofShop): LendConsole {
  const idle: ConsolePage[] = [];
  const waiting: ((console: ConsolePage) => void)[] = [];
  beforeAll(async () => {
    for (let count = 0; count < browserCount; count += 1) idle.push(await shop().open('owner'));
  });
  afterAll(() => shop().settle());
  return async (use) => {
    const console = idle.pop() ?? (await new Promise<ConsolePage>((resolve) => waiting.push(resolve)));
    try {
      return await use(console);
    } finally {
      const next = waiting.shift();
      if (next) next(console);
      else idle.push(console);
    }
  };
}
