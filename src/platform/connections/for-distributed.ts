import { escapeLiteral } from 'pg';
import { assert } from '../../kernel/assert.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { distributedText } from './distributed-text.ts';
import type { PipelineStatement } from './pipeline.ts';

/** Reads of one organization on a distributed database; a batch alone is no transaction on the other servers. */
export const beginRead: PipelineStatement = {
  name: 'begin_read',
  text: 'begin isolation level repeatable read, read only',
  values: [],
};

/** The server of an organization's rows, `host:port`, as the coordinator knows it. */
export function selectServer(organizationId: OrganizationId): PipelineStatement {
  return {
    name: 'select_server',
    text: `select n.nodename || ':' || n.nodeport as server
             from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid
            where n.noderole = 'primary'
              and p.shardid = get_shard_id_for_distribution_column('organizations', $1::bigint)`,
    values: [organizationId],
  };
}

/** A read that the server of the organization answers. */
export function selectOwnRow(organizationId: OrganizationId): PipelineStatement {
  return {
    name: 'select_own_row',
    text: 'select id from organizations where id = $1',
    values: [organizationId],
  };
}

/**
 * The first statement of a write: it changes nothing, and holds the part of the organization where it is until the end. What waits while
 * its part is split must not be the `insert … select` that most writes begin with: Citus then inserts nothing, and says nothing.
 */
export function holdPart(organizationId: OrganizationId): PipelineStatement {
  return {
    name: 'hold_part',
    text: 'update terms_versions set version = version where organization_id = $1 and version < 0',
    values: [organizationId],
  };
}

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
