import { afterAll } from 'vitest';
import { seededKeys, seededLicenses } from './seed-world.ts';
import { type StateServer, type StateServerWishes, startStateServer } from './state-server.ts';

/* A server for each test, with a clock that stands, and calls as a program of a shop makes them. */

/** Noon in California: 2026-03-06T10:00:00 there. */
export const noon = '2026-03-06T18:00:00.000Z';
export const [shop, secondShop, foreignShop] = seededLicenses;

const servers: StateServer[] = [];
afterAll(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A server whose calls are not counted, with a clock that stands. */
export async function serve(
  switches: StateServerWishes['switches'] = {},
  wishes: StateServerWishes = {},
): Promise<Caller> {
  const limits = '9999/9999/999/999';
  const server = await startStateServer({
    ...{ seed: 'test', standsAt: noon, switches: { limits, ...switches } },
    ...wishes,
  });
  servers.push(server);
  return callerOf(server);
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a reply is read as a test expects it
  readonly body: any;
  readonly headers: Headers;
}

interface CallWishes {
  /** Null: no licenseNumber. */
  readonly license?: string | null;
  readonly body?: unknown;
  readonly user?: string;
  readonly vendor?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export const basic = (vendor: string, user: string): string =>
  `Basic ${Buffer.from(`${vendor}:${user}`).toString('base64')}`;

function callerOf(server: StateServer) {
  /** `GET /packages/v2/active?pageSize=20`. */
  const call = async (at: string, wishes: CallWishes = {}): Promise<Answer> => {
    const [method = '', path = ''] = at.split(/ (.*)/s);
    const { license = shop, body, user = seededKeys.user, vendor = seededKeys.vendor } = wishes;
    const query = license === null ? '' : `${path.includes('?') ? '&' : '?'}licenseNumber=${license}`;
    const response = await fetch(`${server.url}${path}${query}`, {
      method,
      headers: wishes.headers ?? { authorization: basic(vendor, user) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(wishes.signal && { signal: wishes.signal }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    const read = text === '' ? undefined : isJson ? JSON.parse(text) : text;
    return { status: response.status, body: read, headers: response.headers };
  };
  const packages = () => server.world.packages.all(shop);
  /** The n-th package of the shop that is counted, or weighed. */
  const counted = (at = 0) => packages().filter(({ unit }) => unit === 'Each')[at]!;
  const weighed = (at = 0) => packages().filter(({ unit }) => unit === 'Grams')[at]!;
  const quantity = (label: string) => packages().find((it) => it.label === label)?.quantity;
  const sell = (members: object = {}, lines: readonly object[] = [line(counted().label)]) =>
    call('POST /sales/v2/receipts', { body: [receipt(lines, members)] });
  return { server, call, counted, weighed, quantity, sell };
}

export type Caller = ReturnType<typeof callerOf>;

/** A line of a sale, by default two pieces for 18 dollars. */
export const line = (PackageLabel: string, members: object = {}) => ({
  ...{ PackageLabel, Quantity: 2, UnitOfMeasure: 'Each', TotalAmount: 18 },
  ...members,
});

/** A receipt to a consumer, a minute before noon. */
export const receipt = (lines: readonly object[], members: object = {}) => ({
  ...{ SalesDateTime: '2026-03-06T09:59:00.000', SalesCustomerType: 'Consumer', Transactions: lines },
  ...members,
});

/** The messages of a refused array, by row. */
export const messages = ({ body }: Answer): string[] =>
  (body as { row: number; message: string }[]).map(({ row, message }) => `${row}: ${message}`);
