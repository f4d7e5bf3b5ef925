import { useSyncExternalStore } from 'react';

/* Operations that need a recent proof of who is at the screen: the dialog that asks for it, and who waits for the answer. */

/** What the proof consists of, as the service says. */
export type ProofNeeds = 'password' | 'password-and-code';

interface ProofRequest {
  readonly needs: ProofNeeds;
  /** Whether the person has proved it. */
  readonly answer: (isProven: boolean) => void;
  readonly answered: Promise<boolean>;
}

let request: ProofRequest | null = null;
const listeners = new Set<() => void>();

function set(value: ProofRequest | null): void {
  request = value;
  for (const listener of listeners) listener();
}

/** Asks the person; all who ask meanwhile wait for the same answer. Resolves to false if the person gives up. */
export function askForProof(needs: ProofNeeds): Promise<boolean> {
  if (request === null) {
    let answer: (isProven: boolean) => void = () => {};
    const answered = new Promise<boolean>((resolve) => {
      answer = (isProven) => {
        set(null);
        resolve(isProven);
      };
    });
    set({ needs, answer, answered });
  }
  return request!.answered;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The proof that is asked for now; null: none. */
export function useProofRequest(): ProofRequest | null {
  return useSyncExternalStore(subscribe, () => request);
}
