import type { TObject, TSchema } from 'typebox';
import { declaredOperations, declaredStaffOperations } from '../src/app/declared-operations.ts';
import type { AnyEndpoint } from '../src/platform/http/endpoint.ts';
import { busyId } from './list-rows.ts';

/** The source of the values. */
interface ShopRows {
  /** The single value that a query returns; $1 is the organization. */
  value(sql: string): Promise<string>;
}

/** The first page of a list, with one filter or sort, or with none. */
export interface ListRequest {
  /** Operation, filter and kind of value; the same in every run. */
  readonly name: string;
  readonly path: string;
  readonly audience: 'staff' | 'integrator';
  /** Whether it has two filters or more: some contradict each other, which is refused. */
  readonly hasSeveral: boolean;
}

/**
 * Values by kind: of `many` rows, of `few` old rows, of few old rows among the many of another filter (`quiet`), of the one
 * customer with very many rows (`busy`), of no row (`none`). Text, or SQL in which $1 is the organization.
 */
interface FilterValues {
  readonly many?: string;
  readonly few?: string;
  readonly quiet?: string;
  readonly busy?: string;
  readonly none?: string;
  /** Other parameters that the request needs. */
  readonly beside?: string;
}

const rareLocation = '999999999';
const unknownId = '1';
const copies = 'id > 1000000000';
const oneOf = (column: string, table: string, where: string): string =>
  `select ${column} from ${table} where organization_id = $1 and ${where} limit 1`;
const either = (column: string, table: string, ofCopy = copies): FilterValues => ({
  many: oneOf(column, table, ofCopy),
  few: oneOf(column, table, `${column} is distinct from (${oneOf(column, table, ofCopy)})`),
  none: unknownId,
});
/** The value of an old entry of the product that has nearly all entries. */
const quiet = (column: string): string => {
  const busy = (wanted: string) => `(${oneOf(wanted, 'stock_ledger_entries', copies)})`;
  const isQuiet = `product_id = ${busy('product_id')} and ${column} > 0 and ${column} <> ${busy(column)}`;
  return oneOf(column, 'stock_ledger_entries', isQuiet);
};
const location = {
  many: oneOf('inventory_location_id', 'stock_ledger_entries', copies),
  few: rareLocation,
  none: unknownId,
};
const days = { many: '2001-01-01', few: '2099-01-01' };

/** By the name of the parameter; if it has another meaning in one operation, by operation and name. */
const filterValues: Readonly<Record<string, FilterValues>> = {
  userId: {
    many: 'select id from busy_customer where $1::bigint > 0',
    few: oneOf('user_id', 'orders', 'number < 1000000000 and user_id is not null'),
    none: unknownId,
  },
  idempotencyKey: {
    few: oneOf('idempotency_key', 'order_idempotency_keys', 'true'),
    none: '00000000-0000-4000-8000-000000000000',
  },
  startingOn: days,
  'staffListOrders.from': days,
  'staffListOrders.to': { many: '2099-01-01', none: '2001-01-01' },
  'listAuditEntries.from': { many: '2001-01-01T00:00:00Z', none: '2099-01-01T00:00:00Z' },
  'listAuditEntries.to': { many: '2099-01-01T00:00:00Z', none: '2001-01-01T00:00:00Z' },
  'listOwnRequests.from': { many: '2001-01-01T00:00:00Z', none: '2099-01-01T00:00:00Z' },
  'listOwnRequests.to': { many: '2099-01-01T00:00:00Z', none: '2001-01-01T00:00:00Z' },
  'listApiRequests.from': { many: '2001-01-01T00:00:00Z', none: '2099-01-01T00:00:00Z' },
  'listApiRequests.to': { many: '2099-01-01T00:00:00Z', none: '2001-01-01T00:00:00Z' },
  'staffListOrders.inventoryLocationId': {
    many: oneOf('inventory_location_id', 'order_line_fulfillments', copies),
    few: rareLocation,
    none: unknownId,
  },
  inventoryLocationId: location,
  locationId: {
    ...location,
    many: oneOf('inventory_location_id', 'stock_balances', 'package_id > 1000000000'),
  },
  'staffListOrders.search': {
    many: 'Bench',
    few: oneOf('last_name', 'customers', `not ${copies} and last_name <> ''`),
    busy: 'Busybody',
    none: 'zzqqzzqq',
  },
  'staffListCustomers.search': {
    many: 'Bench',
    few: oneOf('last_name', 'customers', `not ${copies} and last_name <> ''`),
    none: 'zzqqzzqq',
  },
  'staffListProducts.search': {
    many: 'Bench',
    few: oneOf('name', 'products', `not ${copies}`),
    none: 'zzqqzzqq',
  },
  'staffListPackages.search': {
    many: 'BENCH',
    few: oneOf('label', 'packages', `not ${copies}`),
    none: 'zzqqzzqq',
  },
  'listStockLevels.search': { few: oneOf('name', 'products', `not ${copies}`), none: 'zzqqzzqq' },
  productCategoryId: either('primary_category_id', 'products'),
  productSubCategoryId: {
    few: oneOf('sub_category_ids[1]', 'products', `not ${copies} and sub_category_ids <> '{}'`),
    none: unknownId,
  },
  productId: either('product_id', 'stock_ledger_entries'),
  productOptionId: {
    ...either('product_option_id', 'stock_ledger_entries'),
    quiet: quiet('product_option_id'),
  },
  packageId: { ...either('package_id', 'stock_ledger_entries'), quiet: quiet('package_id') },
  integratorId: {
    many: 'select integrator_id from api_request_batches where organization_id = $1 limit 1',
    none: unknownId,
  },
  clientKeyId: {
    many: 'select client_key_id from api_request_batches where organization_id = $1 limit 1',
    none: unknownId,
  },
  'listOwnRequests.status': { many: '2xx', few: '422', none: '599' },
  'listApiRequests.status': { many: '2xx', few: '422', none: '599' },
  code: { few: 'OUT_OF_STOCK', none: 'INVALID_CURSOR' },
  path: { many: '/api/v1/menu', few: '/api/v1/orders', none: '/api/v1/zz' },
  subjectId: {
    ...either('subject_id', 'audit_entries'),
    few: oneOf('subject_id', 'audit_entries', `not ${copies} and subject_type = 'order'`),
    beside: 'subjectType=order',
  },
  actor: either('actor', 'audit_entries'),
};

/** Pages of three filters, by operation, beside all pairs. */
const filtersTogether: Readonly<Record<string, readonly (readonly string[])[]>> = {
  listOrders: [
    ['userId: many', 'type: delivery', 'status: canceled'],
    ['userId: many', 'type: pickup', 'fulfilledOnly: true'],
    ['userId: many', 'type: pickup', 'sortBy: updatedAt'],
    ['type: delivery', 'status: canceled', 'sortBy: updatedAt'],
  ],
  staffListOrders: [
    ['status: fulfilled', 'type: delivery', 'inventoryLocationId: many'],
    ['status: fulfilled', 'type: pickup', 'inventoryLocationId: many'],
    ['status: canceled', 'type: delivery', 'search: many'],
    ['status: fulfilled', 'type: pickup', 'search: few'],
  ],
};

/** Further values of a filter, by operation. */
const otherValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  listApiRequests: {
    'path with an id: many': `path=/api/v1/customers/${busyId}`,
    'path with an id: few': 'path=/api/v1/customers/1',
    'path with an id: none': 'path=/api/v1/customers/999999999',
    'path with an id and status: none': `path=/api/v1/customers/${busyId}&status=5xx`,
  },
  staffListCustomers: {
    'search of two names: none': 'search=bench%20zzqq',
    'search of two names, turned: none': 'search=zzqq%20bench',
  },
  staffListOrders: {
    'search of two names: none': 'search=bench%20zzqq',
    'search of guests: many': 'search=Guest',
    'search of guests, a rare location': `search=Guest&inventoryLocationId=${rareLocation}`,
    'search of guests, status: canceled': 'search=Guest&status=canceled',
    'search of a number: few': 'search=10',
  },
};

const pathValues: Readonly<Record<string, FilterValues>> = {
  webhookEndpointId: { many: busyId },
  customerId: {
    many: 'select id from busy_customer where $1::bigint > 0',
    few: oneOf('id', 'customers', `not ${copies}`),
  },
};

const isCursor = (name: string): boolean => name.startsWith('startingAfter');

/**
 * The first page of every list with pages, of either audience, without a filter and with each of its filters and
 * sorts, from their declarations. Throws with the name of a new list or filter that has no values here.
 */
export async function listRequests(
  endpoints: readonly AnyEndpoint[],
  rows: ShopRows,
): Promise<ListRequest[]> {
  const unknown: string[] = [];
  const requests: ListRequest[] = [];
  for (const { id, method, path, query, success, audience, list } of endpoints as readonly ListEndpoint[]) {
    if (method !== 'GET' || success.data?.type !== 'array') continue;
    const parameters = Object.entries(query?.properties ?? {});
    if (list?.staysSmall !== undefined) continue;
    if (!parameters.some(([name]) => isCursor(name))) {
      unknown.push(`${id}: declare \`list: { staysSmall }\` of a list without pages`);
      continue;
    }
    const paths = await pathsOf(path, rows);
    const filters: Filter[] = [['', '']];
    const isMeasured = ([filter]: Filter) =>
      !Object.hasOwn(list?.readsAll ?? {}, filter.replace('sortBy: ', ''));
    for (const [name, schema] of parameters.filter(([parameter]) => !isCursor(parameter))) {
      const values = await valuesOf(id, name, schema, rows);
      if (values.length === 0)
        unknown.push(`${id}: values of its parameter ${name} in bench/list-requests.ts`);
      filters.push(...values.filter(isMeasured));
    }
    for (const names of filtersTogether[id] ?? []) {
      const queries = names.map((name) => filters.find(([filter]) => filter === name)?.[1]);
      if (queries.includes(undefined)) unknown.push(`${id}: ${names.join(', ')}`);
    }
    const single = [...filters, ...Object.entries(otherValues[id] ?? {})];
    const together = [...pairsOf(filters.slice(1)), ...threesOf(id, filters)];
    for (const [kind, at] of paths) {
      const add = (hasSeveral: boolean) => (filter: string, text: string) => {
        const name = [id, kind, filter].filter(Boolean).join(' ');
        const url = text === '' ? at : `${at}?${text}`;
        requests.push({ name, path: url, audience: audience ?? 'integrator', hasSeveral });
      };
      for (const [filter, text] of single) add(false)(filter, text);
      for (const [filter, text] of together) add(true)(filter, text);
    }
  }
  if (unknown.length > 0) throw new Error(`Lists that cannot be measured: ${unknown.join('; ')}`);
  return requests;
}

type Filter = readonly [name: string, query: string];

/** Each value of each parameter with each value of each other one; what neither has is measured alone. */
function pairsOf(filters: readonly Filter[]): Filter[] {
  const parameterOf = ([name]: Filter): string => name.split(':', 1)[0]!;
  const found = filters.filter(([name]) => !name.endsWith(': none'));
  return found.flatMap((one, at) =>
    found
      .slice(at + 1)
      .filter((other) => parameterOf(other) !== parameterOf(one))
      .map((other): Filter => [`${one[0]}, ${other[0]}`, `${one[1]}&${other[1]}`]),
  );
}

function threesOf(operation: string, filters: readonly Filter[]): Filter[] {
  return (filtersTogether[operation] ?? []).map((names) => [
    names.join(', '),
    names.map((name) => filters.find(([filter]) => filter === name)?.[1]).join('&'),
  ]);
}

type ListEndpoint = AnyEndpoint & {
  readonly audience?: 'staff';
  readonly query?: TObject;
  readonly success: { readonly data?: TSchema & { readonly type?: string } };
};

async function pathsOf(path: string, rows: ShopRows): Promise<[kind: string, path: string][]> {
  const [, param] = /\{(\w+)\}/.exec(path) ?? [];
  if (param === undefined) return [['', path]];
  const values = await known(pathValues[param] ?? {}, rows);
  return values.map(([kind, value]) => [`${param}: ${kind}`, path.replace(`{${param}}`, value)]);
}

async function valuesOf(operation: string, name: string, schema: TSchema, rows: ShopRows) {
  const values = filterValues[`${operation}.${name}`] ?? filterValues[name];
  const options = (schema as { readonly enum?: readonly unknown[] }).enum;
  const isFlag = (schema as { readonly type?: string }).type === 'boolean';
  const choices = options?.map(String) ?? (isFlag ? ['true', 'false'] : []);
  const kinds: (readonly [kind: string, value: string])[] =
    choices.length > 0 ? choices.map((value) => [value, value]) : await known(values ?? {}, rows);
  return kinds.map(([kind, value]): [string, string] => [
    `${name}: ${kind}`,
    [`${name}=${encodeURIComponent(value)}`, values?.beside].filter(Boolean).join('&'),
  ]);
}

async function known({ beside: _, ...values }: FilterValues, rows: ShopRows): Promise<[string, string][]> {
  return Promise.all(
    Object.entries(values).map(
      async ([kind, value]): Promise<[string, string]> => [
        kind,
        value.startsWith('select ') ? await rows.value(value) : value,
      ],
    ),
  );
}

/** All declared operations; no handler is called. */
export function declaredEndpoints(): AnyEndpoint[] {
  return [...declaredOperations(), ...declaredStaffOperations()];
}
