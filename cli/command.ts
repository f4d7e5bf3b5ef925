import { userInfo } from 'node:os';
import type { TSchema } from 'typebox';
import { listOrganizations } from '../src/access/organizations/organizations.ts';
import type { Config } from '../src/hosting/startup/config.ts';
import { type OrganizationId, organizationId } from '../src/kernel/ids.ts';
import type { Context, Origin } from '../src/platform/database/context.ts';
import type { Database } from '../src/platform/database/database.ts';
import { announce } from '../src/platform/events/announce.ts';
import type { Deployment } from './deployment.ts';
import type { Screen } from './progress-bar.ts';
import { UsageError } from './usage-error.ts';

export interface Result {
  /** The result as text. */
  readonly lines: readonly string[];
  /** The result as data (`--json`). */
  readonly data: unknown;
  /** 0 by default. */
  readonly exitCode?: number;
}

interface CommandOption {
  readonly required: boolean;
  /** Takes no value: present (`true`) or absent. */
  readonly isFlag?: true;
  /** Empty text is a valid value and does not count as missing. */
  readonly mayBeEmpty?: true;
  readonly text: string;
  /** The schema of the value; the staff API's schema where there is one. */
  readonly schema?: TSchema;
}

/** What a command over HTTP knows of where it runs. */
export type RemoteConfig = Pick<Config, 'dataDir' | 'mirrored'>;

/** What the process of a command over HTTP gives it. */
export interface RemoteCaller {
  readonly stdout: Screen;
  readonly stderr: Screen;
  /** Ends a command that runs until it is stopped. */
  readonly stop?: AbortSignal;
  /** The caller wants JSON: one that prints as it goes prints a value on each line. */
  readonly asJson?: boolean;
}

export interface Command {
  readonly summary: string;
  /** The name of the positional argument; its value becomes the option `argument`. */
  readonly argument?: string;
  /** The argument may be omitted. */
  readonly argumentIsOptional?: true;
  readonly options: Readonly<Record<string, CommandOption>>;
  /** Brings the schema of the database up to date; other commands need it so. */
  readonly migrates?: true;
  /** Works on the schema of any release; other commands need this program's schema. */
  readonly acceptsAnySchema?: true;
  /** Runs before anything is opened or created. Fails with a UsageError if the command cannot do anything. */
  check?(config: Config): void;
  /** Runs without a database if possible. Null: these options need the deployment, so `run` is called. */
  runAlone?(config: Config, options: Readonly<Record<string, string>>): Result | null;
  /** Works over HTTP, on any deployment, or without one. A command has this or `run`. */
  runRemote?(
    config: RemoteConfig,
    options: Readonly<Record<string, string>>,
    caller: RemoteCaller,
  ): Promise<Result>;
  /** Opens what it works on by itself. A command has this, `run` or `runRemote`. */
  runOnItsOwn?(
    config: Config,
    options: Readonly<Record<string, string>>,
    caller: { readonly stderr: Screen },
  ): Promise<Result>;
  run?(deployment: Deployment, options: Readonly<Record<string, string>>): Promise<Result>;
}

/** The command of this process: there is one at a time. */
let runningCommand = 'dispensary';

/** Names the command that begins, for the audit log. */
export function beginCommand(name: string): void {
  runningCommand = name;
}

/** The origin of what the running command writes: the audit log has its name and the account of the operating system. */
export const operatorOrigin: Origin = {
  actor: 'job:operator',
  requestId: null,
  get operator() {
    return { account: accountName(), command: runningCommand };
  },
};

/** The account that runs the command. An account in a container may have no name. */
export function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'without a name'}`;
  }
}

/** Notes a command in the audit logs of organizations whose records it changed in a way that has no event of its own. */
export async function auditCommand(
  context: Context,
  organizations: readonly OrganizationId[],
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const nowMs = context.clock.now();
  for (const organization of organizations) {
    await context.database.write(
      organization,
      (tx) =>
        announce(tx, context, operatorOrigin, nowMs, {
          ...{ event: 'organization.operated', subjectType: 'organization', subjectId: organization },
          payload: {},
          details,
        }),
      { countsAsChange: false },
    );
  }
}

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

/** The organization in the option, or the only one. Fails with a UsageError. */
export async function chosenOrganization(
  operator: Database,
  text: string | undefined,
): Promise<OrganizationId> {
  if (text !== undefined) return existingOrganization(operator, text);
  const rows = await listOrganizations(operator);
  if (rows.length === 1) return organizationId(rows[0]!.id);
  throw new UsageError(
    rows.length === 0 ? 'there are no organizations' : `--organization: there are ${rows.length}; name one`,
  );
}

/** Fails with a UsageError if there is no organization with this id. */
export async function existingOrganization(operator: Database, text: string): Promise<OrganizationId> {
  const id = wholeNumber('organization', text);
  const rows = await listOrganizations(operator);
  if (!rows.some((row) => row.id === id))
    throw new UsageError(`--organization: there is no organization ${id}`);
  return organizationId(id);
}

/** Parses a whole number. Fails with a UsageError. */
export function wholeNumber(option: string, text: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text) || !Number.isSafeInteger(Number(text))) {
    throw new UsageError(`--${option} must be a number`);
  }
  return Number(text);
}

/** The organization of the option, or all organizations. Fails with a UsageError if the id does not exist. */
export async function chosenOrganizations(
  operator: Database,
  text: string | undefined,
): Promise<OrganizationId[]> {
  if (text !== undefined) return [await existingOrganization(operator, text)];
  return (await listOrganizations(operator)).map(({ id }) => organizationId(id));
}
