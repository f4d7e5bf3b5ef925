import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { projectFolder } from '../src/kernel/project-folder.ts';
import { createTestDatabase } from '../test/harness/test-database.ts';
import { generatedFiles } from './generated-files.ts';

test('the generated files tell of every table, index, operation, role, field, event and error, as they are', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const files = [...(await generatedFiles(database.owner))];
  const stale = files.filter(([path, text]) => readFileSync(join(projectFolder(), path), 'utf8') !== text);
  expect(
    stale.map(([path]) => path),
    'npm run generate',
  ).toEqual([]);
});
