import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isLongSuite } from '../../test/harness/long-suite.ts';
import { allRecipes } from './all-recipes.ts';
import { type PlantedBug, plantBug, projectIn } from './recipe.ts';
import { copyProject, followIn, type Outcome, type ScratchProject } from './scratch-project.test-support.ts';

/*
 * Every recipe of docs/RECIPES.md in a copy of the project: the house rules and the format hold. In the long suite
 * every other check passes too, and one of them fails for each planted bug.
 */

const minutes = 60_000;
const green = (name: string) => ({ name, code: 0 });
const outcomeOf = (name: string, { code, output }: Outcome) => ({
  name,
  code,
  ...(code === 0 ? {} : { output: output.slice(-6_000) }),
});

const tidy = (scratch: ScratchProject) => scratch.run('tsx', 'scripts/tidy.ts');

async function check(scratch: ScratchProject, red: PlantedBug['red']): Promise<Outcome> {
  if (red === 'tidy') return tidy(scratch);
  if (red === 'types') return scratch.run('tsc', '--noEmit');
  if (red === 'types of the console') return scratch.run('tsc', '--noEmit', '-p', 'console');
  return scratch.run('vitest', 'run', red);
}

test('all recipes together keep the house rules and the format', { timeout: 3 * minutes }, async () => {
  const scratch = copyProject();
  try {
    const followed = new Set<string>();
    for (const recipe of allRecipes) await followIn(scratch, recipe, followed);
    expect(outcomeOf('tidy', await tidy(scratch))).toEqual(green('tidy'));
    expect(outcomeOf('biome', await scratch.run('biome', 'check'))).toEqual(green('biome'));
  } finally {
    scratch.remove();
  }
});

if (isLongSuite) {
  describe.each(allRecipes.map((recipe) => [recipe.id, recipe] as const))('the recipe %s', (_, recipe) => {
    test('passes all checks, and a planted bug fails', { timeout: 30 * minutes }, async () => {
      const scratch = copyProject();
      try {
        const { proof } = await followIn(scratch, recipe);
        for (const [name, run] of [
          ['generate', () => scratch.run('tsx', 'scripts/generate.ts')],
          ['SDK types', () => scratch.writeSdkTypes()],
          ['tidy', () => tidy(scratch)],
          ['types', () => scratch.run('tsc', '--noEmit')],
          ['types of the console', () => scratch.run('tsc', '--noEmit', '-p', 'console')],
          ['biome', () => scratch.run('biome', 'check')],
          ['generated files', () => scratch.run('tsx', 'scripts/generate.ts', '--check')],
          ['tests', () => scratch.run('vitest', 'run', ...proof.tests)],
        ] as const) {
          expect(outcomeOf(name, await run())).toEqual(green(name));
        }
        for (const bug of proof.bugs) {
          const sound = projectIn(scratch.root).read(bug.path);
          plantBug(projectIn(scratch.root), bug);
          const { code, output } = await check(scratch, bug.red);
          expect([bug.title, code === 0 ? output.slice(-2_000) : 'red']).toEqual([bug.title, 'red']);
          writeFileSync(join(scratch.root, bug.path), sound);
        }
      } finally {
        scratch.remove();
      }
    });
  });
}
