import { eventFeedOf } from '../events/event-feed.ts';
import { type OrganizationId, organizationId } from '../kernel/ids.ts';
import { EndpointSender } from './endpoint-sender.ts';
import { makeDueDeliveries } from './make-deliveries.ts';
import { selectWebhookOrganizations } from './sending-queries.ts';
import type { WebhookWorkerOptions } from './webhook-worker-options.ts';

/** How often the worker looks for organizations with endpoints, and for deliveries whose pause is over. */
const lookEveryMs = 1_000;

interface Followed {
  unfollow(): void;
  /** The pass under way, and whether something has happened since it began. */
  pass: Promise<void> | undefined;
  isStale: boolean;
}

/**
 * Makes and sends the deliveries of all organizations: soon after an event has committed, and again after each pause.
 * Several processes may run one each. Each endpoint has its own sender, so a slow one delays no other.
 */
export class WebhookWorker {
  readonly #options: WebhookWorkerOptions;
  readonly #followed = new Map<OrganizationId, Followed>();
  readonly #senders = new Map<string, EndpointSender>();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #look: Promise<void> | undefined;

  constructor(options: WebhookWorkerOptions) {
    this.#options = options;
  }

  start(): this {
    const look = () => {
      this.#look ??= this.#lookAround().finally(() => {
        this.#look = undefined;
      });
    };
    look();
    this.#timer = setInterval(look, lookEveryMs);
    return this;
  }

  /** Ends attempts that are under way; another worker makes them again. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort(new Error('the process is stopping'));
    for (const { unfollow } of this.#followed.values()) unfollow();
    await this.#look;
    await Promise.all([...this.#followed.values()].map(({ pass }) => pass));
    await Promise.all([...this.#senders.values()].map((sender) => sender.idle()));
  }

  /** Makes the deliveries of an organization and sends what is due; resolves when all attempts have ended. */
  async pass(organization: OrganizationId): Promise<void> {
    const endpoints = await makeDueDeliveries(this.#options, organization, this.#stopping.signal);
    await Promise.all(endpoints.map((id) => this.#senderOf(organization, id).send()));
  }

  async #lookAround(): Promise<void> {
    const { context, logger } = this.#options;
    try {
      for (const { id } of await context.database.global(selectWebhookOrganizations({}))) {
        if (this.#stopping.signal.aborted) return;
        await this.#follow(organizationId(id));
        this.#wake(organizationId(id));
      }
    } catch (error) {
      logger.error({ err: error }, 'organizations with webhook endpoints could not be listed');
    }
  }

  /** The look every second finds the same events; this call makes it quick. */
  async #follow(organization: OrganizationId): Promise<void> {
    if (this.#followed.has(organization)) return;
    const feed = eventFeedOf(this.#options.context.database);
    // From the end: the first wake makes what has been missed, and other followers need not wait for it.
    const { position } = await feed.latest(organization);
    if (this.#stopping.signal.aborted) return;
    const unfollow = feed.follow(organization, position, {
      tell: () => this.#wake(organization),
    });
    this.#followed.set(organization, { unfollow, pass: undefined, isStale: false });
  }

  #wake(organization: OrganizationId): void {
    const followed = this.#followed.get(organization);
    if (followed === undefined) return;
    followed.isStale = true;
    followed.pass ??= this.#passes(organization, followed).finally(() => {
      followed.pass = undefined;
    });
  }

  async #passes(organization: OrganizationId, followed: Followed): Promise<void> {
    while (followed.isStale && !this.#stopping.signal.aborted) {
      followed.isStale = false;
      try {
        const endpoints = await makeDueDeliveries(this.#options, organization, this.#stopping.signal);
        // Senders continue by themselves.
        for (const id of endpoints) void this.#senderOf(organization, id).send();
      } catch (error) {
        this.#options.logger.error(
          { err: error, organizationId: organization },
          'webhook deliveries could not be made',
        );
      }
    }
  }

  #senderOf(organization: OrganizationId, endpointId: number): EndpointSender {
    const key = `${organization}/${endpointId}`;
    let sender = this.#senders.get(key);
    if (sender === undefined) {
      sender = new EndpointSender(this.#options, organization, endpointId, this.#stopping.signal);
      this.#senders.set(key, sender);
    }
    return sender;
  }
}
