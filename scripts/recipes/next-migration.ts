import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from './recipe.ts';

/** The path of a migration after the last one. `name` is a verb and a noun in snake case. */
export function nextMigration({ root }: Project, name: string): string {
  const numbers = readdirSync(join(root, 'migrations'))
    // Beside them is the folder of the distributed schema.
    .filter((file) => file.endsWith('.sql'))
    .map((file) => Number.parseInt(file, 10));
  return `migrations/${String(Math.max(...numbers) + 1).padStart(4, '0')}_${name}.sql`;
}
