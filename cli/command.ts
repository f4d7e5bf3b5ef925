import type { TSchema } from 'typebox';
import { listOrganizations } from '../src/access/organizations.ts';
import type { Origin } from '../src/database/context.ts';
import type { Database } from '../src/database/database.ts';
import { type OrganizationId, organizationId } from '../src/kernel/ids.ts';
import type { Config } from '../src/startup/config.ts';
import type { Deployment } from './deployment.ts';
import { UsageError } from './usage-error.ts';

export interface Result {
  /** For people. */
  readonly lines: readonly string[];
  /** The same for programs (`--json`). */
  readonly data: unknown;
  /** By default 0. */
  readonly exitCode?: number;
}

export interface CommandOption {
  readonly required: boolean;
  /** Takes no value: it is there (`true`) or not. */
  readonly isFlag?: true;
  /** Empty text says something, and is not taken for an option that was forgotten. */
  readonly mayBeEmpty?: true;
  readonly text: string;
  /** Of its value; that of the staff's interface, where that has the same. */
  readonly schema?: TSchema;
}

export interface Command {
  readonly summary: string;
  /** What stands behind the command without a name; it is handed over as the option `argument`. */
  readonly argument?: string;
  /** The command does without it as well. */
  readonly argumentIsOptional?: true;
  readonly options: Readonly<Record<string, CommandOption>>;
  /** Makes the database where there is none, and brings its schema up to date; the others need both to be there. */
  readonly makesDatabase?: true;
  /** Works on the schema of any release; the others need that of this program. */
  readonly leavesSchema?: true;
  /** Before anything is opened or made: fails with a UsageError where the command can do nothing. */
  check?(config: Config): void;
  /** Works without a database, where it can. Null: these options need the deployment, and `run` gets them. */
  runAlone?(config: Config, options: Readonly<Record<string, string>>): Result | null;
  run(deployment: Deployment, options: Readonly<Record<string, string>>): Promise<Result>;
}

export const operatorOrigin: Origin = { actor: 'job:operator', requestId: null };

export const required = (text: string, schema?: TSchema): CommandOption => ({
  ...{ required: true, text },
  ...(schema && { schema }),
});
export const requiredOrEmpty = (text: string) => ({ required: true, mayBeEmpty: true as const, text });
export const optional = (text: string, schema?: TSchema): CommandOption => ({
  ...{ required: false, text },
  ...(schema && { schema }),
});
export const flag = (text: string) => ({ required: false, isFlag: true as const, text });

/** The organization of an option, or the only one there is. Fails with a UsageError. */
export async function chosenOrganization(
  operator: Database,
  text: string | undefined,
): Promise<OrganizationId> {
  if (text !== undefined) return existingOrganization(operator, text);
  const rows = await listOrganizations(operator);
  if (rows.length === 1) return organizationId(rows[0]!.id);
  throw new UsageError(
    rows.length === 0 ? 'there is no organization yet' : `--organization: there are ${rows.length}; name one`,
  );
}

/** Fails with a UsageError when there is none of this id. */
export async function existingOrganization(operator: Database, text: string): Promise<OrganizationId> {
  const id = wholeNumber('organization', text);
  const rows = await listOrganizations(operator);
  if (!rows.some((row) => row.id === id))
    throw new UsageError(`--organization: there is no organization ${id}`);
  return organizationId(id);
}

/** Fails with a UsageError. */
export function wholeNumber(option: string, text: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text) || !Number.isSafeInteger(Number(text))) {
    throw new UsageError(`--${option} must be a number`);
  }
  return Number(text);
}
