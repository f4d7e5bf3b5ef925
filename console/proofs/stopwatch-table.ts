import { existsSync, readFileSync } from 'node:fs';

/* Prints what `npm run stopwatch` measured as a table of Markdown: `tsx stopwatch-table.ts <file>`. */

interface Measured {
  readonly name: string;
  readonly actions: number;
  readonly actionsMax: number;
  readonly ms: number;
  readonly msMax: number;
  readonly pace: number;
}

const file = process.argv[2] ?? '';
const rows = existsSync(file)
  ? readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Measured)
  : [];
console.log('| Job | Acts | at most | ms | at most | Pace |\n|---|---:|---:|---:|---:|---:|');
for (const { name, actions, actionsMax, ms, msMax, pace } of rows) {
  console.log(`| ${name} | ${actions} | ${actionsMax} | ${ms} | ${msMax} | ${pace.toFixed(2)} |`);
}
