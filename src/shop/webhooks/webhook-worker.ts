import { setMaxListeners } from 'node:events';
import { type OrganizationId, organizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { eventFeedOf } from '../../platform/events/event-feed.ts';
import type { FeedEventRow } from '../../platform/events/event-feed-queries.ts';
import { PostConnections } from '../../platform/http/guarded-fetch.ts';
import { OrganizationSender, type SenderParts } from './organization-sender.ts';
import { selectOrganizationsWithWebhooks, selectWebhookOrganizations } from './sending-queries.ts';
import type { WebhookWorkerOptions } from './webhook-worker-options.ts';

/** How often the worker looks for organizations with endpoints, and for deliveries whose pause is over. */
const lookEveryMs = 1_000;

/**
 * Sends the events of all organizations to their endpoints: soon after an event has committed, and again after each
 * pause. Several processes may run one each; an endpoint is leased by one of them.
 */
export class WebhookWorker {
  readonly #options: WebhookWorkerOptions;
  readonly #parts: SenderParts;
  readonly #senders = new Map<OrganizationId, OrganizationSender>();
  readonly #followed = new Map<OrganizationId, () => void>();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #look: Promise<void> | undefined;

  constructor(options: WebhookWorkerOptions) {
    this.#options = options;
    // Every endpoint that is sent to listens.
    setMaxListeners(0, this.#stopping.signal);
    this.#parts = {
      worker: Buffer.from(options.context.randomBytes(12)).toString('hex'),
      connections: new PostConnections(options.network),
      stopping: this.#stopping.signal,
    };
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
    this.#parts.connections.close();
    for (const unfollow of this.#followed.values()) unfollow();
    await this.#look;
    for (const [organization, sender] of this.#senders) {
      await sender.idle();
      await sender.release().catch((error) => this.#report(error, organization));
    }
  }

  /** Sends what is due in an organization, and lets other workers continue; resolves when all attempts have ended. */
  async pass(organization: OrganizationId): Promise<void> {
    const sender = this.#senderOf(organization);
    try {
      await eventFeedOf(this.#options.context.database).publish(organization);
      sender.wake();
      await sender.idle();
      await sender.release();
    } catch (error) {
      this.#report(error, organization);
    }
  }

  async #lookAround(): Promise<void> {
    const { context, operator } = this.#options;
    try {
      const { database, clock } = context;
      const all = await database.global(selectWebhookOrganizations({}));
      await this.#follow(all.map(({ id }) => organizationId(id)));
      const due = selectOrganizationsWithWebhooks({ at: isoTimestamp(clock.now()) });
      for (const { id } of operator ? await operator.global(due) : all) {
        if (this.#stopping.signal.aborted) return;
        this.#senderOf(organizationId(id)).wake();
      }
    } catch (error) {
      this.#options.logger.error({ err: error }, 'organizations with webhook endpoints could not be listed');
    }
  }

  /** The look every second also finds what is told here; being told makes it quick. */
  async #follow(organizations: readonly OrganizationId[]): Promise<void> {
    const added = organizations.filter((organization) => !this.#followed.has(organization));
    if (added.length === 0) return;
    const feed = eventFeedOf(this.#options.context.database);
    // From the end: the first look sends what has been missed, and other followers need not wait for it.
    for (const [organization, position] of await feed.positions(added)) {
      if (this.#stopping.signal.aborted) return;
      const tell = (events: readonly FeedEventRow[]) => this.#senderOf(organization).tell(events);
      this.#followed.set(organization, feed.follow(organization, position, { tell }));
    }
  }

  #senderOf(organization: OrganizationId): OrganizationSender {
    let sender = this.#senders.get(organization);
    if (sender === undefined) {
      sender = new OrganizationSender(this.#options, organization, this.#parts);
      this.#senders.set(organization, sender);
    }
    return sender;
  }

  #report(error: unknown, organization: OrganizationId): void {
    const about = { err: error, organizationId: organization };
    this.#options.logger.error(about, 'webhooks could not be sent');
  }
}
