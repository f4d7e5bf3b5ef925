import { projectFile, type Rule } from './project-files.ts';

/** Lines such as "src/a.ts:1 what is wrong" for a project of these files. */
export function check(rule: Rule, files: Readonly<Record<string, string>>): string[] {
  const project = Object.entries(files).map(([path, text]) => projectFile(path, text));
  return rule(project).map(({ path, line, message }) => `${path}:${line} ${message}`);
}

/** A declaration of rooms and tables as docs/ARCHITECTURE.md has it; rows as `a > b c`, `table: owner > reader`. */
export function architecture({
  arrows = [],
  offers = [],
  exceptions = [],
}: {
  readonly arrows?: readonly string[];
  readonly offers?: readonly string[];
  readonly exceptions?: readonly string[];
}) {
  const quoted = (names: string) => names.replace(/[\w-]+/g, '`$&`');
  const lines = [
    'The platform: `http`, `kernel`. It knows no business word.',
    'The pure rooms: `pricing`.',
    'No SQL stands in `menus`, `seed`.',
    '',
    '| | May import |',
    '| --- | --- |',
    ...arrows.map((row) => {
      const [rooms, targets] = row.split(' > ') as [string, string];
      return `| ${quoted(rooms)} | ${targets.replace(/[\w-]+/g, (it) => (it === 'everything' ? it : `\`${it}\``)).replace('`platform`', 'the platform')} |`;
    }),
    '',
    '| Tables | Owner | May be read by |',
    '| --- | --- | --- |',
    ...offers.map((row) => {
      const [, tables, owner, readers] = /^(.+): (.+) > (.+)$/.exec(row)!;
      return `| ${quoted(tables!)} | ${quoted(owner!)} | ${quoted(readers!)} |`;
    }),
    '',
    '| Reader | Reads | Of | Why |',
    '| --- | --- | --- | --- |',
    ...exceptions,
    '',
  ];
  return { 'docs/ARCHITECTURE.md': lines.join('\n') };
}
