import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lazily } from '../../kernel/lazily.ts';
import { projectFolder } from '../../kernel/project-folder.ts';

/**
 * When a migration runs. `expand`: at once, while processes of the former release serve; it must leave them working. `contract`:
 * when no process of an earlier release is connected; it removes or tightens what they used.
 */
type MigrationPhase = 'expand' | 'contract';

export interface Migration {
  readonly file: string;
  readonly text: string;
  readonly digest: string;
  readonly phase: MigrationPhase;
  /** Its statements run one by one, outside of a transaction, as `create index concurrently` requires. */
  readonly isConcurrent: boolean;
}

/** The migrations of this program. */
export const migrationsFolder = join(projectFolder(), 'migrations');

const migrationName = /^\d{4}_\w+\.sql$/;

/** In the order in which they are applied. */
export async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const files = (await readdir(folder)).filter((file) => migrationName.test(file)).sort();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8');
      return {
        file,
        text,
        digest: createHash('sha256').update(text).digest('hex'),
        phase: /^-- contract: \S/m.test(text) ? 'contract' : 'expand',
        isConcurrent: /^-- concurrently: \S/m.test(text),
      };
    }),
  );
}

/** The statements of a concurrent migration. */
export function statementsOf({ text }: Pick<Migration, 'text'>): readonly string[] {
  return text
    .replaceAll(/^\s*--.*$/gm, '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** The number of the newest migration that this program knows. Every session of the program carries it in its name. */
export const schemaNumber = lazily(
  () =>
    readdirSync(migrationsFolder)
      .filter((file) => migrationName.test(file))
      .sort()
      .at(-1)
      ?.slice(0, 4) ?? '0000',
);
