import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A screen of `routes.tsx`. */
interface ConsoleScreen {
  /** Its path below `/console`, with parameter names: `/orders/:orderId`. */
  readonly route: string;
  /** The name for files: `orders-orderId`. */
  readonly name: string;
}

const routesFile = join(import.meta.dirname, '..', 'src', 'routes.tsx');

/** Every screen in routes.tsx; for a frame, the screens in it. */
export function consoleScreens(text = readFileSync(routesFile, 'utf8')): ConsoleScreen[] {
  const routes: string[] = [];
  let frame: { readonly path: string; readonly indent: number } | null = null;
  for (const line of text.split('\n')) {
    const [, path, end] = /^\s+(?:\.\.\.)?screen\('([^']+)'.*?(\[?)$/.exec(line) ?? [];
    const indent = line.search(/\S/);
    if (frame && indent === frame.indent) frame = null;
    if (path === undefined) continue;
    if (end === '[') frame = { path, indent };
    else routes.push(frame ? `/${frame.path}/${path}` : `/${path}`);
  }
  return routes.map((route) => ({
    route,
    name: route.slice(1).replaceAll(/[:*]/g, '').replaceAll('/', '-'),
  }));
}

/** Reads a list from a staff operation. */
type ReadList = (path: string) => Promise<readonly { readonly [field: string]: unknown }[]>;

/** The source of a route parameter: the first row of a list that has a value. `details.customerId` is a nested field. */
const listOf: Readonly<Record<string, { readonly path: string; readonly field: string }>> = {
  orderId: { path: '/staff/v1/orders?status=fulfilled', field: 'id' },
  draftId: { path: '/staff/v1/orders?status=draft', field: 'id' },
  packedId: { path: '/staff/v1/orders?status=packed', field: 'id' },
  customerId: { path: '/staff/v1/customers', field: 'id' },
  documentedId: { path: '/staff/v1/audit-log?subjectType=customer_document', field: 'details.customerId' },
  productId: { path: '/staff/v1/products?sortBy=createdAt&sortDirection=ascending', field: 'id' },
  packageId: { path: '/staff/v1/inventory-ledger', field: 'packageId' },
  purchaseOrderId: { path: '/staff/v1/purchase-orders?sortBy=status&sortDirection=descending', field: 'id' },
  webhookEndpointId: { path: '/staff/v1/webhook-endpoints', field: 'id' },
  discountId: { path: '/staff/v1/discounts', field: 'id' },
};

const fixedValues: Readonly<Record<string, string>> = { paper: 'receipt' };

/** The address of a screen below `/console`, with the first matching record. */
export async function addressOf(screen: ConsoleScreen, read: ReadList): Promise<string> {
  let address = screen.route;
  for (const [text, name] of screen.route.matchAll(/:(\w+)/g)) {
    address = address.replace(text, fixedValues[name!] ?? (await firstOf(screen, name!, read)));
  }
  return address;
}

async function firstOf({ route }: ConsoleScreen, name: string, read: ReadList): Promise<string> {
  const list = listOf[name];
  if (list === undefined) throw new Error(`${route}: console-screens.ts has no source for ${name}.`);
  const rows = await read(list.path);
  const value = rows.map((row) => valueAt(row, list.field)).find((it) => it !== null && it !== undefined);
  if (value === undefined) throw new Error(`${route}: the shop has no record in ${list.path}.`);
  return String(value);
}

function valueAt(row: unknown, field: string): unknown {
  return field.split('.').reduce((at, name) => (at as Record<string, unknown> | undefined)?.[name], row);
}
