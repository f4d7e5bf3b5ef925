import { useQuery } from '@tanstack/react-query';
import { notifyRefusal } from '../parts/toasts.tsx';
import { useLive } from '../parts/use-live.ts';
import { webhooksQuery } from '../parts/webhooks-query.ts';
import { useCan } from '../session/session.tsx';
import { t } from '../words/words.ts';

const nothing: ReadonlySet<string> = new Set();
const integrations: ReadonlySet<string> = new Set(['/integrations']);

/** Tells owners and managers at once, on every screen, that a webhook endpoint was switched off. */
export function WebhookWatch(): null {
  useLive(['webhook-endpoints'], tell);
  return null;
}

function tell(message: Parameters<NonNullable<Parameters<typeof useLive>[1]>>[0]): void {
  if (message === 'everything' || message.name !== 'webhook_endpoint.switched_off') return;
  notifyRefusal(
    t`Its attempts failed, or it wants no more events. Owners see it under Integrations, Webhooks.`,
    t`A webhook endpoint was switched off`,
  );
}

/** The paths of the sections in which something needs attention. */
export function useAttention(): ReadonlySet<string> {
  const isTold = useCan('staffListWebhookEndpoints');
  const { data } = useQuery({ ...webhooksQuery, enabled: isTold });
  const isOff = data?.data.some(({ switchedOffAt }) => switchedOffAt !== null) ?? false;
  return isOff ? integrations : nothing;
}
