import { createHmac } from 'node:crypto';
import type { OrganizationId } from '../../kernel/ids.ts';
import { unwrapKey, type WrappedKey, wrapKey } from '../../platform/storage/envelope.ts';
import type { MasterKeys } from '../../platform/storage/master-keys.ts';

const secretBytes = 32;
const secretPrefix = 'whsec_';

/** How long both secrets sign after a rotation. */
export const rotationMs = 24 * 3_600_000;

type RandomBytes = (count: number) => Uint8Array;

/** A secret is valid for its endpoint only. */
const labelOf = (organization: OrganizationId, endpointId: number): string =>
  `webhook endpoint ${organization}/${endpointId}`;

/** Makes a signing secret: the text that is shown once, and its encrypted form for the database. */
export async function makeSecret(
  keys: MasterKeys,
  randomBytes: RandomBytes,
  organization: OrganizationId,
  endpointId: number,
): Promise<{ readonly text: string; readonly sealed: WrappedKey }> {
  const [present] = await keys.load(randomBytes);
  const secret = randomBytes(secretBytes);
  const sealed = wrapKey(present, secret, labelOf(organization, endpointId), randomBytes);
  return { text: secretPrefix + Buffer.from(secret).toString('base64'), sealed };
}

/** Decrypts the secrets of an endpoint. */
export async function openSecrets(
  keys: MasterKeys,
  randomBytes: RandomBytes,
  organization: OrganizationId,
  endpointId: number,
  sealed: readonly WrappedKey[],
): Promise<Buffer[]> {
  const masters = await keys.load(randomBytes);
  return sealed.map((key) => unwrapKey(masters, key, labelOf(organization, endpointId)));
}

/** The same secret, encrypted under the present master key. */
export async function resealSecret(
  keys: MasterKeys,
  randomBytes: RandomBytes,
  organization: OrganizationId,
  endpointId: number,
  sealed: WrappedKey,
): Promise<WrappedKey> {
  const masters = await keys.load(randomBytes);
  const label = labelOf(organization, endpointId);
  return wrapKey(masters[0], unwrapKey(masters, sealed, label), label, randomBytes);
}

/** The headers of Standard Webhooks: one signature for each secret, the present one first. */
export function signedHeaders(
  secrets: readonly Uint8Array[],
  messageId: string,
  nowMs: number,
  body: string,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signatures = secrets.map((secret) => {
    const signature = createHmac('sha256', secret).update(`${messageId}.${timestamp}.${body}`);
    return `v1,${signature.digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
