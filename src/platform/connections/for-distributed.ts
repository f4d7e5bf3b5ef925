import { escapeLiteral } from 'pg';
import { assert } from '../../kernel/assert.ts';
import { distributedText } from './distributed-text.ts';
import type { PipelineStatement } from './pipeline.ts';

/** Reads of one organization on a distributed database; a batch alone is no transaction on the other servers. */
export const beginRead: PipelineStatement = {
  name: 'begin_read',
  text: 'begin isolation level repeatable read, read only',
  values: [],
};

const setConfig = /^select set_config\('([a-z_.]+)', \$1, true\)$/;

/**
 * The statement for a distributed database. `set_config` acts on the server that runs it only; `set local` is told to the
 * others too, and takes no parameters.
 */
export function forDistributed(statement: PipelineStatement): PipelineStatement {
  const name = setConfig.exec(statement.text)?.[1];
  if (name === undefined) {
    const given = statement.onDistributed ?? statement;
    return { name: statement.name, text: distributedText(given.text), values: given.values };
  }
  const [value] = statement.values;
  assert(typeof value === 'string', () => `the setting ${name} is no text`);
  return { name: '', text: `set local ${name} = ${escapeLiteral(value)}`, values: [] };
}
