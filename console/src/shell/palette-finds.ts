import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { api, dataOf } from '../api.ts';
import { customerName } from '../parts/customer-picker.tsx';
import { dollars } from '../parts/dollars.ts';
import { phoneInWords } from '../parts/phone-in-words.ts';
import { sentence } from '../parts/status-badge.tsx';
import { customerOf } from '../screens/orders/order-words.ts';
import { useSession } from '../session/session.tsx';
import { roleHas } from '../session/staff-role.ts';
import { t } from '../words/words.ts';

/** A line of the palette: where it leads, and what tells it from others. */
export interface Find {
  readonly group: string;
  readonly title: string;
  readonly note: string;
  readonly to: string;
  /** The key of a section, after `g`. */
  readonly keys?: string;
}

/** The service searches from this many characters on. */
const searchMin = 2;
/** Lines of one kind. */
const shownMax = 5;

type Ask = (search: string, signal: AbortSignal) => Promise<readonly Find[]>;

const sources = [
  { key: 'orders', right: 'staffListOrders', ask: findOrders },
  { key: 'customers', right: 'staffListCustomers', ask: findCustomers },
  { key: 'products', right: 'staffListProducts', ask: findProducts },
  { key: 'packages', right: 'staffListPackages', ask: findPackages },
] as const satisfies readonly { key: string; right: Parameters<typeof roleHas>[1]; ask: Ask }[];

/** Searches the lists that the role may read, side by side; a list that fails is named and does not hide the others. */
export function useFinds(search: string): {
  readonly finds: readonly Find[];
  readonly isSearching: boolean;
  readonly failed: readonly string[];
} {
  const { role } = useSession().staff;
  const asked = search.length < searchMin ? [] : sources.filter(({ right }) => roleHas(role, right));
  const answers = useQueries({
    queries: asked.map(({ key, ask }) => ({
      queryKey: [key, 'palette', search],
      queryFn: ({ signal }: { signal: AbortSignal }) => ask(search, signal),
      placeholderData: keepPreviousData,
    })),
  });
  return {
    finds: answers.flatMap(({ data }) => data ?? []),
    isSearching: answers.some(({ isFetching }) => isFetching),
    failed: asked.flatMap(({ key }, at) => (answers[at]!.isError ? [key] : [])),
  };
}

async function findOrders(search: string, signal: AbortSignal): Promise<Find[]> {
  const rows = await dataOf(api.GET('/staff/v1/orders', { params: { query: { search } }, signal }));
  return rows.slice(0, shownMax).map((order) => ({
    group: t`Orders`,
    title: t`Order ${order.number ?? order.id.slice(0, 8)}`,
    note: [sentence(order.status), customerOf(order), dollars(order.customerGrandTotal)].join(' · '),
    to: `/orders/${order.id}`,
  }));
}

async function findCustomers(search: string, signal: AbortSignal): Promise<Find[]> {
  const rows = await dataOf(api.GET('/staff/v1/customers', { params: { query: { search } }, signal }));
  return rows.slice(0, shownMax).map((customer) => ({
    group: t`Customers`,
    title: customerName(customer),
    note: [customer.email, customer.phone && phoneInWords(customer.phone)].filter(Boolean).join(' · '),
    to: `/customers/${customer.id}`,
  }));
}

async function findProducts(search: string, signal: AbortSignal): Promise<Find[]> {
  const query = { search: search.slice(0, 100) };
  const rows = await dataOf(api.GET('/staff/v1/products', { params: { query }, signal }));
  return rows.slice(0, shownMax).map(({ id, name, brand, primaryCategory }) => ({
    group: t`Products`,
    title: name,
    note: [brand?.name, primaryCategory.name].filter(Boolean).join(' · '),
    to: `/catalog/products/${id}`,
  }));
}

async function findPackages(search: string, signal: AbortSignal): Promise<Find[]> {
  const rows = await dataOf(api.GET('/staff/v1/packages', { params: { query: { search } }, signal }));
  return rows.slice(0, shownMax).map(({ id, label, status, product, externalProductName }) => ({
    group: t`Packages`,
    title: label,
    note: [product?.name ?? externalProductName, sentence(status)].filter(Boolean).join(' · '),
    to: `/inventory/packages/${id}`,
  }));
}
