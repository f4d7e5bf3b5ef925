import { afterEach, describe } from 'vitest';
import { drawnProofs } from './drawn-proofs.test-support.ts';
import { everyScreen } from './every-screen.test-support.ts';
import { factorProofs } from './factor-proofs.test-support.ts';
import { importProofs } from './import-proofs.test-support.ts';
import { inBrowser } from './in-browser.test-support.ts';
import { interruptionProofs } from './interruption-proofs.test-support.ts';
import { lawProofs } from './law-proofs.test-support.ts';
import { licenseProofs } from './license-proofs.test-support.ts';
import { mistakeProofs } from './mistake-proofs.test-support.ts';
import { officeProofs } from './office-proofs.test-support.ts';
import { offlineSaleProofs } from './offline-sale-proofs.test-support.ts';
import { orderProofs } from './order-proofs.test-support.ts';
import { outageProofs } from './outage-proofs.test-support.ts';
import { parkedCartProofs } from './parked-cart-proofs.test-support.ts';
import { registerProofs } from './register-proofs.test-support.ts';
import { savedSaleProofs } from './saved-sale-proofs.test-support.ts';
import { scannerProofs } from './scanner-proofs.test-support.ts';
import { sessionProofs } from './session-proofs.test-support.ts';
import { speedProofs } from './speed-proofs.test-support.ts';
import { tillProofs } from './till-proofs.test-support.ts';
import { webhookProofs } from './webhook-proofs.test-support.ts';

// One browser and one shop for all: a second pair, in a file beside it, took a tenth of the processor time of the proofs.
inBrowser((shop) => {
  describe('people', () => {
    afterEach(() => shop().settle());
    drawnProofs('session and roles', () => sessionProofs(shop));
    drawnProofs('orders', () => orderProofs(shop));
    drawnProofs('scanner', () => scannerProofs(shop));
    drawnProofs('licenses', () => licenseProofs(shop));
    drawnProofs('parked carts', () => parkedCartProofs(shop));
    drawnProofs('counter', () => tillProofs(shop));
    drawnProofs('outages', () => outageProofs(shop));
    drawnProofs('saved sale', () => savedSaleProofs(shop));
    drawnProofs('offline sale', () => offlineSaleProofs(shop));
    // One story in two proofs.
    drawnProofs('register', () => registerProofs(shop), 1);
    // Cheap, and a dependency too many breaks them at once: all in every run.
    drawnProofs('speed', () => speedProofs(shop), 1);
    drawnProofs('office', () => officeProofs(shop));
    drawnProofs('factors', () => factorProofs(shop));
    drawnProofs('imports', () => importProofs(shop));
    drawnProofs('law', () => lawProofs(shop));
    drawnProofs('webhooks', () => webhookProofs(shop));
    drawnProofs('interruptions', () => interruptionProofs(shop));
    drawnProofs('mistakes', () => mistakeProofs(shop));
  });
  describe('every screen', () => everyScreen(shop));
});
