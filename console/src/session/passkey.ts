import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { api, dataOf } from '../api.ts';
import { t } from '../words/words.ts';

/*
 * Passkeys in the browser. Everything here is loaded with the first button that needs it.
 */

const timeout = 300_000;
const key = (id: string) => ({ id, type: 'public-key' as const });

/** Whether this browser can use passkeys on this page: by TLS or on localhost, and not at an IP address. */
export function hasPasskeys(): boolean {
  const hasName = !/^[\d.]+$|^\[/.test(window.location.hostname);
  return hasName && window.isSecureContext && browserSupportsWebAuthn();
}

/** What a person can do about an error of the browser; other errors keep their own words. */
export function passkeyMessage(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error.name === 'NotAllowedError' || error.name === 'AbortError') {
    return t`No passkey was used: it was canceled, took too long, or this device has none for this page.`;
  }
  return error.name === 'InvalidStateError' ? t`This device has a passkey of yours already.` : null;
}

interface Asked {
  readonly challenge: string;
  readonly rpId: string;
  readonly credentials?: readonly string[];
}

async function answer({ challenge, rpId, credentials = [] }: Asked) {
  const { id, response } = await startAuthentication({
    optionsJSON: {
      ...{ challenge, rpId, timeout, userVerification: 'required' },
      allowCredentials: credentials.map(key),
    },
  });
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return { assertion: { credential: id, clientDataJSON, authenticatorData, signature }, userHandle };
}

/** Signs in with a passkey; with a token, as the step after the password. */
export async function signInWithPasskey(signInToken?: string): Promise<void> {
  const asked = await dataOf(api.POST('/staff/v1/passkey-challenges'));
  const { assertion, userHandle } = await answer(asked);
  await api.POST('/staff/v1/sessions/passkey', {
    body: { ...assertion, ...(userHandle && { userHandle }), ...(signInToken && { signInToken }) },
  });
}

/** Proves with a passkey who is at the screen. */
export async function proveByPasskey(): Promise<void> {
  const asked = await dataOf(api.POST('/staff/v1/me/proof/passkey-challenges'));
  const { assertion } = await answer(asked);
  await api.POST('/staff/v1/me/proof/passkey', { body: assertion });
}

/** Has this device, or one beside it, make a passkey. */
export async function addPasskey(name: string): Promise<void> {
  const asked = await dataOf(api.POST('/staff/v1/me/passkeys/challenges'));
  const { id, response } = await startRegistration({
    optionsJSON: {
      ...{ challenge: asked.challenge, timeout, attestation: 'none' },
      rp: { id: asked.rpId, name: asked.rpName },
      user: { id: asked.userHandle, name: asked.userName, displayName: asked.userDisplayName },
      // Edwards curve, ECDSA on P-256, RSA: what authenticators have.
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' as const })),
      excludeCredentials: asked.credentials.map(key),
      authenticatorSelection: {
        ...{ residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      },
    },
  });
  const { clientDataJSON, attestationObject, transports } = response;
  await api.POST('/staff/v1/me/passkeys', {
    body: { name, credential: id, clientDataJSON, attestationObject, ...(transports && { transports }) },
  });
}
