import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { runMenuJobs } from '../../../test/harness/run-menu-jobs.ts';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import type { Context } from '../../platform/database/context.ts';
import type { MenuReader } from './menu-reader.ts';
import { ThreadReaders } from './thread-readers.ts';

/* How runs of imports end: canceled, by an error, by their reader's bounds. */

const service = await startTestService();
afterAll(() => service.close());
const { context } = service;

const header = 'name,category,unit,strainType,amount,price,content';
const rowsOf = (count: number) =>
  [header, ...Array.from({ length: count }, (_, at) => `P${at},Flower,gram,hybrid,1,$10,1`)].join('\n');

async function newShop() {
  const shop = await createTestShop(context, { products: [] });
  const staff = await service.staff(shop);
  const upload = async (count: number) => {
    const path = '/staff/v1/menu-imports?fileName=menu.csv';
    const headers = { 'content-type': 'application/octet-stream' };
    const { data } = await staff.call('POST', path, Buffer.from(rowsOf(count)), { headers });
    return `/staff/v1/menu-imports/${data.id}`;
  };
  const start = (path: string, dryRun = false) =>
    staff.call('POST', `${path}/runs`, { mode: 'change', dryRun });
  const state = async (path: string) => (await staff.call('GET', path)).data;
  return { shop, staff, upload, start, state };
}

/** A context that does something before its writes. */
function before(act: (write: number) => Promise<void> | void): Context {
  let writes = 0;
  const database = new Proxy(context.database, {
    get: (target, name) => {
      const member = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      if (name !== 'write') return member.bind(target);
      return async (...given: unknown[]) => {
        await act(writes++);
        return member.apply(target, given);
      };
    },
  });
  return { ...context, database };
}

const statesOf: Readonly<Record<string, (shop: Awaited<ReturnType<typeof newShop>>) => Promise<string>>> = {
  uploaded: ({ upload }) => upload(2),
  checked: async ({ shop, upload, start }) => {
    const path = await upload(2);
    await start(path, true);
    await runMenuJobs(service, shop.organizationId);
    return path;
  },
  checking: async ({ upload, start }) => {
    const path = await upload(2);
    await start(path, true);
    return path;
  },
  importing: async ({ upload, start }) => {
    const path = await upload(2);
    await start(path);
    return path;
  },
  undoing: async ({ shop, staff, upload, start }) => {
    const path = await upload(2);
    await start(path);
    await runMenuJobs(service, shop.organizationId);
    await staff.call('POST', `${path}/undo`);
    return path;
  },
};

test.each(Object.keys(statesOf))(
  'an import that is %s is canceled, and keeps no other one away',
  async (status) => {
    const world = await newShop();
    const path = await statesOf[status]!(world);
    expect((await world.state(path)).status).toBe(status);
    const { data, error } = await world.staff.call('POST', `${path}/cancel`);
    expect(error).toBeUndefined();
    expect(data).toMatchObject({ status: 'canceled', failure: null, finishedAt: expect.any(String) });
    // Its job, which may wait or run, does nothing more.
    await runMenuJobs(service, world.shop.organizationId);
    expect((await world.state(path)).status).toBe('canceled');
    const [audited, announced] = await facts(world.shop);
    expect(audited).toMatchObject({ status: 'canceled', former: status });
    expect(announced).toMatchObject({ status: 'canceled' });
    const other = await world.upload(1);
    expect((await world.start(other, true)).error).toBeUndefined();
    // Once more is too late.
    expect((await world.staff.call('POST', `${path}/cancel`)).error).toMatchObject({
      code: 'MENU_IMPORT_NOT_READY',
      message: expect.stringMatching(/only one that is not finished can be canceled/),
    });
  },
);

/** The last audit entry and the last event. */
async function facts({ organizationId }: TestShop) {
  const [row] = await tenantSql(
    context.database,
    organizationId,
    `select (select details::text from audit_entries order by id desc limit 1) as audited,
            (select payload::text from outbox_events order by created_at desc, id desc limit 1) as announced`,
  );
  return [JSON.parse(row!.audited as string), JSON.parse(row!.announced as string)];
}

test('an import that is canceled while it goes on stops, keeps what it has written, and can be undone or run again', async () => {
  const { shop, staff, upload, start, state } = await newShop();
  const path = await upload(450);
  await start(path);
  let isCanceled = false;
  const canceling = before(async () => {
    if (isCanceled || (await state(path)).products === 0) return;
    isCanceled = true;
    await staff.call('POST', `${path}/cancel`);
  });
  await runMenuJobs({ context: canceling }, shop.organizationId);
  const canceled = await state(path);
  expect(canceled).toMatchObject({ status: 'canceled', canBeUndone: true, hasFile: true });
  expect(canceled.products).toBeLessThan(450);
  expect((await start(path)).error).toBeUndefined();
  await runMenuJobs(service, shop.organizationId);
  expect(await state(path)).toMatchObject({ status: 'done', products: 450, created: 450 });
  await staff.call('POST', `${path}/undo`);
  await runMenuJobs(service, shop.organizationId);
  expect((await state(path)).status).toBe('undone');
  const left = await tenantSql(
    context.database,
    shop.organizationId,
    'select count(*)::int as n from products where deleted_at is null',
  );
  expect(left).toEqual([{ n: 0 }]);
});

test('two equal errors end a run with words, three different ones too, and not the first', async () => {
  for (const [messages, tries] of [
    [['the rows do not fit', 'the rows do not fit'], 2],
    [['one', 'two', 'three'], 3],
  ] as const) {
    const { shop, upload, start, state } = await newShop();
    const path = await upload(3);
    await start(path);
    for (let at = 0; at < tries; at++) {
      expect((await state(path)).status).toBe('importing');
      // The first writes look for the run and take it.
      const failing = before((write) => {
        if (write === 2) throw new Error(messages[at]);
      });
      await expect(runMenuJobs({ context: failing }, shop.organizationId)).rejects.toThrow(messages[at]);
    }
    expect(await state(path)).toMatchObject({
      status: 'failed',
      failure: expect.stringMatching(/^Errors came again that are not about the rows/),
    });
    expect((await start(await upload(1), true)).error).toBeUndefined();
  }
});

test('a run that another process does is left alone', async () => {
  const { shop, upload, start, state } = await newShop();
  const path = await upload(3);
  await start(path);
  await tenantSql(
    context.database,
    shop.organizationId,
    'update menu_imports set process_id = $1, alive_at = $2',
    randomUUID(),
    new Date().toISOString(),
  );
  await expect(runMenuJobs(service, shop.organizationId)).rejects.toThrow(/another process has the run/);
  expect(await state(path)).toMatchObject({ status: 'importing', products: 0 });
});

const organization = 7 as TestShop['organizationId'];
const outline = (reader: MenuReader) => reader.outline();

test('a reading that overruns its deadline ends with words, and the next file is read', async () => {
  const readers = new ThreadReaders({ threadsMax: 1, waitingOfOneMax: 1, readingMsMax: 30 });
  const large = { name: 'menu.csv', content: Buffer.from(rowsOf(150_000)) };
  await expect(readers.read(organization, large, outline)).rejects.toThrow(/took longer than \d+ seconds/);
  const patient = new ThreadReaders({ threadsMax: 1, waitingOfOneMax: 1, readingMsMax: 60_000 });
  const small = { name: 'menu.csv', content: Buffer.from(rowsOf(3)) };
  expect(await patient.read(organization, small, outline)).toMatchObject({ recordCount: 3 });
});

test('an organization reads one file at a time, others beside it, and too many wait in vain', async () => {
  const readers = new ThreadReaders({ threadsMax: 2, waitingOfOneMax: 1, readingMsMax: 60_000 });
  const file = { name: 'menu.csv', content: Buffer.from(rowsOf(3)) };
  const order: string[] = [];
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const first = readers.read(organization, file, async () => {
    await held;
    order.push('first');
  });
  const second = readers.read(organization, file, async () => order.push('second'));
  await expect(readers.read(organization, file, outline)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  await readers.read(8 as typeof organization, file, async () => order.push('other'));
  release();
  await Promise.all([first, second]);
  expect(order).toEqual(['other', 'first', 'second']);
});
