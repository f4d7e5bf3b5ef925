import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrationsFolder } from '../connections/migration-files.ts';

/** What a distributed database has in place of what migrations make: `distributed/schema.sql` beside them. */
export interface DistributedForms {
  /** In their order. */
  readonly statements: readonly string[];
  readonly functions: ReadonlyMap<string, string>;
  readonly triggers: ReadonlyMap<string, string>;
}

/** Reads the forms beside the migrations of a folder; throws if there are none. */
export async function readForms(folder = migrationsFolder): Promise<DistributedForms> {
  const text = await readFile(join(folder, 'distributed', 'schema.sql'), 'utf8');
  const statements = text.split(/\n\n(?=create |alter )/).slice(1);
  return { statements, functions: named(statements, functionName), triggers: named(statements, triggerName) };
}

/** The name of the function that a statement makes. */
export const functionName = /^create (?:or replace )?function (\w+)/i;
/** The name of the trigger that a statement makes. */
export const triggerName = /^create (?:or replace )?(?:constraint )?trigger (\w+)/i;

function named(statements: readonly string[], pattern: RegExp): ReadonlyMap<string, string> {
  return new Map(
    statements.flatMap((text) => {
      const name = pattern.exec(text)?.[1];
      return name === undefined ? [] : [[name, text] as const];
    }),
  );
}

/** The statements that make a function, whether it is there or not; none without a form of it. */
export function functionForm({ functions }: DistributedForms, name: string): readonly string[] {
  const text = functions.get(name);
  return text === undefined ? [] : [text.replace(/^create function/, 'create or replace function')];
}

/** The statements that make a trigger for each row, and its function; none without a form of it. */
export function triggerForm(forms: DistributedForms, name: string): readonly string[] {
  const text = forms.triggers.get(name);
  if (text === undefined) return [];
  const runs = /execute function (\w+)/.exec(text)![1]!;
  return [...functionForm(forms, runs), text];
}
