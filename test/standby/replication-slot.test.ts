import { afterAll, beforeAll, expect, it } from 'vitest';
import { type StandbyPair, startStandbyPair } from '../harness/standby-pair.ts';
import { execute, onDatabase } from '../harness/test-connection.ts';

/* A slot keeps the log that an absent standby has not read, as far as the primary's setting allows. */

const slot = 'db_2';
const segmentsKept = 12;
let pair: StandbyPair;

beforeAll(async () => {
  pair = await startStandbyPair({ slot, slotKeepsMax: `${segmentsKept * 16}MB` });
}, 60_000);
afterAll(() => pair.stop());

const onPrimary = (text: string) => execute(onDatabase(pair.primary.connection('admin'), 'dispensary'), text);
const onStandby = (text: string) => execute(onDatabase(pair.standby.connection('admin'), 'dispensary'), text);

const slotState = async () =>
  (await onPrimary(`select active, wal_status from pg_replication_slots where slot_name = '${slot}'`))[0];
const untilFollowed = () => expect.poll(slotState, { timeout: 20_000 }).toMatchObject({ active: true });

/** Fills segments of the log; after the checkpoint the primary keeps only those that something holds. */
async function write(segments: number): Promise<void> {
  for (let count = 0; count < segments; count += 1) {
    await onPrimary(`select pg_logical_emit_message(true, 'test', 'one more')`);
    await onPrimary('select pg_switch_wal()');
  }
  await onPrimary('checkpoint');
}

/** The segments that are kept below the one being written. */
async function segmentsBehind(): Promise<number> {
  const [row] = await onPrimary(
    `select count(*)::int as behind from pg_ls_waldir()
      where name ~ '^[0-9A-F]{24}$' and name < pg_walfile_name(pg_current_wal_lsn())`,
  );
  return Number(row!.behind);
}

it('a standby with a slot goes on after an absence in which the primary wrote much more than it keeps without one', async () => {
  await untilFollowed();
  await pair.standby.kill();
  await expect.poll(slotState).toMatchObject({ active: false });
  await write(6);
  await onPrimary('create table after_the_absence as select 42 as answer');
  await write(2);
  expect(await segmentsBehind()).toBeGreaterThanOrEqual(8);
  await pair.standby.start();
  await expect
    .poll(() => onStandby('select answer from after_the_absence').catch(() => []), { timeout: 20_000 })
    .toEqual([{ answer: 42 }]);
  await untilFollowed();
  // What the standby has read is given back.
  await expect
    .poll(async () => {
      await onPrimary('checkpoint');
      return segmentsBehind();
    })
    .toBeLessThan(4);
});

it('the log of an absence beyond max_slot_wal_keep_size is given up, so that it cannot fill the disk', async () => {
  await untilFollowed();
  await pair.standby.kill();
  await expect.poll(slotState).toMatchObject({ active: false });
  await write(segmentsKept + 6);
  await expect
    .poll(async () => {
      await onPrimary('checkpoint');
      return slotState();
    })
    .toMatchObject({ active: false, wal_status: 'lost' });
  expect(await segmentsBehind()).toBeLessThanOrEqual(segmentsKept + 1);
  // The primary goes on.
  await onPrimary('create table after_the_loss as select 1 as one');
  expect(await onPrimary('select one from after_the_loss')).toEqual([{ one: 1 }]);
});
