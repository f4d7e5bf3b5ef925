import { type CollectionName, collections, type LinkKind, type ShownRecord } from './collections.ts';
import type { EndedRecord, RecordName, Sweep } from './store.ts';

/** What a page of changes asks of a copy. Pure. */

/** An event of `GET /api/v1/changes`. */
export interface Change {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly resource: { readonly type: string; readonly id: string };
  readonly facts: Readonly<Record<string, unknown>>;
  readonly data?: ShownRecord | null;
}

export interface ChangePlan {
  /** Records as they are now. */
  readonly upserts: readonly { readonly collection: CollectionName; readonly record: ShownRecord }[];
  readonly deletes: readonly RecordName[];
  readonly ended: readonly EndedRecord[];
  /** Records to read again, by name or by what they show. */
  readonly stale: readonly RecordName[];
  readonly staleLinked: readonly { readonly kind: LinkKind; readonly ref: string | null }[];
  readonly sweeps: readonly Sweep[];
}

/** Things that records show, and the links by which the records are found. */
const linkOfSubject: Readonly<Record<string, LinkKind>> = {
  brand: 'brand',
  product_category: 'category',
  product_sub_category: 'sub_category',
  inventory_vendor: 'vendor',
};

/** Facts that name records whose stock, cost or points moved. */
const namesOfFacts: readonly (readonly [fact: string, collection: CollectionName])[] = [
  ['productId', 'products'],
  ['productIds', 'products'],
  ['packageId', 'packages'],
  ['packageIds', 'packages'],
  ['customerId', 'customers'],
  ['purchaseOrderId', 'purchase_orders'],
];

/** Events of many things at once, which do not name them. */
const sweepsOfType: Readonly<Record<string, readonly CollectionName[]>> = {
  'catalog.imported': ['products'],
  'stock.changed': ['products', 'packages'],
};

/** Ends of life that an event tells. */
const reasonOfType: Readonly<Record<string, 'merged' | 'erased' | 'deleted'>> = {
  'customer.merged': 'merged',
  'customer.erased': 'erased',
  'product.deleted': 'deleted',
  'option.deleted': 'deleted',
};

/** Plans a page of events; `copied` are the collections of the copy. */
export function planChanges(events: readonly Change[], copied: readonly CollectionName[]): ChangePlan {
  const plan = new Plan(copied);
  for (const event of events) plan.add(event);
  return plan.done();
}

class Plan {
  readonly #copied: ReadonlySet<CollectionName>;
  readonly #upserts = new Map<
    string,
    { readonly collection: CollectionName; readonly record: ShownRecord }
  >();
  readonly #deletes = new Map<string, RecordName>();
  readonly #ended: EndedRecord[] = [];
  readonly #stale = new Map<string, RecordName>();
  readonly #linked = new Map<string, { readonly kind: LinkKind; readonly ref: string | null }>();
  readonly #sweeps = new Set<CollectionName>();

  constructor(copied: readonly CollectionName[]) {
    this.#copied = new Set(copied);
  }

  add(event: Change): void {
    const { type, resource, facts, data } = event;
    const collection = collections.find((it) => it.resource === resource.type);
    if (collection !== undefined && data !== undefined && this.#copied.has(collection.name)) {
      const name = { collection: collection.name, id: resource.id };
      if (data === null) this.#deletes.set(keyOf(name), name);
      else this.#upserts.set(keyOf(name), { collection: collection.name, record: data });
    }
    for (const [fact, of] of namesOfFacts) for (const id of idsIn(facts[fact])) this.#read(of, id);
    for (const name of sweepsOfType[type] ?? []) if (this.#copied.has(name)) this.#sweeps.add(name);
    this.#addShown(event);
    this.#addEnd(event);
  }

  /** What other records show of the subject. */
  #addShown({ type, resource, data }: Change): void {
    const kind = linkOfSubject[resource.type];
    if (kind !== undefined) this.#link(kind, resource.id);
    // Customers show their groups by name.
    if (type === 'customer_group.updated' || type === 'customer_group.deleted') this.#link('group', null);
    if (resource.type === 'customer') {
      // Their orders and versions moved with them.
      const movesOrders = type === 'customer.merged' || type === 'customer.erased';
      if (movesOrders || !this.#copied.has('customers')) this.#link('customer', resource.id);
    }
    if (resource.type === 'order' && data?.type === 'delivery' && data.userId != null) {
      // The latest delivery is the address of the customer.
      this.#read('customers', String(data.userId));
    }
    if (resource.type === 'package' && data?.product != null) {
      // Whether a package may be sold decides how much of the product there is.
      this.#read('products', String((data.product as ShownRecord).id));
    }
  }

  #addEnd({ type, resource, facts, at }: Change): void {
    const reason = reasonOfType[type];
    if (reason === undefined) return;
    const collection = collections.find((it) => it.resource === resource.type)?.name ?? 'options';
    const intoId = reason === 'merged' ? String(facts.intoCustomerId) : null;
    this.#ended.push({ collection, id: resource.id, reason, intoId, at });
  }

  done(): ChangePlan {
    // What the page shows anyway is not read again; what is gone is not either.
    const settled = [...this.#upserts.keys(), ...this.#deletes.keys()];
    for (const key of settled) this.#stale.delete(key);
    return {
      upserts: [...this.#upserts.values()],
      deletes: [...this.#deletes.values()],
      ended: this.#ended,
      stale: [...this.#stale.values()],
      staleLinked: [...this.#linked.values()],
      sweeps: [...this.#sweeps].map((collection) => ({ collection, after: null })),
    };
  }

  #read(collection: CollectionName, id: string): void {
    if (!this.#copied.has(collection)) return;
    const name = { collection, id };
    this.#stale.set(keyOf(name), name);
  }

  #link(kind: LinkKind, ref: string | null): void {
    this.#linked.set(`${kind} ${ref}`, { kind, ref });
  }
}

function keyOf({ collection, id }: RecordName): string {
  return `${collection} ${id}`;
}

function idsIn(fact: unknown): string[] {
  const list = Array.isArray(fact) ? fact : [fact];
  return list.flatMap((id) => (typeof id === 'number' || typeof id === 'string' ? [String(id)] : []));
}
