import { randomUUID } from 'node:crypto';
import { rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { openTradedShop, type SoldOrder, verifyShop, withoutTriggers } from './damaged-shop.test-support.ts';
import { findingLine } from './report-lines.ts';
import type { VerificationReport } from './verification.ts';

const service = await startOwnTestService();
afterAll(() => service.close());

/** What a kind of damage must be found as. */
interface Named {
  readonly check: string;
  readonly place: string;
  /** A part of the row's key. */
  readonly row?: string | number;
  readonly order?: SoldOrder;
}

type Run = (text: string, ...values: unknown[]) => Promise<Record<string, unknown>[]>;

/** Plants one kind of damage, in rows of an order of its own, and says how it must be named. */
type Plant = (run: Run, order: SoldOrder) => Promise<Named>;

const ofOrder =
  (check: string, place: string, text: string): Plant =>
  async (run, order) => {
    await run(text, order.id);
    return { check, place, row: order.id, order };
  };
const noOrder = '00000000-0000-7000-8000-000000000001';
const oneLine = `(order_id, id) in (select order_id, min(id) from order_line_items where order_id = $1 group by 1)`;
const oneTax = `(order_id, id) in (select order_id, max(id) from order_taxes where order_id = $1 group by 1)`;

const ofOrders: Readonly<Record<string, Plant>> = {
  'a missing line': ofOrder('order-totals', 'orders', `delete from order_line_items where ${oneLine}`),
  'an order without any line': ofOrder(
    'order-totals',
    'orders',
    'delete from order_line_items where order_id = $1',
  ),
  'a cent less for a line': ofOrder(
    'order-lines',
    'order_line_items',
    `update order_line_items set final_price_cents = final_price_cents - 1, gross_cents = gross_cents - 1 where ${oneLine}`,
  ),
  'another quantity': ofOrder(
    'order-lines',
    'order_line_items',
    `update order_line_items set quantity = quantity + 1 where ${oneLine}`,
  ),
  'another price of an option': ofOrder(
    'order-lines',
    'order_line_items',
    `update order_line_items set unit_price_cents = 1 where ${oneLine}`,
  ),
  'a cent more for an order': ofOrder(
    'order-totals',
    'orders',
    `update orders set net_price_cents = net_price_cents + 1,
            customer_grand_total_cents = customer_grand_total_cents + 1 where id = $1`,
  ),
  'another sum of discounts': ofOrder(
    'order-totals',
    'orders',
    'update orders set discounts_total_cents = 100 where id = $1',
  ),
  'a cent less of a tax': ofOrder(
    'order-taxes',
    'order_taxes',
    `update order_taxes set amount_cents = amount_cents - 1 where ${oneTax}`,
  ),
  'another rate of a tax': ofOrder(
    'priced-again',
    'order_taxes',
    `update order_taxes set rate = 9.75 where ${oneTax}`,
  ),
  'a missing tax': ofOrder('order-taxes', 'order_line_items', `delete from order_taxes where ${oneTax}`),
  'a cent more of a payment': ofOrder(
    'order-totals',
    'orders',
    `update order_payments set amount_cents = amount_cents + 1, final_amount_cents = final_amount_cents + 1 where order_id = $1`,
  ),
  'another fee of a payment': ofOrder(
    'priced-again',
    'order_payments',
    `update order_payments set fee_amount_cents = 1, final_amount_cents = amount_cents + 1 where order_id = $1`,
  ),
  'a missing payment': ofOrder(
    'order-documents',
    'order_explanations',
    'delete from order_payments where order_id = $1',
  ),
  'a discount of no order': async (run) => {
    await run(
      `insert into order_discounts select organization_id, $1, 1, 0, null, 1, 'flat', 100, 100, 'Planted', null, created_at,
              created_at from orders limit 1`,
      noOrder,
    );
    return { check: 'order-rows', place: 'order_discounts', row: noOrder };
  },
  'a missing order': async (run, order) => {
    await run('delete from orders where id = $1', order.id);
    return { check: 'order-rows', place: 'order_line_items', row: order.id };
  },
  'an event of a missing order': async (run, order) => {
    await run('delete from orders where id = $1', order.id);
    const [event] = await run(
      `select id from outbox_events where subject_id = $1 and type = 'order.placed'`,
      order.id,
    );
    return { check: 'events-of-orders', place: 'outbox_events', row: String(event!.id) };
  },
  'stock that a line does not hold': ofOrder(
    'order-stock',
    'order_line_fulfillments',
    `delete from order_line_fulfillments where order_line_item_id = (
       select min(id) from order_line_items where order_id = $1)`,
  ),
  'more stock than a line needs': ofOrder(
    'order-stock',
    'order_line_fulfillments',
    'update order_line_fulfillments set amount = amount + 1 where order_id = $1',
  ),
  'a missing entry of the ledger': ofOrder(
    'order-ledger',
    'stock_ledger_entries',
    `delete from stock_ledger_entries where order_line_item_id = (select min(id) from order_line_items where order_id = $1)`,
  ),
  'another amount in the ledger': ofOrder(
    'order-ledger',
    'stock_ledger_entries',
    `update stock_ledger_entries set delta = delta - 1 where order_line_item_id = (
       select min(id) from order_line_items where order_id = $1)`,
  ),
  'an entry of the ledger without its step': async (run, order) => {
    const [entry] = await run(
      `update stock_ledger_entries set cause_id = 1 where order_line_item_id = (
         select min(id) from order_line_items where order_id = $1) returning id`,
      order.id,
    );
    return { check: 'ledger-causes', place: 'stock_ledger_entries', row: String(entry!.id) };
  },
  'no entry of the audit for the placing': ofOrder(
    'order-audit',
    'audit_entries',
    `delete from audit_entries where subject_id = $1::text and action = 'order.placed'`,
  ),
  'a status that no step made': ofOrder(
    'order-audit',
    'audit_entries',
    `update orders set status = 'packed' where id = $1`,
  ),
  'a missing event': async (run, order) => {
    await run(`delete from outbox_events where subject_id = $1 and type = 'order.placed'`, order.id);
    return { check: 'events', place: 'outbox_events', row: order.id, order };
  },
  'a missing idempotency key': async (run, order) => {
    const [key] = await run(
      'delete from order_idempotency_keys where order_id = $1 returning idempotency_key as key',
      order.id,
    );
    return { check: 'order-keys', place: 'order_idempotency_keys', row: String(key!.key), order };
  },
  'a key that names another order': async (run, order) => {
    const [key] = await run(
      'update order_idempotency_keys set order_id = $2 where order_id = $1 returning idempotency_key as key',
      ...[order.id, noOrder],
    );
    return { check: 'order-keys', place: 'order_idempotency_keys', row: String(key!.key), order };
  },
  'units that came back without a return': ofOrder(
    'order-returns',
    'order_line_items',
    `update order_line_items set returned_quantity = 1 where ${oneLine}`,
  ),
  'other contents for limits': ofOrder(
    'order-contents',
    'orders',
    `update orders set counted_contents = '{"edibles": "1"}' where id = $1`,
  ),
  'a document that cannot be read': ofOrder(
    'order-documents',
    'order_explanations',
    `update order_explanations set shown_rows = '[1' where order_id = $1`,
  ),
  'an order of no customer': async (run, order) => {
    await run('update orders set user_id = 7 where id = $1', order.id);
    return { check: 'references', place: 'orders', row: '7' };
  },
};

const { shop, orders, documents, fileOf, folder } = await openTradedShop(
  service,
  Object.keys(ofOrders).length + 1,
);
const ofShop = `organization_id = ${shop.organizationId}`;
const at = `'2026-03-10T18:00:00Z'`;

const elsewhere: Readonly<Record<string, (run: Run) => Promise<Named>>> = {
  'a changed balance of stock': async (run) => {
    const option = shop.optionId('eighth');
    await run(
      `update stock_balances set on_hand = on_hand + 1 where ${ofShop} and product_option_id = ${option}`,
    );
    return { check: 'stock-balances', place: 'stock_balances', row: option };
  },
  'a balance of points without entries': async (run) => {
    const [row] = await run(
      `insert into loyalty_balances select organization_id, id, 5, ${at} from customers where ${ofShop}
        order by id limit 1 returning user_id`,
    );
    return { check: 'loyalty-balances', place: 'loyalty_balances', row: String(row!.user_id) };
  },
  'a changed sum of a customer': async (run) => {
    const [row] = await run(
      `update customer_sums set spent_cents = spent_cents + 1 where ${ofShop}
          and user_id = (select min(user_id) from customer_sums where ${ofShop}) returning user_id`,
    );
    return { check: 'customer-sums', place: 'customer_sums', row: String(row!.user_id) };
  },
  'a changed stock of a product': async (run) => {
    // As the worker leaves it.
    await run(`delete from product_stock_changes where ${ofShop}`);
    await run(
      `update product_stocks s set on_hand_millionths = (select stock_millionths(sum(b.on_hand)) from stock_balances b
         where b.organization_id = s.organization_id and b.product_id = s.product_id) where ${ofShop}`,
    );
    const [row] = await run(
      `update product_stocks set on_hand_millionths = on_hand_millionths + 1 where ${ofShop}
          and product_id = (select min(product_id) from product_stocks where ${ofShop}) returning product_id`,
    );
    return { check: 'product-stocks', place: 'product_stocks', row: String(row!.product_id) };
  },
  'a changed amount of a package': async (run) => {
    const [row] = await run(
      `update package_amounts set initial_millionths = initial_millionths + 1 where ${ofShop}
          and package_id = (select min(package_id) from package_amounts where ${ofShop}) returning package_id`,
    );
    return { check: 'package-amounts', place: 'package_amounts', row: String(row!.package_id) };
  },
  'points of a missing order': async (run) => {
    await run(
      `insert into loyalty_events (organization_id, id, user_id, type, points_amount, reason, order_id, actor, created_at)
       select organization_id, 77, id, 'earned', 1, 'Planted', '${noOrder}', 'job:test', ${at} from customers where ${ofShop}
        order by id desc limit 1`,
    );
    return { check: 'loyalty-orders', place: 'loyalty_events', row: '77' };
  },
  'a credit that no order used': async (run) => {
    await run(
      `insert into customer_credits select organization_id, 78, id, 'store-credit', 'Planted', 500, 300, null, null, null, ${at}, ${at}
         from customers where ${ofShop} limit 1`,
    );
    return { check: 'customer-credits', place: 'customer_credits', row: '78' };
  },
  'a use of a discount that no order made': async (run) => {
    await run(`insert into discount_uses values (${shop.organizationId}, 79, 3, 10)`);
    return { check: 'discount-uses', place: 'discount_uses', row: '79' };
  },
  'a report to the state that says something else': async (run) => {
    await run(
      `insert into state_connections (organization_id, id, system, state, is_sandbox, license_number, is_on, created_at, updated_at)
       values (${shop.organizationId}, 82, 'by-hand', 'VT', false, 'VT-1', false, ${at}, ${at})`,
    );
    await run(
      `insert into state_reports (organization_id, id, connection_id, kind, revision, external_number, payload, digest, packages, state,
              next_at, occurred_at, alarm_at, created_at, updated_at)
       values (${shop.organizationId}, 83, 82, 'adjustment', 1, 'A1-1-X', '{"quantity":"-2"}',
              encode(sha256('{"quantity":"-1"}'), 'hex'), '{1A4}', 'waiting', ${at}, ${at}, ${at}, ${at}, ${at})`,
    );
    return { check: 'state-reports', place: 'state_reports', row: '83' };
  },
  'a key without its reply': async (run) => {
    await run(
      `insert into idempotency_keys (organization_id, caller, key_digest, request_digest, created_at)
       values (${shop.organizationId}, 'staff:1', sha256('key'), sha256('request'), ${at})`,
    );
    return { check: 'kept-replies', place: 'idempotency_keys', row: 'staff:1' };
  },
  'a changed entry of the audit log': async (run) => {
    const [entry] = await run(
      `update audit_entries set actor = 'staff:999' where ${ofShop} and id = (
         select entry_ids[2] from audit_links where ${ofShop} order by first_number limit 1) returning id`,
    );
    return { check: 'audit-chain', place: 'audit_entries', row: String(entry!.id) };
  },
  'an entry of the audit log that no write made': async (run) => {
    await run(
      `insert into audit_entries (organization_id, id, actor, action, subject_type, subject_id, details, created_at)
       values (${shop.organizationId}, 81, 'staff:999', 'tag.updated', 'tag', '1', '{}', ${at})`,
    );
    return { check: 'audit-chain', place: 'audit_entries', row: '81' };
  },
  'another sum of a report': async (run) => {
    await run(
      `update book_sums set net_cents = net_cents + 1 where ${ofShop} and report = 'type' and span = 'day'`,
    );
    return { check: 'report-sums', place: 'book_sums', row: 'type day' };
  },
  'another checksum': async (run) => {
    await run(`update record_sums set count = count + 1 where ${ofShop} and collection = 'products'`);
    return { check: 'checksums', place: 'record_sums', row: 'products' };
  },
  'a price that its table does not allow': async (run) => {
    await run(
      `update product_options set price_cents = -1, sales_price_cents = null where id = ${shop.optionId('retired')}`,
    );
    return { check: 'conditions', place: 'product_options', row: shop.optionId('retired') };
  },
  'a lost file of a document': async () => {
    const file = await fileOf(documents[0]!);
    await rm(file);
    return { check: 'document-files', place: file.slice(file.indexOf('documents/')), row: documents[0]! };
  },
  'a file that is cut off': async () => {
    const file = await fileOf(documents[1]!);
    await truncate(file, 40);
    return { check: 'document-files', place: file.slice(file.indexOf('documents/')), row: documents[1]! };
  },
  'the key of another document': async (run) => {
    await run(
      `update customer_documents d set wrapped_key = o.wrapped_key from customer_documents o
        where d.id = ${documents[2]} and o.id = ${documents[3]} and o.organization_id = d.organization_id`,
    );
    return { check: 'document-files', place: 'documents/', row: documents[2]! };
  },
  'a file without a row': async () => {
    const name = `${shop.organizationId}-1-${'0'.repeat(16)}`;
    await writeFile(join(folder, name), 'cut off');
    return { check: 'stray-files', place: `documents/${name}` };
  },
  'a lost photo': async (run) => {
    await run(
      `insert into product_photos (organization_id, id, product_id, position, location)
       values (${shop.organizationId}, 80, ${shop.productId('Rolling Tray')}, 9, '/photos/${randomUUID()}-1600.webp')`,
    );
    return { check: 'photo-files', place: 'photos/', row: '80' };
  },
  'a lost photo of an option': async (run) => {
    await run(
      `insert into product_photos (organization_id, id, product_option_id, position, location)
       values (${shop.organizationId}, 81, ${shop.optionId('eighth')}, 0, '/photos/${randomUUID()}-1600.webp')`,
    );
    return { check: 'photo-files', place: 'photos/', row: '81' };
  },
};

let before: VerificationReport;
/** Tables with rows for which PostgreSQL has no count. */
let uncounted: Record<string, unknown>[] = [];
let report: VerificationReport;
const planted = new Map<string, Named>();

beforeAll(async () => {
  before = await verifyShop(service, shop);
  await withoutTriggers(service, async (run) => {
    uncounted = await run(
      `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
                                     and reltuples < 0 and pg_relation_size(oid) > 0`,
    );
    for (const [index, [kind, plant]] of Object.entries(ofOrders).entries()) {
      planted.set(kind, await plant(run, orders[index]!));
    }
    for (const [kind, plant] of Object.entries(elsewhere)) planted.set(kind, await plant(run));
  });
  report = await verifyShop(service, shop);
}, 120_000);

test('data that only the service wrote is whole, and every check looked at it', () => {
  expect(before.findings.map(findingLine)).toEqual([]);
  expect(before.isWhole).toBe(true);
  const idle = before.checks.filter(({ looked, skipped }) => looked === 0 && skipped === null);
  expect(idle.map(({ check }) => check)).toEqual([]);
});

// On several servers it is these that have the rows.
test.skipIf(inject('server').isDistributed)(
  'tables of a young database are counted: otherwise some questions about a few hundred orders last minutes',
  () => {
    expect(uncounted).toEqual([]);
  },
);

test.each([...Object.keys(ofOrders), ...Object.keys(elsewhere)])('%s is found and named', (kind) => {
  const { check, place, row, order } = planted.get(kind)!;
  if (
    inject('server').isDistributed &&
    report.checks.some((one) => one.check === check && one.skipped !== null)
  ) {
    // What only the servers of the rows can say; the report says that it did not ask them.
    expect(['conditions', 'references']).toContain(check);
    return;
  }
  const found = report.findings.filter(
    (it) =>
      it.check === check &&
      it.place.startsWith(place) &&
      (row === undefined || it.row?.includes(String(row))) &&
      (order === undefined || it.orderNumber === order.number),
  );
  expect(found.length, report.findings.map(findingLine).join('\n')).toBeGreaterThan(0);
});

test('damaged data is not whole', () => {
  expect(report.isWhole).toBe(false);
  expect(report.checks.every(({ found }) => found >= 0)).toBe(true);
});
