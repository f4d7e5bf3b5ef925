import { afterEach, describe } from 'vitest';
import { companyProofs } from './company-proofs.test-support.ts';
import { counterProofs } from './counter-proofs.test-support.ts';
import { dispatchProofs } from './dispatch-proofs.test-support.ts';
import { factorProofs } from './factor-proofs.test-support.ts';
import { firstDayProofs } from './first-day-proofs.test-support.ts';
import { importProofs } from './import-proofs.test-support.ts';
import { inBrowser } from './in-browser.test-support.ts';
import { interruptionProofs } from './interruption-proofs.test-support.ts';
import { languageProofs } from './language-proofs.test-support.ts';
import { lawProofs } from './law-proofs.test-support.ts';
import { licenseProofs } from './license-proofs.test-support.ts';
import { mistakeProofs } from './mistake-proofs.test-support.ts';
import { officeProofs } from './office-proofs.test-support.ts';
import { offlineSaleProofs } from './offline-sale-proofs.test-support.ts';
import { orderProofs } from './order-proofs.test-support.ts';
import { outageProofs } from './outage-proofs.test-support.ts';
import { paintProofs } from './paint-proofs.test-support.ts';
import { paletteProofs } from './palette-proofs.test-support.ts';
import { parkedCartProofs } from './parked-cart-proofs.test-support.ts';
import { phoneProofs } from './phone-proofs.test-support.ts';
import { registerProofs } from './register-proofs.test-support.ts';
import { roughProofs } from './rough-proofs.test-support.ts';
import { savedSaleProofs } from './saved-sale-proofs.test-support.ts';
import { scannerProofs } from './scanner-proofs.test-support.ts';
import { sessionProofs } from './session-proofs.test-support.ts';
import { speedProofs } from './speed-proofs.test-support.ts';
import { stopwatchProofs } from './stopwatch-proofs.test-support.ts';
import { tillProofs } from './till-proofs.test-support.ts';
import { webhookProofs } from './webhook-proofs.test-support.ts';

/** A proof takes seconds; a machine that runs other work takes ten times as long. */
const timeout = 150_000;

// One browser and one shop for all people; every screen has a file of its own, which runs beside it.
inBrowser((shop) => {
  describe('people', { timeout }, () => {
    afterEach(() => shop().settle());
    describe('speed', () => speedProofs(shop));
    describe('session and roles', () => sessionProofs(shop));
    describe('orders', () => orderProofs(shop));
    describe('scanner', () => scannerProofs(shop));
    describe('on a phone', () => phoneProofs(shop));
    describe('licenses', () => licenseProofs(shop));
    describe('parked carts', () => parkedCartProofs(shop));
    describe('counter', () => tillProofs(shop));
    describe('at the counter', () => counterProofs(shop));
    describe('outages', () => outageProofs(shop));
    describe('saved sale', () => savedSaleProofs(shop));
    describe('offline sale', () => offlineSaleProofs(shop));
    describe('register', () => registerProofs(shop));
    describe('dispatch', () => dispatchProofs(shop));
    describe('office', () => officeProofs(shop));
    describe('factors', () => factorProofs(shop));
    describe('company accounts', () => companyProofs(shop));
    describe('imports', () => importProofs(shop));
    describe('first day', () => firstDayProofs(shop));
    describe('palette', () => paletteProofs(shop));
    describe('law', () => lawProofs(shop));
    describe('language', () => languageProofs(shop));
    describe('webhooks', () => webhookProofs(shop));
    describe('interruptions', () => interruptionProofs(shop));
    describe('mistakes', () => mistakeProofs(shop));
    describe('rough hands', () => roughProofs(shop));
    describe('stopwatch', () => stopwatchProofs(shop));
    describe('paints', () => paintProofs(shop));
  });
});
