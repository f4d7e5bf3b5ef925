import { Client, escapeLiteral } from 'pg';
import '../../src/app.ts';
import '../../src/background.ts';
import { registeredStatements } from '../../src/database/statement.ts';
import { forDistributed } from '../../src/database/engine.ts';

const url = process.env.DATABASE_URL!;
const client = new Client({ connectionString: url, options: '-c role=dispensary_app -c plan_cache_mode=force_custom_plan -c citus.propagate_set_commands=local' });
await client.connect();
const out: Record<string, string> = {};
const counts: Record<string, number> = {};
const note = (name: string, why: string) => { out[name] = why; counts[why] = (counts[why] ?? 0) + 1; };
const sample: Record<string, string> = {
  bytea: "'\\x00'", uuid: "'00000000-0000-0000-0000-000000000001'", boolean: 'true', text: "'a'", jsonb: "'[]'", json: "'[]'",
  'timestamp with time zone': "'2026-01-01T00:00:00Z'", date: "'2026-01-01'", interval: "'1 day'",
};
for (const [name, { text: given, usesTenant }] of registeredStatements()) {
  if (!usesTenant || /^\s*(begin|set)/.test(given)) continue;
  const text = forDistributed({ name, text: given, values: [] }).text;
  await client.query('begin');
  try {
    await client.query(`set local app.organization_id = '1'`);
    await client.query(`prepare "${name}" as ${text}`);
    const { rows } = await client.query(`select parameter_types::text[] as t from pg_prepared_statements where name = '${name}'`);
    const types: string[] = rows[0].t;
    const first = /\$1\b/.test(text);
    // the organization is the parameter compared or inserted; give 1 to all bigints
    const values = types.map((t) => t.endsWith('[]') ? (t === 'text[]' && /row\[\]/.test(text) ? `'{}'` : `'{}'::${t}`) : sample[t] !== undefined ? `${sample[t]}::${t}` : `1::${t}`);
    const r = await client.query(`explain (costs off) execute "${name}"${values.length ? `(${values.join(', ')})` : ''}`);
    const plan = r.rows.map((row) => row['QUERY PLAN']).join('\n');
    const tasks = [...plan.matchAll(/Task Count: (\d+)/g)].map((m) => Number(m[1]));
    const sub = /Distributed Subplan/.test(plan);
    note(name, tasks.length === 0 ? 'no task' : sub ? 'subplan' : tasks.every((t) => t === 1) && tasks.length === 1 ? 'one' : `tasks ${tasks}`);
    void first;
  } catch (error) {
    note(name, `ERROR ${(error as Error).message}`);
  }
  await client.query('rollback');
  await client.query(`deallocate all`);
}
await client.end();
for (const [name, why] of Object.entries(out)) if (why !== 'one') console.log(`${why}\t${name}`);
console.log(counts);
void escapeLiteral;
process.exit(0);
