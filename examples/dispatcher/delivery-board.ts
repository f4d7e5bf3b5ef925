// Outside this repository: from '@dispensary-commerce/integrator-sdk'.
import { type CommerceClient, CommerceError, type Schema } from '../../sdk/integrator/src/commerce-sdk.ts';

type Order = Schema['Order'];

/** A delivery that is not over. */
export interface Delivery {
  readonly orderId: string;
  readonly status: Order['status'];
  readonly customer: string;
  readonly phone: string | null;
  readonly address: string;
  readonly placedAt: string;
  readonly totalCents: number;
  readonly goods: string;
  readonly driver: string | null;
  /** The place among the stops of a trip of the shop's own drivers; null: no trip takes it along, and the desk sends a courier. */
  readonly stop: number | null;
  /** Where the delivery is; `unassigned` until it has a driver. */
  readonly task: NonNullable<Order['dispatchTask']>['status'];
}

const openStatuses = ['draft', 'new', 'packed'] as const;

/**
 * The deliveries under way, as the service knows them. The change feed keeps the board true: it has every event once and in
 * order, so the next look finds what a lost webhook would have told, and a webhook that comes twice finds nothing new. An
 * event only says which order to read again; to read it twice does no harm.
 */
export class DeliveryBoard {
  readonly #client: CommerceClient;
  readonly #deliveries = new Map<string, Delivery>();
  /** Everything up to here is on the board; null: nothing is. */
  #cursor: string | null = null;
  #running: Promise<void> = Promise.resolve();
  #waiting: Promise<void> | null = null;

  constructor(client: CommerceClient) {
    this.#client = client;
  }

  /** Oldest first. */
  get deliveries(): readonly Delivery[] {
    return [...this.#deliveries.values()].sort((a, b) => a.placedAt.localeCompare(b.placedAt));
  }

  /**
   * Applies what has happened since the last look. One look runs at a time, and one waits: ten webhooks at once are two
   * looks. With `waitSeconds` it waits that long for something to happen.
   */
  catchUp(waitSeconds = 0, signal?: AbortSignal): Promise<void> {
    this.#waiting ??= this.#running
      // The look before failed: its caller knows.
      .catch(() => undefined)
      .then(() => {
        this.#waiting = null;
        this.#running = this.#look(waitSeconds, signal);
        return this.#running;
      });
    return this.#waiting;
  }

  async #look(wait: number, signal: AbortSignal | undefined): Promise<void> {
    try {
      if (this.#cursor === null) await this.#begin();
      for (let hasMore = true, waits = wait; hasMore; waits = 0) {
        const { data, meta } = await this.#client.call('listChanges', {
          query: { after: this.#cursor!, types: 'order.*', limit: 500, wait: waits },
          ...(signal && { signal }),
        });
        for (const id of new Set(data.map(({ resource }) => resource.id))) await this.#read(id);
        // Only now: a look that fails before is done again from the same place.
        this.#cursor = meta.cursor;
        hasMore = meta.hasMore;
      }
    } catch (error) {
      // After 30 days without a look the feed has forgotten the place: begin again with the lists.
      if (!(error instanceof CommerceError) || error.code !== 'CURSOR_EXPIRED') throw error;
      this.#cursor = null;
    }
  }

  /** Reads the open deliveries. The place in the feed is taken first: what changes while they are read comes after it. */
  async #begin(): Promise<void> {
    const { data } = await this.#client.call('getLatestChange');
    this.#deliveries.clear();
    for (const status of openStatuses) {
      for await (const order of this.#client.each('listOrders', { query: { status, type: 'delivery' } })) {
        this.#keep(order);
      }
    }
    this.#cursor = data.cursor;
  }

  async #read(orderId: string): Promise<void> {
    const { data } = await this.#client.call('getOrder', { params: { orderId } });
    this.#keep(data);
  }

  #keep(order: Order): void {
    const isOpen = openStatuses.some((status) => status === order.status);
    if (order.type === 'delivery' && isOpen) this.#deliveries.set(order.id, deliveryOf(order));
    else this.#deliveries.delete(order.id);
  }
}

function deliveryOf(order: Order): Delivery {
  const { address, customer, dispatchTask, lineItems } = order;
  return {
    orderId: order.id,
    status: order.status,
    customer: customer === null ? '' : `${customer.firstName} ${customer.lastName}`,
    phone: customer?.phone ?? null,
    address:
      address === null
        ? ''
        : [address.street1, address.street2, `${address.city} ${address.postalCode}`]
            .filter(Boolean)
            .join(', '),
    placedAt: order.createdAt,
    totalCents: order.customerGrandTotal,
    goods: lineItems.map(({ quantity, productName }) => `${quantity} × ${productName}`).join(', '),
    driver: dispatchTask?.driverName ?? null,
    stop: dispatchTask?.trip?.stop ?? null,
    task: dispatchTask?.status ?? 'unassigned',
  };
}
