import { setTimeout as wait } from 'node:timers/promises';
import type { OrganizationClock } from '../../kernel/clock.ts';
import { failure } from '../../kernel/failure.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { SandboxRequest, SandboxRunner } from '../../platform/http/endpoint-pipeline.ts';
import type { RequestContext } from '../../platform/http/request-context.ts';
import { holdWebhooks } from '../webhooks/webhooks.ts';
import { type Faults, noFaults, readFaults } from './faults.ts';
import { raisePrice, sellOut } from './spoil-goods.ts';

type SandboxContext = Context & { readonly clock: OrganizationClock };

/** Runs the requests of sandboxes by their clocks, with the faults that they ask for. */
export function createSandboxRunner(context: SandboxContext): SandboxRunner {
  const { clock } = context;
  return {
    answer: (request, answer) =>
      clock.runBy(request.caller.sandbox!.clock, () => answerWithFaults(context, request, answer)),
    byClock: (setting, work) => clock.runBy(setting, work),
  };
}

async function answerWithFaults(
  context: Context,
  request: SandboxRequest,
  answer: () => Promise<void> | undefined,
): Promise<void> {
  const { requestContext, caller } = request;
  const faults = readFaults(requestContext.request.headers['sandbox-fault'] as string | undefined);
  if (faults === noFaults) {
    await answer();
    return;
  }
  const { organizationId, integratorId } = caller;
  const origin: Origin = { actor: `key:${caller.clientKeyId}`, requestId: requestContext.requestId };
  const optionId = spoiledOption(request, faults);
  if (faults.delayMs > 0) await pause(requestContext, faults.delayMs);
  refuseAsAsked(requestContext, faults);
  if (faults.webhooksLateMs !== null) {
    const untilMs = context.wallClock.now() + faults.webhooksLateMs;
    await holdWebhooks(context, origin, organizationId, integratorId, untilMs);
  }
  const spoil = async () => {
    if (faults.changesPrice) await raisePrice(context, origin, organizationId, optionId!);
    if (faults.sellsOut) await sellOut(context, origin, organizationId, optionId!);
  };
  const isPreview = request.endpoint.kind === 'read';
  if (!isPreview) await spoil();
  requestContext.dropsReply = faults.dropsReply;
  // Who reads the price finds the goods spoiled already, however soon it asks.
  requestContext.holdsReply = isPreview;
  try {
    await answer();
    if (isPreview) await spoil();
  } catch (error) {
    // Nothing was committed, so the refusal is answered.
    requestContext.dropsReply = false;
    throw error;
  } finally {
    requestContext.releaseReply();
  }
}

/** Does not count as work under way, and ends with the connection. */
async function pause(requestContext: RequestContext, ms: number): Promise<void> {
  await requestContext.pause((over) => wait(ms, undefined, { signal: over }).catch(() => {}));
}

function refuseAsAsked(requestContext: RequestContext, { status, isRateLimited }: Faults): void {
  if (status === 503) throw failure('SERVICE_UNAVAILABLE', 'Sandbox-Fault asked for this answer.');
  if (!isRateLimited) return;
  requestContext.headers['retry-after'] = 1;
  throw failure('RATE_LIMITED', 'Sandbox-Fault asked for this answer.');
}

const ofCarts = ['placeOrder', 'priceCart'];

/** The option of the cart's first line, whose price or stock changes; null: no such fault is asked for. */
function spoiledOption(
  { endpoint, body }: SandboxRequest,
  { changesPrice, sellsOut }: Faults,
): number | null {
  if (!changesPrice && !sellsOut) return null;
  const lines = (body as { readonly lineItems?: readonly { readonly productOptionId?: unknown }[] } | null)
    ?.lineItems;
  const optionId = Array.isArray(lines) ? lines[0]?.productOptionId : undefined;
  if (ofCarts.includes(endpoint.id) && Number.isSafeInteger(optionId)) return optionId as number;
  throw failure(
    'INVALID_PARAMS',
    'Sandbox-Fault: price-change and out-of-stock are for carts and orders, with a line of an option.',
  );
}
