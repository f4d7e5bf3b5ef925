import { afterEach, describe } from 'vitest';
import { drawnProofs } from './drawn-proofs.test-support.ts';
import { everyScreen } from './every-screen.test-support.ts';
import { factorProofs } from './factor-proofs.test-support.ts';
import { importProofs } from './import-proofs.test-support.ts';
import { inBrowser } from './in-browser.test-support.ts';
import { interruptionProofs } from './interruption-proofs.test-support.ts';
import { lawProofs } from './law-proofs.test-support.ts';
import { mistakeProofs } from './mistake-proofs.test-support.ts';
import { officeProofs } from './office-proofs.test-support.ts';
import { webhookProofs } from './webhook-proofs.test-support.ts';

// The work of the office, mistakes, and every screen. counter-proofs.test.ts has the other half of the proofs.
inBrowser((shop) => {
  describe('people', () => {
    afterEach(() => shop().settle());
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
