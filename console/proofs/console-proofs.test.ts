import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { everyScreen } from './every-screen.test-support.ts';
import { interruptionProofs } from './interruption-proofs.test-support.ts';
import { officeProofs } from './office-proofs.test-support.ts';
import { orderProofs } from './order-proofs.test-support.ts';
import { outageProofs } from './outage-proofs.test-support.ts';
import { findBrowser } from './proof-browser.ts';
import { openProofShop, type ProofShop } from './proof-shop.test-support.ts';
import { savedSaleProofs } from './saved-sale-proofs.test-support.ts';
import { scannerProofs } from './scanner-proofs.test-support.ts';
import { sessionProofs } from './session-proofs.test-support.ts';
import { slipProofs } from './slip-proofs.test-support.ts';
import { speedProofs } from './speed-proofs.test-support.ts';
import { tillProofs } from './till-proofs.test-support.ts';

const { path, missing } = findBrowser();
const isRequired = process.env.CI === 'true' || process.env.CI === '1';
if (missing !== undefined) console.warn(`The console is not proved in a browser. ${missing}`);

test.runIf(path !== undefined || isRequired)('a browser is there to prove the console in', () => {
  expect(missing).toBeUndefined();
});

describe.runIf(path !== undefined)('in a browser', () => {
  let shop: ProofShop;
  beforeAll(async () => {
    shop = await openProofShop(path!);
  }, 120_000);
  afterAll(() => shop?.close());
  const theShop = () => shop;

  describe('people', () => {
    afterEach(() => shop.settle());
    describe('who come and go', () => sessionProofs(theShop));
    describe('who sell', () => orderProofs(theShop));
    describe('who scan', () => scannerProofs(theShop));
    describe('at the till', () => tillProofs(theShop));
    describe('in the office', () => officeProofs(theShop));
    describe('who are interrupted', () => interruptionProofs(theShop));
    describe('who slip', () => slipProofs(theShop));
    describe('who are cut off', () => outageProofs(theShop));
    describe('who come back to the till', () => savedSaleProofs(theShop));
    describe('who wait', () => speedProofs(theShop));
  });
  describe('every screen', () => everyScreen(theShop));
});
