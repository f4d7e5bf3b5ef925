import { describe, test as vitestTest } from 'vitest';
import { drawnFrom } from '../../test/harness/long-suite.ts';

type Proof = readonly [name: string, run: () => Promise<void>];

/**
 * The part of a kind that a run has. Browsers took half of the processor time of `npm test` when every run had all, and still
 * a sixth of it with a quarter.
 */
const usualShare = 0.1;

/** A proof takes seconds; a machine that runs other work takes ten times as long. */
const proofMs = 150_000;

let proofs: Proof[] = [];

/** Adds a proof to the kind that `drawnProofs` defines. */
export function test(...it: Proof): void {
  proofs.push(it);
}

/**
 * Proofs of one kind: a share of them in a run of `npm test`, at least one, drawn by the seed of the run. All of them run in
 * the long suite, and where tests are chosen by their names (`-t`).
 */
export function drawnProofs(kind: string, define: () => void, share = usualShare): void {
  describe(kind, () => {
    proofs = [];
    define();
    const isNamed = process.env.TEST_NAMED !== undefined;
    const drawn = new Set(isNamed ? proofs : drawnFrom(proofs, Math.ceil(proofs.length * share)));
    for (const it of proofs) if (drawn.has(it)) vitestTest(...it, proofMs);
  });
}
