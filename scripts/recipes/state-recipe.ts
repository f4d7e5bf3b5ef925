import { usStates } from '../../src/engines/jurisdictions/us-states.ts';
import { type Edit, newestChanges, type Project, type Recipe, RecipeError } from './recipe.ts';

const registry = 'src/engines/jurisdictions/jurisdictions.ts';
const readings = 'src/engines/jurisdictions/second-readings.test-support.ts';
const duties = 'src/engines/jurisdictions/second-duties.test-support.ts';

/** A state without a single fact: its file says that nothing was looked up, and owners get a warning. */
export const stateRecipe: Recipe = {
  id: 'state',
  title: 'a state, with everything marked as not looked up',
  example: 'wyoming-wy',
  plan: ({ kebab }, project) => {
    const { letters, name, value } = stateOf(kebab);
    const file = `src/engines/jurisdictions/us-${letters.toLowerCase()}.ts`;
    const ownLine = `  ${letters}: ${value},\n`;
    return {
      files: [{ path: file, text: emptyState(letters, name, value) }],
      edits: [
        {
          path: registry,
          place: 'before',
          anchor: "import { alaska } from './us-ak.ts';\n",
          text: `import { ${value} } from './us-${letters.toLowerCase()}.ts';\n`,
        },
        inStateFiles(project, ownLine, name),
        {
          path: readings,
          place: 'before',
          anchor: '  AK: {\n',
          text: `  ${letters}: { limits: [], equivalences: [], taxes: [], ages: '– –' },\n`,
        },
        { path: duties, place: 'before', anchor: '  AK: [\n', text: `  ${letters}: [],\n` },
        nextEdition(project),
        {
          path: 'CHANGELOG.md',
          place: 'after',
          anchor: newestChanges,
          text: `- ${name} is named among the states; its law is not looked up yet.\n`,
        },
      ],
      next: [
        `Read the sources. Write the facts to ${file}, each with its source; us-nj.ts shows the fields. What was not found stays a gap.`,
        `Type the facts a second time in ${readings} and ${duties}, from the sources and not from the file.`,
        'Write the cases of its limits in limit-cases-east.test-support.ts or limit-cases-west.test-support.ts.',
        'Give src/engines/jurisdictions/shipped-edition.ts the day on which you read the sources.',
      ],
      proof: {
        tests: [
          'src/engines/jurisdictions/second-reading.test.ts',
          'src/engines/jurisdictions/jurisdictions.test.ts',
          'src/engines/jurisdictions/jurisdictions-page.test.ts',
          'src/engines/jurisdictions/jurisdiction-warnings.test.ts',
          'src/engines/jurisdictions/limit-cases.test.ts',
          'src/engines/jurisdictions/tax-presets.test.ts',
        ],
        bugs: [
          {
            title: 'the taxes of another state are copied',
            path: file,
            from: "import type { Jurisdiction } from './jurisdiction.ts';\n",
            to: "import type { Jurisdiction } from './jurisdiction.ts';\nimport { arizona } from './us-az.ts';\n",
            also: { from: 'taxes: [],', to: 'taxes: arizona.taxes,' },
            red: 'src/engines/jurisdictions/second-reading.test.ts',
          },
          {
            title: 'the state has no second reading',
            path: readings,
            from: `  ${letters}: { limits: [], equivalences: [], taxes: [], ages: '– –' },\n`,
            to: '',
            red: 'types',
          },
        ],
      },
    };
  },
};

/** The state's file without facts. */
function emptyState(letters: string, name: string, value: string): string {
  return `import { notLookedUp } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';

export const ${value}: Jurisdiction = {
  state: '${letters}',
  name: '${name}',
  minimumAges: [],
  purchaseLimits: [],
  taxes: [],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  gaps: [notLookedUp('Ages, purchase limits, taxes and rules of promotions.')],
};
`;
}

/** `new-jersey-nj`: the name, then the letters. */
function stateOf(kebab: string) {
  const [, slug, letters] = /^([a-z-]+)-([a-z]{2})$/.exec(kebab) ?? [];
  const known = usStates.find((state) => state === letters?.toUpperCase());
  if (slug === undefined || known === undefined) {
    throw new RecipeError('Give the name of the state and its two letters, such as wyoming-wy.');
  }
  const words = slug.split('-').map((word) => word[0]!.toUpperCase() + word.slice(1));
  const joined = words.join('');
  return { letters: known, name: words.join(' '), value: joined[0]!.toLowerCase() + joined.slice(1) };
}

/** The line among the registered states, which stand by name. */
function inStateFiles({ read }: Project, text: string, name: string): Edit {
  const [, list = ''] = /const stateFiles = \{\n(.*?)\} as const/s.exec(read(registry)) ?? [];
  const inWords = (value: string) => value.replace(/[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
  const later = list.split('\n').find((line) => {
    const [, value] = /^ {2}[A-Z]{2}: (\w+),$/.exec(line) ?? [];
    return value !== undefined && inWords(value) > name.toLowerCase();
  });
  return later === undefined
    ? {
        path: registry,
        place: 'before',
        anchor: '} as const satisfies Partial<Record<UsState, Jurisdiction>>',
        text,
      }
    : { path: registry, place: 'before', anchor: `${later}\n`, text };
}

/** The number after the day of the shipped edition goes up. */
function nextEdition({ read }: Project): Edit {
  const path = 'src/engines/jurisdictions/shipped-edition.ts';
  const [anchor = "edition: '", day, number] = /edition: '(\d{4}-\d\d-\d\d)\.(\d+)'/.exec(read(path)) ?? [];
  return { path, place: 'instead of', anchor, text: `edition: '${day}.${Number(number) + 1}'` };
}
