import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, 'src');
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.tsx?$/.test(name),
);

test('every write of the console uses useWrite, which ignores a second click', () => {
  const filesWithMutations = sources.filter((name) =>
    readFileSync(join(folder, name), 'utf8').includes('useMutation'),
  );
  expect(filesWithMutations.map((name) => name.replaceAll('\\', '/'))).toEqual(['parts/use-write.ts']);
});
