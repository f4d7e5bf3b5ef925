import { randomUUID } from 'node:crypto';
import type { ProofShop } from './proof-shop.test-support.ts';

/** The path of an endpoint of the shop's first integrator. */
interface OpenedWebhook {
  readonly id: number;
  readonly url: string;
  readonly secret: string;
}

/** Makes an endpoint by the API, with a test event that waits to be sent. */
export async function openWebhook(
  { service, demo }: ProofShop,
  url = `https://hooks.example.com/${randomUUID()}`,
): Promise<OpenedWebhook> {
  const keys = { consumerKey: demo.consumerKey, clientKey: demo.clientKey };
  const { data } = await service.call('POST', '/api/v1/webhook-endpoints', { keys, body: { url } });
  await service.call('POST', `/api/v1/webhook-endpoints/${data.id}/test`, { keys });
  return { id: data.id, url, secret: data.secret };
}
