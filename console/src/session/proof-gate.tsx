import { lazy, Suspense } from 'react';
import { useProofRequest } from './proof-request.ts';

// Rarely used, so the first screen does not load it.
const ProofDialog = lazy(() => import('./proof-dialog.tsx'));

/** Opens the dialog that asks who is at the screen, over whatever is open. */
export function ProofGate() {
  const request = useProofRequest();
  if (request === null) return null;
  return (
    <Suspense>
      <ProofDialog needs={request.needs} onAnswer={request.answer} />
    </Suspense>
  );
}
