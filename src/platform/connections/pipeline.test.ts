import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { casesOf } from '../../../test/harness/long-suite.ts';
import { execute } from '../../../test/harness/test-connection.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/test-database.ts';
import { IntegerArray, type SqlValue, TextArray } from '../statements/statement.ts';
import { type PipelineStatement, runPipeline } from './pipeline.ts';

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  await execute(
    database.owner,
    'create table notes (id bigint primary key, body text not null); grant all on notes to dispensary_app',
  );
});
afterAll(() => database.drop());

beforeEach(async () => {
  client = new Client({ ...database.serving, options: `${database.serving.options ?? ''} -c TimeZone=UTC` });
  client.on('error', () => {});
  await client.connect();
  await client.query('delete from notes');
});
afterEach(() => client.end());

function sql(name: string, text: string, ...values: SqlValue[]): PipelineStatement {
  return { name, text, values };
}
const one = (value: number) => sql('one', 'select $1::bigint as value', value);
const insertNote = (id: number, body: string | null) =>
  sql('insert_note', 'insert into notes (id, body) values ($1, $2)', id, body);
const countNotes = sql('count_notes', 'select count(*) as count from notes');
const divide = (by: number) => sql('divide', 'select 1 / $1::integer as quotient', by);
const misspelt = sql('misspelt', 'selekt 1');

/** Checks that new and prepared statements both work on this connection. */
async function expectUsable(): Promise<void> {
  for (let round = 0; round < 2; round++) {
    expect(await runPipeline(client, [one(7), divide(1), one(8)])).toEqual([
      [{ value: 7 }],
      [{ quotient: 1 }],
      [{ value: 8 }],
    ]);
  }
  expect(client.getTransactionStatus()).toBe('I');
}

test('an unnamed statement can change its text each time, beside prepared ones and after errors', async () => {
  for (let round = 0; round < 3; round++) {
    const rows = await runPipeline(client, [
      one(1),
      sql('', 'select $1::bigint as first', 2),
      sql('', `insert into notes (id, body) values ($1, 'unnamed')`, round),
      sql('', 'select $1::text as second, $2::bigint as third', 'b', 3),
      one(4),
    ]);
    expect(rows).toEqual([[{ value: 1 }], [{ first: 2 }], [], [{ second: 'b', third: 3 }], [{ value: 4 }]]);
    await expect(runPipeline(client, [sql('', 'select 1 / $1::integer', 0), one(1)])).rejects.toMatchObject({
      code: '22012',
    });
  }
  await expectUsable();
});

test('columns can have any name, and there can be many', async () => {
  const names = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 15 }),
    fc.constantFrom('__proto__', 'constructor', 'f', 'p', '1', '"', '\\', '\u2028', '\n', '});p(0);//'),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(
        names.filter((name) => !name.includes('\0') && Buffer.byteLength(name) < 64),
        { minLength: 1, maxLength: 50 },
      ),
      async (columns) => {
        const list = columns.map((name, index) => `${index} as "${name.replaceAll('"', '""')}"`);
        const [[row] = []] = await runPipeline(client, [sql('', `select ${list.join(', ')}`)]);
        expect(Object.entries(row!).toSorted()).toEqual(
          columns.map((name, index): [string, unknown] => [name, index]).toSorted(),
        );
        expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
      },
    ),
    { numRuns: casesOf({ everyRun: 60, long: 200 }) },
  );
});

test('each statement gets its own rows, in order, on its first use and once it is prepared', async () => {
  for (let round = 0; round < 3; round++) {
    const rows = await runPipeline(client, [
      one(1),
      sql('none', 'select 1 as value where false'),
      insertNote(round, 'a'),
      one(2),
      sql('three', 'select generate_series(1, 3) as value'),
    ]);
    expect(rows).toEqual([
      [{ value: 1 }],
      [],
      [],
      [{ value: 2 }],
      [{ value: 1 }, { value: 2 }, { value: 3 }],
    ]);
  }
});

describe('a failing statement', () => {
  for (const at of [0, 1, 2]) {
    for (const warm of [false, true]) {
      test(`at place ${at + 1} of 3, ${warm ? 'prepared before' : 'new'}, rolls back the batch and keeps the connection`, async () => {
        if (warm) await runPipeline(client, [insertNote(100, 'before'), divide(1)]);
        const batch = [insertNote(1, 'x'), insertNote(2, 'y')];
        batch.splice(at, 0, divide(0));
        await expect(runPipeline(client, batch)).rejects.toMatchObject({ code: '22012' });
        expect(await runPipeline(client, [countNotes])).toEqual([[{ count: warm ? 1 : 0 }]]);
        await expectUsable();
        await runPipeline(client, [insertNote(3, 'z')]);
      });

      test(`that cannot be parsed, at place ${at + 1} of 3, ${warm ? 'tried before' : 'new'}, keeps the connection`, async () => {
        if (warm) await runPipeline(client, [misspelt]).catch(() => {});
        const batch = [insertNote(1, 'x'), insertNote(2, 'y')];
        batch.splice(at, 0, misspelt);
        await expect(runPipeline(client, batch)).rejects.toMatchObject({ code: '42601' });
        expect(await runPipeline(client, [countNotes])).toEqual([[{ count: 0 }]]);
        await expectUsable();
        // The same names again: the client knows correctly which of them are prepared.
        await expect(runPipeline(client, batch)).rejects.toMatchObject({ code: '42601' });
        await runPipeline(client, [insertNote(1, 'x'), insertNote(2, 'y')]);
      });
    }
  }

  test('that was parsed in the same batch can be used again', async () => {
    await expect(runPipeline(client, [insertNote(1, 'a'), insertNote(1, 'b')])).rejects.toMatchObject({
      constraint: 'notes_pkey',
    });
    await runPipeline(client, [insertNote(1, 'a'), insertNote(2, 'b')]);
    await expect(runPipeline(client, [insertNote(3, null), insertNote(4, 'b')])).rejects.toMatchObject({
      code: '23502',
    });
    expect(await runPipeline(client, [countNotes])).toEqual([[{ count: 2 }]]);
  });

  test('leaves an explicit transaction to be rolled back completely', async () => {
    await runPipeline(client, [sql('begin', 'begin'), insertNote(1, 'a')]);
    await expect(runPipeline(client, [divide(0), insertNote(2, 'b')])).rejects.toMatchObject({
      code: '22012',
    });
    await expect(runPipeline(client, [one(1)])).rejects.toMatchObject({ code: '25P02' });
    await client.query('rollback');
    expect(await runPipeline(client, [countNotes])).toEqual([[{ count: 0 }]]);
    await expectUsable();
  });
});

test('a connection lost in the middle of a batch rejects the batch without hanging', async () => {
  const [[session]] = (await runPipeline(client, [sql('pid', 'select pg_backend_pid() as pid')])) as [
    [{ pid: number }],
  ];
  const reply = runPipeline(client, [one(1), sql('nap', 'select pg_sleep(20)'), one(2)]).catch(String);
  await waitUntilSleeping(session.pid);
  await terminate(session.pid);
  expect(await reply).toMatch('terminating connection');
  await expect(runPipeline(client, [one(1)])).rejects.toThrow();
});

/** Uses the server's own login: the serving role can neither see nor end another role's session. */
async function terminate(pid: number): Promise<void> {
  await execute(inject('server').admin, `select pg_terminate_backend(${pid})`);
}

async function waitUntilSleeping(pid: number): Promise<void> {
  const asleep = `select 1 from pg_stat_activity where pid = ${pid} and wait_event = 'PgSleep'`;
  while ((await execute(inject('server').admin, asleep)).length === 0);
}

describe('a value', () => {
  test('that cannot be encoded is refused before anything is sent', async () => {
    await expect(runPipeline(client, [insertNote(1, 'x'), one(Number.NaN)])).rejects.toThrow('finite');
    expect(await runPipeline(client, [countNotes])).toEqual([[{ count: 0 }]]);
    await expectUsable();
  });

  test('that the database refuses (NUL, a fraction for a whole number) keeps the connection', async () => {
    await expect(runPipeline(client, [insertNote(1, 'a\0b')])).rejects.toMatchObject({ code: '22021' });
    await expect(runPipeline(client, [one(1.5)])).rejects.toMatchObject({ code: '22P02' });
    await expectUsable();
  });

  test('that cannot be parsed rejects its batch and keeps the connection and the process', async () => {
    const beyond = sql('beyond', 'select 9007199254740993::bigint as value');
    const endless = sql('endless', `select 'infinity'::timestamptz as value from generate_series(1, 3)`);
    for (const unreadable of [beyond, endless, beyond, endless]) {
      await expect(runPipeline(client, [one(1), unreadable, one(2)])).rejects.toThrow();
      await expectUsable();
    }
  });

  const typed = (type: string, value: SqlValue) =>
    sql(`echo_${type.replace(/\W/g, '_')}`, `select $1::${type} as value`, value);
  async function echo(type: string, value: SqlValue): Promise<unknown> {
    const [rows] = await runPipeline(client, [typed(type, value)]);
    return rows![0]!.value;
  }
  const text = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((value) => !value.includes('\0'));
  const awkward = fc.oneof(
    text,
    fc.constantFrom(
      '',
      'NULL',
      'null',
      '{}',
      '{',
      '}',
      ',',
      '"',
      '\\',
      '\\"',
      ' a ',
      'a\nb',
      '\\n',
      '\t',
      "'",
      '\\x',
    ),
  );

  /** The database returns the value unchanged, or as `read` converts it. */
  function comesBack<Value extends SqlValue>(
    type: string,
    values: fc.Arbitrary<Value>,
    read: (value: Value) => unknown = (value) => value,
  ): Promise<void> {
    const property = fc.asyncProperty(values, async (value) => {
      expect(await echo(type, value)).toEqual(read(value));
    });
    return fc.assert(property, { numRuns: casesOf({ everyRun: 60, long: 200 }) });
  }
  const id = fc.maxSafeInteger().map((value) => value + 0);

  test('of any text, or array of texts, is returned unchanged', async () => {
    await comesBack('text', awkward);
    await comesBack('text[]', fc.array(awkward, { maxLength: 6 }));
  });

  test('of any safe integer, or array of them, is returned unchanged', async () => {
    await comesBack('bigint', id);
    await comesBack('bigint', id.map(BigInt), Number);
    await comesBack('bigint[]', fc.array(id, { maxLength: 6 }));
  });

  test('of any integers in binary is returned unchanged, and other numbers are not sent', async () => {
    const small = fc.integer({ min: -(2 ** 31) + 1, max: 2 ** 31 - 1 });
    for (const [type, item] of [
      ['integer', small],
      ['bigint', id],
    ] as const) {
      const arrays = fc.array(item, { maxLength: 6 }).map((values) => new IntegerArray(type, values));
      // Read as bigint: the program never reads arrays of integer.
      const cast = `${type}[]::bigint[]`;
      await comesBack(cast, arrays, ({ values }) => values);
      const thousand = Array.from({ length: 1000 }, (_, index) => index - 500);
      expect(await echo(cast, new IntegerArray(type, thousand))).toEqual(thousand);
      for (const wrong of [0.5, Number.NaN, 2 ** 53]) {
        await expect(echo(cast, new IntegerArray(type, [1, wrong]))).rejects.toThrow('cannot be');
      }
    }
    await expect(echo('integer[]', new IntegerArray('integer', [2 ** 31]))).rejects.toThrow('cannot be');
    await expectUsable();
  });

  test('of any long texts in binary is returned unchanged', () => {
    const arrays = fc.array(awkward, { maxLength: 6 }).map((values) => new TextArray(values));
    return comesBack('text[]', arrays, ({ values }) => values);
  });

  test('of any float is returned as the number', () =>
    comesBack('double precision', fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => value + 0));

  test('of any bytes is returned unchanged', () =>
    comesBack('bytea', fc.uint8Array({ maxLength: 40 }), (bytes) => Buffer.from(bytes)));

  test('of a whole file is returned unchanged', async () => {
    const file = Buffer.from(Uint8Array.from({ length: 200_001 }, (_, at) => at % 251));
    expect(file.subarray(1).equals((await echo('bytea', file.subarray(1))) as Buffer)).toBe(true);
  });

  test('of any decimal keeps its exact text', () => {
    const decimal = fc.tuple(fc.boolean(), fc.bigInt({ min: 1n, max: 10n ** 30n }), fc.nat(20));
    const text = decimal.map(([isNegative, digits, places]) => {
      const whole = digits.toString().padStart(places + 1, '0');
      const point = places === 0 ? whole : `${whole.slice(0, -places)}.${whole.slice(-places)}`;
      return isNegative ? `-${point}` : point;
    });
    return comesBack('numeric', text);
  });

  test('of any instant from the year 1 to 9999 is returned in milliseconds', () => {
    const instant = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    return comesBack(
      'timestamptz',
      instant.map((date) => date.toISOString()),
      Date.parse,
    );
  });

  test('of boolean, JSON and null is returned unchanged', async () => {
    expect(await echo('boolean', true)).toBe(true);
    expect(await echo('boolean', false)).toBe(false);
    await comesBack('json', fc.json({ maxDepth: 3 }), (json) => JSON.parse(json));
    for (const type of [
      'text',
      'bigint',
      'bytea',
      'numeric',
      'timestamptz',
      'text[]',
      'bigint[]',
      'boolean',
      'json',
    ]) {
      expect(await echo(type, null)).toBeNull();
    }
  });
});

test('thousands of rows and hundreds of statements in one batch all arrive', async () => {
  const series = sql(
    'series',
    'select i as id, repeat($1, 100) as body from generate_series(1, 5000) i',
    'é',
  );
  const batch = [
    series,
    ...Array.from({ length: 400 }, (_, at) => insertNote(at, 'x'.repeat(1000))),
    countNotes,
  ];
  const rows = await runPipeline(client, batch);
  expect(rows[0]).toHaveLength(5000);
  expect(rows[0]![4999]).toEqual({ id: 5000, body: 'é'.repeat(100) });
  expect(rows.at(-1)).toEqual([{ count: 400 }]);
});
