// Outside this repository: from '@dispensary-commerce/integrator-sdk' and '…/mirror'.
import type { Schema } from '../../sdk/integrator/src/commerce-sdk.ts';
import type { MirrorStore } from '../../sdk/integrator/src/mirror/mirror-sdk.ts';

/** A customer who agreed to be written to. */
export interface Contact {
  readonly id: number;
  readonly email: string;
  readonly firstName: string;
  readonly consentSince: string;
  readonly orderCount: number;
  readonly spentCents: number;
}

/**
 * Who may be written to now: with consent on file, an address, and not erased. It is made of the copy each time and never
 * kept by hand, so a consent that was withdrawn is gone with the next sync. For a large shop let the database count: each
 * collection is a table (`select … from orders`).
 */
export async function contactsWithConsent(store: MirrorStore): Promise<Contact[]> {
  const none = { count: 0, cents: 0 };
  const sales = new Map<number, typeof none>();
  for await (const order of records<Schema['Order']>(store, 'orders')) {
    if (order.status === 'canceled' || !order.userId) continue;
    const { userId } = order;
    const { count, cents } = sales.get(userId) ?? none;
    sales.set(userId, { count: count + 1, cents: cents + order.customerGrandTotal });
  }
  const contacts: Contact[] = [];
  for await (const customer of records<Schema['Customer']>(store, 'customers')) {
    const { id, email, firstName, marketingOptIn, marketingOptInAt, erasedAt } = customer;
    if (!marketingOptIn || marketingOptInAt === null || email === null || erasedAt !== null) continue;
    const { count, cents } = sales.get(id) ?? none;
    contacts.push({
      id,
      email,
      firstName,
      consentSince: marketingOptInAt,
      orderCount: count,
      spentCents: cents,
    });
  }
  return contacts;
}

/** All records of a collection of the copy. */
async function* records<Shown>(
  store: MirrorStore,
  collection: 'customers' | 'orders',
): AsyncGenerator<Shown> {
  for await (const page of store.versions(collection)) {
    const found = await store.read(
      collection,
      page.map(({ id }) => id),
    );
    for (const json of found.values()) yield JSON.parse(json);
  }
}

/** The list as CSV, for the program that sends mail. */
export function mailingListCsv(contacts: readonly Contact[]): string {
  const rows = contacts.map((it) => [
    it.id,
    it.email,
    it.firstName,
    it.consentSince,
    it.orderCount,
    it.spentCents,
  ]);
  return [['id', 'email', 'first name', 'consent since', 'orders', 'spent in cents'], ...rows]
    .map((cells) => `${cells.map(csvCell).join(',')}\n`)
    .join('');
}

/** A name that begins like a formula must not become one where the list is opened. */
function csvCell(value: string | number): string {
  const text = /^[=+\-@\t\r]/.test(String(value)) ? `'${value}` : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
