import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../../kernel/project-folder.ts';
import { jurisdictionsPage } from './jurisdictions-page.ts';

test('the page of jurisdictions agrees with the data', () => {
  expect(readFileSync(join(projectFolder(), 'docs/JURISDICTIONS.md'), 'utf8')).toBe(jurisdictionsPage());
});
