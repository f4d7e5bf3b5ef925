import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the program's files (migrations, contract), both from source and from the build. */
export function projectFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'migrations'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('The folder of the program lacks migrations/.');
    folder = parent;
  }
  return folder;
}

/** The version of the program, with the commit of a release archive: `1.0.0 (1a2b3c4d)`. Empty if its folder does not tell. */
export function programVersion(): string {
  for (const file of ['release.json', 'package.json']) {
    const path = join(projectFolder(), file);
    if (!existsSync(path)) continue;
    const { version, commit }: { version?: string; commit?: string | null } = JSON.parse(
      readFileSync(path, 'utf8'),
    );
    return `${version ?? ''}${commit ? ` (${commit.slice(0, 8)})` : ''}`;
  }
  return '';
}
