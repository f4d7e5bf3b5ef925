import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { attentionQuery } from '../parts/attention-query.ts';
import { readAgain } from '../parts/read-again.ts';
import { notifyRefusal } from '../parts/toasts.tsx';
import { useLive } from '../parts/use-live.ts';
import { useCan } from '../session/session.tsx';
import { t } from '../words/words.ts';
import { firstStepsQuery } from './first-steps-query.ts';

/**
 * Keeps what the navigation counts true: what needs attention and, of a new shop, the open steps. Tells at once that a webhook endpoint
 * was switched off.
 */
export function AttentionWatch({ isNew }: { isNew: boolean }) {
  const client = useQueryClient();
  const [read] = useState(() => atMostEach(restMs, () => client.invalidateQueries(attentionQuery)));
  useLive(watched, read);
  const isTold = useCan('staffListWebhookEndpoints');
  return (
    <>
      {isTold && <WebhookWatch />}
      {isNew && <FirstStepsWatch />}
    </>
  );
}

const watched = [
  'orders',
  'customers',
  'offline-sales',
  'trips',
  'state-reports',
  'webhook-endpoints',
  'drawer-sessions',
  'packages',
];

/** Between two readings that events bring about: a busy shop has an event each second. */
const restMs = 10_000;

/** Calls at once, and again after the rest if there was a call meanwhile. */
function atMostEach(ms: number, call: () => void): () => void {
  let isResting = false;
  let isAsked = false;
  const begin = () => {
    isAsked = isResting;
    if (isResting) return;
    call();
    isResting = true;
    setTimeout(() => {
      isResting = false;
      if (isAsked) begin();
    }, ms);
  };
  return begin;
}

/** Owners and managers learn it on every screen. */
function WebhookWatch(): null {
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

/** What makes or undoes a step. */
const resources = [
  'organization',
  'taxes',
  'inventory-locations',
  'payment-types',
  'product-categories',
  'products',
  'inventory',
  'packages',
  'menu-imports',
  'staff',
  'registers',
  'client-keys',
];

/** Keeps the number in the navigation true while steps are open: each change of the shop reads them again. */
function FirstStepsWatch(): null {
  const client = useQueryClient();
  const reread = useCallback(() => readAgain(client, firstStepsQuery, 'shown'), [client]);
  useLive(resources, reread);
  return null;
}
