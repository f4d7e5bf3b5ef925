import { askForProof, type ProofNeeds } from './proof-request.ts';

interface Refused {
  readonly error?: { readonly code?: unknown; readonly meta?: { readonly needs?: ProofNeeds } };
}

/** What the proof consists of, if the reply asks for one; null otherwise. */
async function proofAskedFor(response: Response): Promise<ProofNeeds | null> {
  if (response.status !== 403) return null;
  const body: Refused | null = await response
    .clone()
    .json()
    .catch(() => null);
  if (body?.error?.code !== 'RECENT_PROOF_REQUIRED') return null;
  return body.error.meta?.needs ?? 'password';
}

/**
 * Like `fetch`. A request that is refused because it needs a recent proof waits for the dialog, and is then sent again as it
 * was, with its idempotency key. If the person gives up, the refusal is the answer.
 */
export function provenFetch(
  send: (request: Request) => Promise<Response>,
  ask: (needs: ProofNeeds) => Promise<boolean> = askForProof,
): (request: Request) => Promise<Response> {
  return async (request) => {
    // A body can be sent only once. Its bytes, unlike a clone of the request, leave it visible to the browser's tools.
    const body = request.body === null ? undefined : await request.arrayBuffer();
    const whole = () => (body === undefined ? request : new Request(request, { body }));
    const response = await send(whole());
    const needs = await proofAskedFor(response);
    if (needs === null || !(await ask(needs))) return response;
    return send(whole());
  };
}
