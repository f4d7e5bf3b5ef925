import { afterAll, expect, inject, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';

const service = await startTestService();
afterAll(() => service.close());

test('the sums of customers are what their orders make, whatever happens to several at once', async () => {
  const shop = await createTestShop(service.context);
  const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);
  const ids = await service.context.ids.take(3);
  await sql(
    `insert into customers (organization_id, id, hash_id, first_name, last_name, joined_at, updated_at)
     select current_organization_id(), id, 'H' || id, 'Given', 'Onfile', now(), now() from unnest(array[${ids}]::bigint[]) id`,
  );
  const [one, other, third] = ids;
  const order = (user: number, status: string, cents: number, day: number) =>
    `(current_organization_id(), gen_random_uuid(), ${user}, 'pickup', 'open-api', '${status}', ${cents}, ${cents}, ${cents}, ${cents}, 0, 0,
      false, false, '{}', '2026-03-0${day}T18:00:00Z', now(),
      ${status === 'fulfilled' ? 'now()' : 'null'}, ${status === 'canceled' ? 'now()' : 'null'})`;
  const place = (...orders: string[]) =>
    `insert into orders (organization_id, id, user_id, type, source, status, total_price_cents, net_price_cents,
       customer_grand_total_cents, merchandise_cents, discounts_total_cents, payment_fees_cents, tax_exempt, is_medical,
       counted_contents, created_at, updated_at, fulfilled_at, canceled_at) values ${orders.join(', ')}`;
  const steps = [
    place(order(one!, 'new', 500, 1), order(one!, 'fulfilled', 700, 2), order(other!, 'canceled', 900, 3)),
    place(order(one!, 'new', 300, 4)),
    `update orders set status = 'fulfilled', fulfilled_at = now() where status = 'new' and created_at < '2026-03-02'`,
    `update orders set status = 'canceled', canceled_at = now() where status = 'new'`,
    `update orders set updated_at = now()`,
    // Of a customer whose sums are lost. Several servers make none anew.
    ...(inject('server').isDistributed ? [] : [`delete from customer_sums where user_id = ${other}`]),
    `update orders set user_id = ${other} where user_id = ${one}`,
    place(order(other!, 'fulfilled', 10, 5), order(other!, 'new', 20, 6)),
    `update orders set user_id = null where created_at > '2026-03-06'`,
    ...(inject('server').isDistributed ? [] : [`delete from customer_sums where user_id = ${other}`]),
    place(order(other!, 'fulfilled', 30, 7), order(third!, 'new', 40, 8), order(third!, 'fulfilled', 5, 7)),
  ];
  const kept: unknown[] = [];
  for (const step of steps) {
    await sql(step);
    if (step.startsWith('delete')) continue;
    const [row] = await sql(
      `select (select json_agg(s order by s.user_id) from (select user_id, order_count, spent_cents, last_order_at from customer_sums) s) as kept,
              (select json_agg(m order by m.user_id) from (
                 select c.id as user_id, count(o.id) filter (where o.status <> 'canceled') as order_count,
                        coalesce(sum(o.customer_grand_total_cents) filter (where o.status = 'fulfilled'), 0)::bigint as spent_cents,
                        max(o.created_at) filter (where o.status <> 'canceled') as last_order_at
                   from customers c left join orders o on o.user_id = c.id group by c.id) m) as made`,
    );
    expect(row!.kept, step).toEqual(row!.made);
    kept.push(row!.kept);
  }
  expect(JSON.stringify(kept.at(-1))).toContain('"order_count":4,"spent_cents":1240');
  const owner = await service.staff(shop);
  const listed = await owner.call('GET', '/staff/v1/customers?sortBy=spent');
  expect(listed.data.map(({ id, spent }: { id: number; spent: number }) => [id, spent])).toEqual([
    [other, 1_240],
    [third, 5],
    [one, 0],
  ]);
});
