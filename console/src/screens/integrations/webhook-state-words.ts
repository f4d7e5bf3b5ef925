import type { Schema } from '../../api.ts';
import { sentence, type Tone } from '../../parts/status-badge.tsx';
import { t } from '../../words/words.ts';

export type WebhookEndpoint = Schema['StaffWebhookEndpoint'];
export type WebhookDelivery = Schema['WebhookDelivery'];

/** The address without its protocol, for titles and questions. */
export function shortAddress({ url }: Pick<WebhookEndpoint, 'url'>): string {
  return url.replace(/^https?:\/\//, '');
}

interface EndpointState {
  readonly status: string;
  readonly tone: Tone;
  readonly label: string;
}

/** The health of an endpoint, worst first. */
export function endpointState(endpoint: WebhookEndpoint): EndpointState {
  const { enabled, switchedOffAt, failingSince, lastSuccessAt } = endpoint;
  if (switchedOffAt !== null) return { status: 'switched-off', tone: 'bad', label: t`Switched off` };
  if (!enabled) return { status: 'disabled', tone: 'neutral', label: t`Disabled` };
  if (failingSince !== null) return { status: 'failing', tone: 'bad', label: t`Failing` };
  if (lastSuccessAt === null) return { status: 'silent', tone: 'neutral', label: t`Nothing sent yet` };
  return { status: 'well', tone: 'good', label: t`Healthy` };
}

/** Why the service switched an endpoint off. */
export function whySwitchedOff({ switchedOffReason }: WebhookEndpoint): string {
  return switchedOffReason === 'gone'
    ? t`It answered 410, which means that it wants no more events.`
    : t`All attempts of five days failed.`;
}

/** The chosen events in words: `order.*, product.updated`. */
export function typesInWords({ types }: Pick<WebhookEndpoint, 'types'>): string {
  return types.length === 0 ? t`All events` : types.join(', ');
}

/** The events to choose from, by their subject; the first of each group stands for all of it. */
export function typeChoices(types: readonly string[]): { group: string; items: string[] }[] {
  const subjects = [...new Set(types.map((type) => type.split('.', 1)[0]!))].sort();
  return subjects.map((subject) => ({
    group: sentence(subject),
    items: [`${subject}.*`, ...types.filter((type) => type.startsWith(`${subject}.`))],
  }));
}

/** The tone of a delivery's status. */
export const deliveryTones: Readonly<Record<WebhookDelivery['status'], Tone>> = {
  pending: 'waiting',
  delivered: 'good',
  failed: 'bad',
};
