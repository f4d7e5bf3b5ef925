import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { everyScreen } from './every-screen.test-support.ts';
import { interruptionProofs } from './interruption-proofs.test-support.ts';
import { lawProofs } from './law-proofs.test-support.ts';
import { mistakeProofs } from './mistake-proofs.test-support.ts';
import { officeProofs } from './office-proofs.test-support.ts';
import { orderProofs } from './order-proofs.test-support.ts';
import { outageProofs } from './outage-proofs.test-support.ts';
import { findBrowser } from './proof-browser.ts';
import { openProofShop, type ProofShop } from './proof-shop.test-support.ts';
import { savedSaleProofs } from './saved-sale-proofs.test-support.ts';
import { scannerProofs } from './scanner-proofs.test-support.ts';
import { sessionProofs } from './session-proofs.test-support.ts';
import { speedProofs } from './speed-proofs.test-support.ts';
import { tillProofs } from './till-proofs.test-support.ts';
import { webhookProofs } from './webhook-proofs.test-support.ts';

const { path, missing } = findBrowser();
const isRequired = process.env.CI === 'true' || process.env.CI === '1';
if (missing !== undefined) console.warn(`The console cannot be tested in a browser. ${missing}`);

test.runIf(path !== undefined || isRequired)('a browser is available for the console', () => {
  expect(missing).toBeUndefined();
});

describe.runIf(path !== undefined)('in a browser', () => {
  let shop: ProofShop;
  beforeAll(async () => {
    shop = await openProofShop(path!);
    // It builds the console, which takes long on a busy machine.
  }, 300_000);
  afterAll(() => shop?.close());
  const theShop = () => shop;

  describe('people', () => {
    afterEach(() => shop.settle());
    describe('session and roles', () => sessionProofs(theShop));
    describe('orders', () => orderProofs(theShop));
    describe('scanner', () => scannerProofs(theShop));
    describe('counter', () => tillProofs(theShop));
    describe('office', () => officeProofs(theShop));
    describe('law', () => lawProofs(theShop));
    describe('webhooks', () => webhookProofs(theShop));
    describe('interruptions', () => interruptionProofs(theShop));
    describe('mistakes', () => mistakeProofs(theShop));
    describe('outages', () => outageProofs(theShop));
    describe('saved sale', () => savedSaleProofs(theShop));
    describe('speed', () => speedProofs(theShop));
  });
  describe('every screen', () => everyScreen(theShop));
});
