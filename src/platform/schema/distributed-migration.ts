import type { Client } from 'pg';
import type { Migration } from '../connections/migration-files.ts';
import { distributeNew } from '../distribution/distribute.ts';
import {
  type DistributedForms,
  functionForm,
  functionName,
  readForms,
  triggerForm,
  triggerName,
} from '../distribution/distributed-forms.ts';
import { maskedText } from './migration-effects.ts';

/**
 * Does what a migration says to a distributed database, in the transaction that is open. The tables that it makes are distributed
 * before anything is written to them; what schema.sql has another form of gets that one. Throws for what such a database cannot do.
 */
export async function applyDistributed(
  client: Client,
  { file, text }: Migration,
  folder: string,
): Promise<void> {
  const forms = await readForms(folder);
  await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`);
  await client.query('set local citus.enable_unsafe_triggers = on');
  await client.query('set local client_min_messages = warning');
  await client.query('set local plan_cache_mode = force_custom_plan');
  // What a block sets, such as the organization whose rows it writes, is told to the other servers.
  await client.query(`set local citus.propagate_set_commands = 'local'`);
  const made = new Set<string>();
  try {
    for (const statement of splitStatements(text)) {
      const table = tableOf(statement);
      const makes = /^create (?:unlogged )?table (?:if not exists )?(\w+)/i.exec(statement)?.[1];
      if (makes !== undefined) made.add(makes);
      if (makes !== undefined || (table !== undefined && made.has(table))) {
        // The new table is of the coordinator alone for now, so it may refer to tables that are not.
        await client.query(`select set_config('citus.enable_ddl_propagation', 'off', true)`);
        await client.query(statement);
        await client.query(`select set_config('citus.enable_ddl_propagation', 'on', true)`);
        continue;
      }
      if (made.size > 0) await distributeNew(client, forms);
      made.clear();
      for (const one of distributedStatements(statement, forms)) await client.query(one);
    }
    await distributeNew(client, forms);
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    throw Object.assign(
      new Error(`Migration ${file} on a distributed database: ${message}`, { cause: error }),
      {
        code,
      },
    );
  }
}

/** The statements of a migration, without the comments before each. */
export function splitStatements(text: string): readonly string[] {
  const masked = maskedText(text);
  const found: string[] = [];
  let from = 0;
  for (const part of masked.split(';')) {
    const start = from + part.length - part.trimStart().length;
    if (part.trim() !== '') found.push(text.slice(start, from + part.length).trimEnd());
    from += part.length + 1;
  }
  return found;
}

/** The table whose definition a statement changes; rows are left as they are. */
function tableOf(statement: string): string | undefined {
  const head =
    /^(?:alter table (?:only )?|create (?:unique )?index .*?\son |(?:create|alter) policy \w+ on )(\w+)/is;
  return head.exec(statement)?.[1];
}

/** What a distributed database runs for a statement about what it has. */
export function distributedStatements(statement: string, forms: DistributedForms): readonly string[] {
  const aFunction = functionName.exec(statement)?.[1];
  if (aFunction !== undefined && forms.functions.has(aFunction)) return functionForm(forms, aFunction);
  const trigger = triggerName.exec(statement)?.[1];
  if (trigger !== undefined) {
    const own = triggerForm(forms, trigger);
    if (own.length > 0) return own;
    if (/\breferencing\s+(?:old|new)\s+table\b/i.test(statement)) {
      throw new Error(`schema.sql has no form of the trigger ${trigger} for each row`);
    }
  }
  if (/^(?:create|alter) policy/i.test(statement)) {
    return [statement.replaceAll(/\(\s*select (\w+\(\))\s*\)/gi, '$1')];
  }
  if (/^do\b/i.test(statement)) {
    const set = /\bperform set_config\('([\w.]+)', ([^;]*?), true\)/g;
    return [
      statement.replaceAll(set, (_, name, value) => `execute format('set local ${name} = %L', ${value})`),
    ];
  }
  return /^alter table/i.test(statement) ? alterations(statement) : [statement];
}

/** The coordinator takes one change of a table at a time, and no column together with a constraint. */
function alterations(statement: string): readonly string[] {
  const head = /^alter table (?:if exists )?(?:only )?(\w+)\s+/i.exec(statement);
  if (head === null) return [statement];
  const [before, table] = head;
  return outerParts(statement.slice(before.length)).flatMap((action) => {
    const column =
      /^add (?:column )?(?:if not exists )?(?!constraint\b|check\b|foreign\b|primary\b|unique\b|exclude\b)(\w+)\s/i.exec(
        action,
      )?.[1];
    if (column === undefined) return [`${before}${action}`];
    const { rest, constraints } = withoutConstraints(action, `${table}_${column}`, column);
    return [`${before}${rest}`, ...constraints.map((one) => `${before}add constraint ${one}`)];
  });
}

/** The parts between commas that are in no parentheses. */
function outerParts(text: string): readonly string[] {
  const masked = maskedText(text);
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= masked.length; at += 1) {
    const letter = masked[at];
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (at < masked.length && (letter !== ',' || depth > 0)) continue;
    parts.push(
      text
        .slice(from, at)
        .replaceAll(/^\s*--.*$/gm, '')
        .trim(),
    );
    from = at + 1;
  }
  return parts;
}

const onChange = String.raw`(?:\s+on (?:delete|update) (?:cascade|restrict|no action|set null|set default))*`;
const reference = new RegExp(
  String.raw`\s(?:constraint (\w+) )?(references \w+(?:\s*\([^)]*\))?${onChange})`,
  'i',
);

/** A column's definition without its checks and references, which get the names that PostgreSQL gives them. */
function withoutConstraints(action: string, prefix: string, column: string) {
  const constraints: string[] = [];
  let rest = action;
  for (;;) {
    const check = /\s(?:constraint (\w+) )?check\s*\(/i.exec(maskedText(rest));
    if (check === null) break;
    const opens = check.index + check[0].length - 1;
    const end = closing(maskedText(rest), opens);
    const count = constraints.length;
    const name = check[1] ?? `${prefix}_check${count === 0 ? '' : count}`;
    constraints.push(`${name} check ${rest.slice(opens, end)}`);
    rest = rest.slice(0, check.index) + rest.slice(end);
  }
  const refers = reference.exec(rest);
  if (refers !== null) {
    constraints.push(`${refers[1] ?? `${prefix}_fkey`} foreign key (${column}) ${refers[2]}`);
    rest = rest.replace(refers[0], '');
  }
  return { rest, constraints };
}

/** Behind the parenthesis that closes the one at a place. */
function closing(text: string, opens: number): number {
  let depth = 0;
  for (let at = opens; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}
