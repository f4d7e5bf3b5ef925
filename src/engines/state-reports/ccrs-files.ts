import {
  type CcrsFileType,
  type CcrsRow,
  ccrsColumns,
  ccrsDay,
  ccrsFileTypes,
  ccrsKeys,
} from './ccrs-columns.ts';

/** The rows of each file of a week; a file without rows is not sent. */
export type CcrsFiles = Readonly<Record<CcrsFileType, readonly CcrsRow[]>>;

/** What the state knows by now, by the names and identifiers that other files point to. */
export interface CcrsKnown {
  readonly strains: ReadonlySet<string>;
  readonly areas: ReadonlySet<string>;
  readonly products: ReadonlySet<string>;
  readonly inventory: ReadonlySet<string>;
}

/** Why the state would refuse a file. */
export interface CcrsFault {
  readonly file: CcrsFileType;
  /** From 1, without the lines of the head. */
  readonly row: number;
  readonly field: string;
  readonly words: string;
}

interface FileHead {
  readonly submittedBy: string;
  /** An ISO day. */
  readonly submittedOn: string;
}

/**
 * A file as the state takes it: three lines of head, padded to the count of columns, the headings, and a line for each row. Lines end
 * with CR LF. A cell is never taken for a formula's sake: the state reads them as they are.
 */
export function ccrsText(type: CcrsFileType, rows: readonly CcrsRow[], head: FileHead): string {
  const names = ccrsColumns[type].map(({ name }) => name);
  const lines = [
    ['SubmittedBy', head.submittedBy],
    ['SubmittedDate', ccrsDay(head.submittedOn)],
    ['NumberRecords', String(rows.length)],
    names,
    ...rows.map((row) => names.map((name) => row[name] ?? '')),
  ];
  return lines
    .map((cells) => names.map((_, at) => quoted(cells[at] ?? '')).join(','))
    .map((line) => `${line}\r\n`)
    .join('');
}

/** `Sale_412345_20261122091500.csv`, by the clocks of Washington. */
export function ccrsFileName(type: CcrsFileType, licenseNumber: string, wallTime: string): string {
  return `${type}_${licenseNumber}_${momentOf(wallTime)}.csv`;
}

/** A wall time as names of files have it. */
export function momentOf(wallTime: string): string {
  return wallTime.slice(0, 19).replaceAll(/\D/g, '');
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Everything that is known to make the state refuse these files, file by file and row by row. */
export function faultsOf(files: CcrsFiles, known: CcrsKnown, submittedOn: string): CcrsFault[] {
  const named = namesIn(files, known);
  return ccrsFileTypes
    .flatMap((file) => {
      const seen = new Set<string>();
      return files[file].flatMap((row, at) => {
        const faults = ccrsColumns[file].flatMap(({ name, rule }) => {
          const words = rule(row[name] ?? '', row);
          return words === null ? [] : [{ field: name, words }];
        });
        const key = ccrsKeys[file];
        const id = `${row[key]} ${row.Operation ?? ''}`.toLowerCase();
        if (seen.has(id)) faults.push({ field: key, words: 'must not stand in two rows of a file.' });
        seen.add(id);
        faults.push(...pointersOf(file, row, named), ...daysOf(row, submittedOn), ...asciiOf(file, row));
        return faults.map((fault) => ({ file, row: at + 1, ...fault }));
      });
    })
    .concat(ticketFaults(files.Sale));
}

type FieldFault = Pick<CcrsFault, 'field' | 'words'>;

/** What the state will know once these files are in. */
function namesIn(files: CcrsFiles, known: CcrsKnown): CcrsKnown {
  const of = (rows: readonly CcrsRow[], name: string, before: ReadonlySet<string>) =>
    new Set([...before, ...rows.flatMap((row) => row[name] ?? [])]);
  return {
    strains: of(files.Strain, 'Strain', known.strains),
    areas: of(files.Area, 'Area', known.areas),
    products: of(files.Product, 'Name', known.products),
    inventory: of(files.Inventory, 'ExternalIdentifier', known.inventory),
  };
}

/** Fields that name a row of another file. */
const pointers: Partial<
  Record<CcrsFileType, readonly (readonly [field: string, to: keyof CcrsKnown, file: string])[]>
> = {
  Inventory: [
    ['Strain', 'strains', 'Strain'],
    ['Area', 'areas', 'Area'],
    ['Product', 'products', 'Product'],
  ],
  InventoryTransfer: [['ToInventoryExternalIdentifier', 'inventory', 'Inventory']],
  InventoryAdjustment: [['InventoryExternalIdentifier', 'inventory', 'Inventory']],
  Sale: [['InventoryExternalIdentifier', 'inventory', 'Inventory']],
};

function pointersOf(file: CcrsFileType, row: CcrsRow, named: CcrsKnown): FieldFault[] {
  return (pointers[file] ?? []).flatMap(([field, to, other]) =>
    named[to].has(row[field] ?? '')
      ? []
      : [{ field, words: `must be in the file ${other}, or filed before.` }],
  );
}

/** A row is not made after the day of its upload. */
function daysOf({ CreatedDate = '', Operation }: CcrsRow, submittedOn: string): FieldFault[] {
  if (Operation !== undefined && Operation !== 'Insert') return [];
  const [month, date, year] = CreatedDate.split('/');
  if (`${year}-${month}-${date}` <= submittedOn) return [];
  return [{ field: 'CreatedDate', words: 'must not be after the day of the upload.' }];
}

/** What the state does with other characters is not known: none are sent. */
function asciiOf(file: CcrsFileType, row: CcrsRow): FieldFault[] {
  return ccrsColumns[file].flatMap(({ name }) =>
    /^[\x20-\x7e]*$/.test(row[name] ?? '')
      ? []
      : [{ field: name, words: 'must have letters without accents, digits and plain signs only.' }],
  );
}

/** The rows of a ticket share its type and its day. */
function ticketFaults(rows: readonly CcrsRow[]): CcrsFault[] {
  const first = new Map<string, CcrsRow>();
  return rows.flatMap((row, at) => {
    const id = row.SaleExternalIdentifier ?? '';
    const before = first.get(id) ?? row;
    first.set(id, before);
    return (['SaleType', 'SaleDate'] as const).flatMap((field) =>
      before[field] === row[field]
        ? []
        : [{ file: 'Sale' as const, row: at + 1, field, words: 'must be the same in all rows of a ticket.' }],
    );
  });
}
