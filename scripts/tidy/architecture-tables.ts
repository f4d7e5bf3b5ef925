import type { ProjectFile } from './project-files.ts';

/** Where the rooms of the program, their arrows and the tables that others may read are declared. */
export const architecturePath = 'docs/ARCHITECTURE.md';

/** A slice reads a table of another one. */
interface DeclaredReading {
  readonly table: string;
  readonly owner: string;
  readonly reader: string;
  readonly line: number;
  /** Why it may go against the arrows; undefined for an offer to a slice above. */
  readonly reason: string | undefined;
}

/** What docs/ARCHITECTURE.md declares. */
export interface Architecture {
  /** By room, what it may import; `everything` for the programs on top. */
  readonly mayImport: ReadonlyMap<string, readonly string[] | 'everything'>;
  /** Lines of the rooms in the document. */
  readonly lines: ReadonlyMap<string, number>;
  /** Pure rooms: they take values and import no package. */
  readonly pure: readonly string[];
  readonly readings: readonly DeclaredReading[];
  /** The declared owner of each table that is offered, or read against the arrows. */
  readonly owners: ReadonlyMap<string, { readonly owner: string; readonly line: number }>;
  /** Rooms where no SQL stands. */
  readonly withoutSql: readonly string[];
  /** The layers below src/, from the bottom up. */
  readonly layers: readonly string[];
}

interface Row {
  readonly cells: readonly string[];
  readonly line: number;
}

/** The names in backticks. */
const namesIn = (text: string): string[] => [...text.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!);

/** The rows of the table with these headings. */
function rowsUnder(lines: readonly string[], ...headings: readonly string[]): Row[] {
  const cellsOf = (line: string) =>
    line
      .slice(1, line.lastIndexOf('|'))
      .split('|')
      .map((cell) => cell.trim());
  const head = lines.findIndex((line) => line.startsWith('|') && cellsOf(line).join() === headings.join());
  if (head < 0) return [];
  const end = lines.findIndex((line, at) => at > head && !line.startsWith('|'));
  return lines
    .slice(head + 2, end < 0 ? undefined : end)
    .map((line, at) => ({ cells: cellsOf(line), line: head + 3 + at }));
}

/** Reads the tables of the document; of a project without it, empty ones. */
export function readArchitecture(files: readonly ProjectFile[]): Architecture {
  const text = files.find(({ path }) => path === architecturePath)?.text ?? '';
  const lines = text.split('\n');
  /** The rooms of a sentence such as "The platform: `http`, `events`." at the margin. */
  const listed = (beginning: string) =>
    namesIn(new RegExp(`^${beginning}([^.]*)\\.`, 'm').exec(text)?.[1] ?? '');
  const platform = listed('The platform:');
  const pure = listed('The pure rooms:');
  const access = listed('The rooms of access:');

  const mayImport = new Map<string, readonly string[] | 'everything'>();
  const roomLines = new Map<string, number>();
  for (const { cells, line } of rowsUnder(lines, '', 'May import')) {
    const text = cells[1]!;
    const targets = /^(everything|all slices)\b/.test(text)
      ? ('everything' as const)
      : [
          ...namesIn(text),
          ...(text.includes('the platform') ? platform : []),
          ...(text.includes('the pure rooms') ? pure : []),
          ...(text.includes('the rooms of access') ? access : []),
        ];
    for (const room of namesIn(cells[0]!)) {
      mayImport.set(room, targets);
      roomLines.set(room, line);
    }
  }

  const readings: DeclaredReading[] = [];
  const owners = new Map<string, { owner: string; line: number }>();
  const offers = rowsUnder(lines, 'Tables', 'Owner', 'May be read by').map((row) => ({
    ...row,
    reason: undefined,
  }));
  const exceptions = rowsUnder(lines, 'Reader', 'Reads', 'Of', 'Why').map(({ cells, line }) => ({
    cells: [cells[1]!, cells[2]!, cells[0]!],
    line,
    reason: cells[3]!,
  }));
  for (const { cells, line, reason } of [...offers, ...exceptions]) {
    const [owner = ''] = namesIn(cells[1]!);
    for (const table of namesIn(cells[0]!)) {
      if (!owners.has(table)) owners.set(table, { owner, line });
      for (const reader of namesIn(cells[2]!)) readings.push({ table, owner, reader, line, reason });
    }
  }
  return {
    mayImport,
    lines: roomLines,
    pure,
    readings,
    owners,
    withoutSql: listed('No SQL stands in'),
    layers: listed('The layers, from the bottom up:'),
  };
}

/** The layer of a file: the folder or file below src/; undefined outside of src/. */
export function layerOf(path: string): string | undefined {
  const [top, below] = path.split('/');
  return top === 'src' ? below!.replace(/\.ts$/, '') : undefined;
}

/** The room of a file: the folder in its layer, or the layer itself if it has no folders; or else the folder of the project. */
export function roomOf(path: string): string {
  const [top, layer, room, ...rest] = path.split('/');
  if (top !== 'src') return top!;
  return rest.length > 0 ? room! : layer!.replace(/\.ts$/, '');
}
