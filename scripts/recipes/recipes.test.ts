import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectFolder } from '../../src/kernel/project-folder.ts';
import { isLongSuite } from '../../test/harness/long-suite.ts';
import { allRecipes, planOf } from './all-recipes.ts';
import { type PlantedBug, type Proof, plantBug, projectIn } from './recipe.ts';
import { copyProject, followIn, type Outcome, type ScratchProject } from './scratch-project.test-support.ts';

/*
 * Every recipe of docs/RECIPES.md, one after the other in one copy of the project: the house rules and the format hold.
 * In the long suite every other check passes too, and one of them fails for each planted bug.
 */

const minute = 60_000;
let scratch: ScratchProject;
/** The code that the recipes wrote: the rest of the project is as `npm run check` knows it. */
const written = new Set<string>();
beforeAll(async () => {
  scratch = copyProject();
  for (const recipe of allRecipes) for (const path of followIn(scratch, recipe)) written.add(path);
  await scratch.run('biome', 'check', '--write', ...written);
}, 5 * minute);
afterAll(() => scratch.remove());

async function expectGreen(name: string, run: Promise<Outcome>): Promise<void> {
  const { code, output } = await run;
  expect([name, code, code === 0 ? '' : output.slice(-6_000)]).toEqual([name, 0, '']);
}

test('the recipes keep the house rules and the format', { timeout: 5 * minute }, async () => {
  await expectGreen('house rules', scratch.run('tsx', 'scripts/tidy.ts'));
  await expectGreen('format', scratch.run('biome', 'check', ...written));
});

if (isLongSuite) {
  test('the recipes pass the other checks', { timeout: 20 * minute }, async () => {
    await expectGreen('generate', scratch.run('tsx', 'scripts/generate.ts'));
    await expectGreen('types of the SDK', scratch.writeSdkTypes());
    await expectGreen('house rules', scratch.run('tsx', 'scripts/tidy.ts'));
    await expectGreen('types', check('types', {}));
    await expectGreen('types of the console', check('types of the console', {}));
    await expectGreen('generated files', scratch.run('tsx', 'scripts/generate.ts', '--check'));
  });

  describe.each(allRecipes.map((recipe) => [recipe.id, recipe] as const))('the recipe %s', (_, recipe) => {
    // The plan is the same without the files of other recipes, apart from numbers of migrations and editions.
    const { proof } = planOf(recipe, recipe.example, projectIn(projectFolder()));

    test('passes its tests', { timeout: 20 * minute }, () =>
      expectGreen('tests', runTests(proof.tests, proof)),
    );

    test.each(proof.bugs.map((bug) => [bug.title, bug] as const))(
      'has a check that fails when %s',
      { timeout: 10 * minute },
      async (_title, bug) => {
        const project = projectIn(scratch.root);
        const sound = project.read(bug.path);
        plantBug(project, bug);
        const { code, output } = await check(bug.red, proof);
        writeFileSync(join(scratch.root, bug.path), sound);
        expect(code === 0 ? output.slice(-2_000) : 'red').toBe('red');
      },
    );
  });
}

function runTests(files: readonly string[], { only }: Pick<Proof, 'only'>): Promise<Outcome> {
  return scratch.run('vitest', 'run', ...files, ...(only === undefined ? [] : ['-t', only]));
}

/** Runs one check by its name, or a file of tests. */
function check(name: PlantedBug['red'], proof: Pick<Proof, 'only'>): Promise<Outcome> {
  if (name === 'tidy') return scratch.run('tsx', 'scripts/tidy.ts');
  if (name === 'types') return scratch.run('tsc', '--noEmit');
  if (name === 'types of the console') return scratch.run('tsc', '--noEmit', '-p', 'console');
  return runTests([name], proof);
}
