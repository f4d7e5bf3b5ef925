import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../src/kernel/project-folder.ts';

/** The snippets of the README, one after the other: each uses the names of those above it. */
export function readmeProgram(): string {
  const text = readFileSync(join(projectFolder(), 'sdk', 'integrator', 'README.md'), 'utf8');
  return [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code).join('\n');
}
