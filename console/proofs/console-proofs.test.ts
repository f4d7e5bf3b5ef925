import { afterEach, describe } from 'vitest';
import { companyProofs } from './company-proofs.test-support.ts';
import { defineDrawn } from './drawn-proofs.test-support.ts';
import { everyScreen } from './every-screen.test-support.ts';
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

// One browser and one shop for all: a second pair, in a file beside it, took a tenth of the processor time of the proofs.
inBrowser((shop) => {
  describe('people', () => {
    afterEach(() => shop().settle());
    defineDrawn({
      speed: () => speedProofs(shop),
      'session and roles': () => sessionProofs(shop),
      orders: () => orderProofs(shop),
      scanner: () => scannerProofs(shop),
      'on a phone': () => phoneProofs(shop),
      licenses: () => licenseProofs(shop),
      'parked carts': () => parkedCartProofs(shop),
      counter: () => tillProofs(shop),
      outages: () => outageProofs(shop),
      'saved sale': () => savedSaleProofs(shop),
      'offline sale': () => offlineSaleProofs(shop),
      register: () => registerProofs(shop),
      office: () => officeProofs(shop),
      factors: () => factorProofs(shop),
      'company accounts': () => companyProofs(shop),
      imports: () => importProofs(shop),
      'first day': () => firstDayProofs(shop),
      palette: () => paletteProofs(shop),
      law: () => lawProofs(shop),
      language: () => languageProofs(shop),
      webhooks: () => webhookProofs(shop),
      interruptions: () => interruptionProofs(shop),
      mistakes: () => mistakeProofs(shop),
      'rough hands': () => roughProofs(shop),
      stopwatch: () => stopwatchProofs(shop),
      paints: () => paintProofs(shop),
    });
  });
  describe('every screen', () => everyScreen(shop));
});
