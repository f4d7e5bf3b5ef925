import { newestChanges, type Recipe } from './recipe.ts';

/** A whole number from the environment, with its row in the README and its own test. */
export const variableRecipe: Recipe = {
  id: 'variable',
  title: 'a variable of the environment, with its row in the README',
  example: 'till-limit',
  plan: ({ kebab, camel, snake, words, title }) => {
    const variable = snake.toUpperCase();
    const ownTest = `src/hosting/startup/${kebab}-setting.test.ts`;
    return {
      files: [
        {
          path: ownTest,
          text: `import { expect, test } from 'vitest';
import { loadConfig } from './config.ts';

const load = (value: string) => loadConfig({ ${variable}: value }, '/nowhere').${camel};

test('${variable} is 10 unless it is set, and refuses what is out of its bounds', () => {
  expect(loadConfig({}, '/nowhere').${camel}).toBe(10);
  expect([load(''), load('0'), load('1000')]).toEqual([10, 0, 1_000]);
  for (const wrong of ['-1', '1001', '1.5', 'many']) expect(() => load(wrong)).toThrow('${variable}');
});
`,
        },
      ],
      edits: [
        {
          path: 'src/hosting/startup/config.ts',
          place: 'before',
          anchor: '  /** For running requests, after the ports are closed. */\n',
          text: `  /** The ${words}. */\n  readonly ${camel}: number;\n`,
        },
        {
          path: 'src/hosting/startup/config.ts',
          place: 'before',
          anchor: "    shutdownTimeoutMs: read.wholeNumber('SHUTDOWN_TIMEOUT_SECONDS'",
          text: `    ${camel}: read.wholeNumber('${variable}', 10, 1_000),\n`,
        },
        {
          path: 'src/hosting/startup/config.test.ts',
          place: 'before',
          anchor: '    shutdownTimeoutMs: 25_000,\n',
          text: `    ${camel}: 10,\n`,
        },
        {
          path: 'README.md',
          place: 'before',
          anchor: '| `SHUTDOWN_TIMEOUT_SECONDS` |',
          text: `| \`${variable}\` | \`10\` | the ${words}, 0 to 1000 |\n`,
        },
        {
          path: 'CHANGELOG.md',
          place: 'after',
          anchor: newestChanges,
          text: `- ${title}: the environment variable \`${variable}\`.\n`,
        },
      ],
      next: [
        `Choose type, default and bounds in src/hosting/startup/config.ts, and say them in README.md and ${ownTest}.`,
        `Hand \`config.${camel}\` to what needs it, from src/main.ts. Nothing else reads the environment.`,
      ],
      proof: {
        tests: [ownTest, 'src/hosting/startup/config.test.ts', 'test/readme.test.ts'],
        bugs: [
          {
            title: 'the bound is too high',
            path: 'src/hosting/startup/config.ts',
            from: `'${variable}', 10, 1_000)`,
            to: `'${variable}', 10, 10_000)`,
            red: ownTest,
          },
          {
            title: 'the README does not name the variable',
            path: 'README.md',
            from: `| \`${variable}\` |`,
            to: `| \`${variable}S\` |`,
            red: 'test/readme.test.ts',
          },
        ],
      },
    };
  },
};
