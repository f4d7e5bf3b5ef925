import { afterEach } from 'vitest';
import { drawnProofs } from './drawn-proofs.test-support.ts';
import { inBrowser } from './in-browser.test-support.ts';
import { licenseProofs } from './license-proofs.test-support.ts';
import { orderProofs } from './order-proofs.test-support.ts';
import { outageProofs } from './outage-proofs.test-support.ts';
import { registerProofs } from './register-proofs.test-support.ts';
import { savedSaleProofs } from './saved-sale-proofs.test-support.ts';
import { scannerProofs } from './scanner-proofs.test-support.ts';
import { sessionProofs } from './session-proofs.test-support.ts';
import { speedProofs } from './speed-proofs.test-support.ts';
import { tillProofs } from './till-proofs.test-support.ts';

// The work at the counter, and what it needs. console-proofs.test.ts has the other half, so that two processors share them.
inBrowser((shop) => {
  afterEach(() => shop().settle());
  drawnProofs('session and roles', () => sessionProofs(shop));
  drawnProofs('orders', () => orderProofs(shop));
  drawnProofs('scanner', () => scannerProofs(shop));
  drawnProofs('licenses', () => licenseProofs(shop));
  drawnProofs('counter', () => tillProofs(shop));
  drawnProofs('outages', () => outageProofs(shop));
  drawnProofs('saved sale', () => savedSaleProofs(shop));
  // One story in two proofs.
  drawnProofs('register', () => registerProofs(shop), 1);
  // Cheap, and a dependency too many breaks them at once: all in every run.
  drawnProofs('speed', () => speedProofs(shop), 1);
});
