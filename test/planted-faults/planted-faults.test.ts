import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  copyProject,
  reportOf,
  type ScratchProject,
} from '../../scripts/recipes/scratch-project.test-support.ts';
import { readProject } from '../../scripts/tidy/project-files.ts';
import { projectFolder } from '../../src/kernel/project-folder.ts';
import { isLongSuite } from '../harness/is-long-suite.ts';
import { checks, type PlantedFault, plantedFaults } from './planted-faults.ts';

/* A test of the tests: faults are planted one after the other in a copy of the project, and the proofs named beside each find it. */

const paths = readProject(projectFolder()).map(({ path }) => path);

/** The only file whose path ends so. */
function pathOf(end: string): string {
  const found = paths.filter((path) => `/${path}`.endsWith(end.startsWith('/') ? end : `/${end}`));
  expect([end, found.length]).toEqual([end, 1]);
  return found[0]!;
}

/** The text of the file with the fault; fails when there is no place for it, or more than one. */
function faulty({ name, from, to }: PlantedFault, text: string): string {
  expect([name, text.split(from).length - 1]).toEqual([name, 1]);
  return text.replace(from, () => to);
}

const testsOf = ({ red }: PlantedFault): readonly string[] =>
  typeof red === 'string' ? [] : red.map(pathOf);

test('every fault has its place, and the tests that find it are there', () => {
  for (const fault of plantedFaults) {
    faulty(fault, readFileSync(join(projectFolder(), pathOf(fault.file)), 'utf8'));
    testsOf(fault);
  }
  expect(new Set(plantedFaults.map(({ name }) => name)).size).toBe(plantedFaults.length);
});

describe.runIf(isLongSuite)('planted in a copy of the project', () => {
  let scratch: ScratchProject;
  beforeAll(async () => {
    scratch = copyProject();
    await scratch.writeSdkTypes();
  }, 300_000);
  afterAll(() => scratch.remove());

  test.each(plantedFaults.map((fault) => [fault.name, fault] as const))(
    '%s',
    { timeout: 1_200_000 },
    async (_, fault) => {
      const path = join(scratch.root, pathOf(fault.file));
      const sound = readFileSync(path, 'utf8');
      writeFileSync(path, faulty(fault, sound));
      try {
        if (typeof fault.red === 'string') {
          const { code, output } = await scratch.run('tsx', ...checks[fault.red]);
          expect([code, output]).not.toEqual([0, expect.anything()]);
          return;
        }
        const reports = await reportOf(scratch, testsOf(fault));
        const green = testsOf(fault).filter((file) => {
          const report = reports.find(({ name }) => name.endsWith(`/${file}`));
          // A file that does not load finds no fault: one of its tests must fail.
          return !report?.assertionResults.some(({ status }) => status === 'failed');
        });
        expect(green).toEqual([]);
      } finally {
        writeFileSync(path, sound);
      }
    },
  );
});
