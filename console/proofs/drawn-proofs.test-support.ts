import { describe, test as vitestTest } from 'vitest';
import { drawnFrom, isLongSuite } from '../../test/harness/long-suite.ts';

interface Proof {
  readonly kind: string;
  readonly name: string;
  readonly run: () => Promise<void>;
}

/**
 * What a run of `npm test` has, of more than a hundred. Browsers took half of its processor time when every run had all, and a
 * sixth of it with one of each kind.
 */
const everyRun = 2;

/** A proof takes seconds; a machine that runs other work takes ten times as long. */
const proofMs = 150_000;

let proofs: Proof[] = [];
let currentKind = '';

/** Adds a proof to the kind that is defined just now. */
export function test(name: string, run: () => Promise<void>): void {
  proofs.push({ kind: currentKind, name, run });
}

/** Collects what `define` adds with `test`. */
function proofsOf(kind: string, define: () => void): readonly Proof[] {
  [proofs, currentKind] = [[], kind];
  define();
  return proofs;
}

/**
 * Proofs by their kind: some of them in a run of `npm test`, drawn by the seed of the run. All of them run in the long suite,
 * and where tests are chosen by their names (`-t`). They keep their order.
 */
export function defineDrawn(kinds: Readonly<Record<string, () => void>>): void {
  const all = Object.entries(kinds).flatMap(([kind, define]) => proofsOf(kind, define));
  const isWhole = isLongSuite || process.env.TEST_NAMED !== undefined;
  const drawn = isWhole ? all : drawnFrom(all, everyRun);
  for (const kind of Object.keys(kinds)) {
    const ofKind = all.filter((it) => it.kind === kind && drawn.includes(it));
    if (ofKind.length === 0) continue;
    describe(kind, () => {
      for (const { name, run } of ofKind) vitestTest(name, run, proofMs);
    });
  }
}
