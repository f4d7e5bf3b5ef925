import { type Edit, type Project, RecipeError } from './recipe.ts';

const path = 'console/src/words/es.json';

/** The Spanish of a recipe's texts for the console, each at its place in the order. Texts that the catalog has stay. */
export function spanishWords(project: Project, words: Readonly<Record<string, string>>): Edit[] {
  const had = Object.keys(JSON.parse(project.read(path)));
  return Object.entries(words)
    .filter(([key]) => !had.includes(key))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, text]) => {
      const next = had.find((it) => it > key);
      if (next === undefined)
        throw new RecipeError(`${path}: “${key}” comes after all texts; write it there.`);
      const line = `  ${JSON.stringify(key)}: ${JSON.stringify(text)},\n`;
      return { path, place: 'before', anchor: `  ${JSON.stringify(next)}:`, text: line };
    });
}
