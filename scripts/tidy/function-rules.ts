import { extname } from 'node:path';
import { type Finding, finding, type ProjectFile, type Rule } from './project-files.ts';

/** Lines of a function. Markup is read as a picture, so a component may be longer. */
const linesMax: Readonly<Record<string, number>> = { '.ts': 80, '.tsx': 100, '.mjs': 80 };

const isMeasured = ({ path, isTest }: ProjectFile): boolean =>
  /^(src|cli|seed|sdk|scripts|bench|console)\//.test(path) &&
  Object.hasOwn(linesMax, extname(path)) &&
  !isTest;

/** The first line of a function, by the indentation that the formatter gives it; the name is in a group. */
const beginnings: readonly RegExp[] = [
  /^(\s*)(?:export )?(?:default )?(?:async )?function\*? ?(\w*)/,
  /^(\s+)(?:(?:public|private|static|async|get|set|override) )*(#?\w+)(?:<.*>)?\(.*[({]$/,
  /^(\s*)(?:export )?const (\w+) = (?:async )?\(.*(?:\(|=> \{)$/,
  /^(\s*)(\w+): (?:async )?\(.*=> \{$/,
];
const statements = /^\s*(?:if|for|while|switch|catch|return|await|super|new|expect|test|describe)\b/;

/** A list of operations is as long as it has operations: each declaration counts as one line. */
const declaration = /^(\s*)(?:return )?(?:endpoint|staffEndpoint|signInEndpoint|orderAction)(?:<.*>)?\(\{$/;

/** Functions are short enough to be read at once. Relies on the formatter: a block ends at its own indentation. */
export const functionsAreShort: Rule = (files) =>
  files.filter(isMeasured).flatMap((file) => {
    const lines = file.text.split('\n');
    const max = linesMax[extname(file.path)]!;
    let position = 0;
    return lines.flatMap((line, at): Finding[] => {
      const start = position;
      position += line.length + 1;
      const name = nameOfFunction(line);
      if (name === undefined) return [];
      const count = linesOf(lines, at);
      const message = `${name || 'The function'} has ${count} lines, over ${max}: take a part out by its task.`;
      return count > max ? [finding(file, start, message)] : [];
    });
  });

function nameOfFunction(line: string): string | undefined {
  if (statements.test(line)) return undefined;
  for (const beginning of beginnings) {
    const match = beginning.exec(line);
    if (match) return match[2];
  }
  return undefined;
}

function linesOf(lines: readonly string[], start: number): number {
  const end = endOf(lines, start);
  let count = 0;
  for (let at = start; at <= end; at++) {
    count += 1;
    if (at > start && declaration.test(lines[at]!)) at = endOf(lines, at);
  }
  return count;
}

/** The line that closes the block: the next `}` at its indentation that does not open another block. */
function endOf(lines: readonly string[], start: number): number {
  const indent = /^\s*/.exec(lines[start]!)![0];
  for (let at = start + 1; at < lines.length; at++) {
    const line = lines[at]!;
    if (line.startsWith(`${indent}}`) && !/[({[]$/.test(line)) return at;
    // A call or a list that ends here had no block of its own.
    if (line.startsWith(`${indent})`) && !line.endsWith('{')) return at;
  }
  return start;
}
