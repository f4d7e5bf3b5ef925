import { quotedText } from '../../kernel/quoted-text.ts';
import { nearestName } from '../../platform/http/expectation-words.ts';
import {
  type CellKind,
  CellProblem,
  type Conversion,
  cellValue,
  conversions,
  isOfEitherCountry,
  withPoints,
} from './cell-values.ts';
import type { FileRecord } from './file-record.ts';
import type { ImportField, ImportFields } from './import-kind.ts';
import { type PresetName, presetNames } from './preset-names.ts';
import { plainHeading } from './table-heading.ts';
import { isNothing, noPrice, type Tidied, tidied } from './tidy-values.ts';
import { UnreadableFile } from './unreadable-file.ts';

/** The rule for one column of a file. */
export interface ColumnRule {
  readonly field: string;
  readonly convert?: Conversion;
  /** Maps words of the file, case-insensitive, to values. */
  readonly values?: Readonly<Record<string, string>>;
  /** The value for words that are not in `values`. */
  readonly otherwise?: string;
  /** Words that are not in `values` stay as they are. */
  readonly keepOthers?: true;
  /** The value for a blank cell; it is neither looked up nor converted. */
  readonly blank?: string;
  /** Separates the entries of a list. */
  readonly separator?: string;
}

/** Which rows are left out. A file without the column leaves none out. */
export interface LeaveOut {
  readonly column: string;
  /** Those with one of these words, case-insensitive; '' is a blank cell. */
  readonly when?: readonly string[];
  /** Those with another word than these. */
  readonly unless?: readonly string[];
}

/** Maps the columns of another system's export to fields (docs/BULK.md). */
export interface ColumnMapping {
  /** The shape whose records become rows first; null: they are rows. */
  readonly preset: PresetName | null;
  readonly columns: readonly { readonly column: string; readonly rules: readonly ColumnRule[] }[];
  /** Rows that are no items, by their word in a column: a row of totals, a ticket that is no sale. */
  readonly leaveOut: readonly LeaveOut[];
  /** Fields with the same value for every row, not filled by a column. */
  readonly constants: readonly (readonly [field: string, text: string])[];
}

/** A wrong cell or row. */
export interface RowProblem {
  readonly line: number;
  /** The column's name in the file; null: the whole row. */
  readonly column: string | null;
  readonly message: string;
}

/** The fields of a row and their columns. */
export interface MappedRow {
  readonly line: number;
  readonly values: Readonly<Record<string, unknown>>;
  readonly columnOf: Readonly<Record<string, string>>;
  /** The texts of the cells, by field; those of personal fields are not repeated in messages. */
  readonly textOf: Readonly<Record<string, string>>;
  readonly problems: readonly RowProblem[];
  /** What was read in another way than it is written. */
  readonly notes: readonly RowProblem[];
  /** Whether the row is an option that is sold (D83). */
  readonly isSold: boolean;
}

/** Reads a mapping, as its file has it. Fails with an UnreadableFile that names the location. */
export function readMapping(sent: unknown, fields: ImportFields): ColumnMapping {
  const { preset = null, columns, constants = {}, leaveOut = [], ...others } = asRecord(sent, 'the mapping');
  if (Object.keys(others).length > 0)
    refuse(`${Object.keys(others)[0]} must be one of preset, columns, constants, leaveOut`);
  if (preset !== null && !isPresetName(preset)) refuse(`preset must be one of ${presetNames.join(', ')}`);
  return {
    preset,
    columns: Object.entries(asRecord(columns, 'columns')).map(([column, sentRules]) => ({
      column,
      rules: [sentRules].flat().map((rule) => readRule(rule, `columns.${column}`, fields)),
    })),
    constants: Object.entries(asRecord(constants, 'constants')).map(([field, text]) => {
      const path = `constants.${field}`;
      const name = knownField(field, 'constants', fields);
      return [name, asCell(asText(text, path), path, name, fields)];
    }),
    leaveOut: readLeaveOut(leaveOut),
  };
}

function readLeaveOut(sent: unknown): LeaveOut[] {
  if (!Array.isArray(sent)) refuse('leaveOut must be a list');
  return sent.map((entry: unknown, at) => {
    const path = `leaveOut[${at}]`;
    const { column, when, unless, ...others } = asRecord(entry, path);
    if (Object.keys(others).length > 0)
      refuse(`${path}.${Object.keys(others)[0]} must be one of column, when, unless`);
    if ((when === undefined) === (unless === undefined)) refuse(`${path} must have either when or unless`);
    const words = when ?? unless;
    if (!Array.isArray(words) || !words.every((word) => typeof word === 'string'))
      refuse(`${path}.${when === undefined ? 'unless' : 'when'} must be a list of texts`);
    const plain = words.map((word: string) => word.trim().toLowerCase());
    return {
      column: asText(column, `${path}.column`),
      ...(when === undefined ? { unless: plain } : { when: plain }),
    };
  });
}

/** Why a row is no item, by the mapping; null: it is one. */
export function leftOutBy(
  mapping: ColumnMapping | null,
  cells: NonNullable<FileRecord['values']>,
): string | null {
  for (const { column, when, unless } of mapping?.leaveOut ?? []) {
    const name = Object.keys(cells).find((other) => isSameHeading(other, column));
    if (name === undefined) continue;
    const text = cellText(cells[name]);
    const word = text.toLowerCase();
    if (!(when?.includes(word) ?? !unless!.includes(word))) continue;
    return text === ''
      ? `has no ${name}, and was left out`
      : `has ${quotedText(text)} as ${name}, and was left out`;
  }
  return null;
}

/** Whether a text names a preset. */
export function isPresetName(name: unknown): name is PresetName {
  return presetNames.some((known) => known === name);
}

function readRule(sent: unknown, path: string, fields: ImportFields): ColumnRule {
  if (typeof sent === 'string') return { field: knownField(sent, path, fields) };
  const { field, convert, values, otherwise, keepOthers, blank, separator, ...others } = asRecord(sent, path);
  if (Object.keys(others).length > 0) {
    refuse(
      `${path}.${Object.keys(others)[0]} must be one of field, convert, values, otherwise, keepOthers, blank, separator`,
    );
  }
  const isConversion = (name: unknown): name is Conversion =>
    typeof name === 'string' && Object.hasOwn(conversions, name);
  if (convert !== undefined && !isConversion(convert)) {
    return refuse(`${path}.convert must be one of ${Object.keys(conversions).join(', ')}`);
  }
  const name = knownField(asText(field, `${path}.field`), path, fields);
  return {
    field: name,
    ...(convert !== undefined && { convert }),
    ...(values !== undefined && {
      values: Object.fromEntries(
        Object.entries(asRecord(values, `${path}.values`)).map(([word, text]) => [
          word.trim().toLowerCase(),
          asText(text, `${path}.values.${word}`),
        ]),
      ),
    }),
    ...(otherwise !== undefined && { otherwise: asText(otherwise, `${path}.otherwise`) }),
    ...(keepOthers === true && { keepOthers }),
    ...(blank !== undefined && {
      blank: asCell(asText(blank, `${path}.blank`), `${path}.blank`, name, fields),
    }),
    ...(separator !== undefined && { separator: asText(separator, `${path}.separator`) }),
  };
}

function refuse(message: string): never {
  throw new UnreadableFile(`The mapping: ${message}`);
}

function asRecord(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    refuse(`${path} must be an object`);
  return value as Readonly<Record<string, unknown>>;
}

function asText(value: unknown, path: string): string {
  return typeof value === 'string' && value !== '' ? value : refuse(`${path} must be text`);
}

/** The text if it is valid for the field; no row is at fault for it. */
function asCell(text: string, path: string, field: string, fields: ImportFields): string {
  if (tidied(text, fields[field]!).kind === 'not-sold') refuse(`${path} ${noPrice}`);
  try {
    cellValue(text, fields[field]!.kind);
  } catch (problem) {
    if (problem instanceof CellProblem) refuse(`${path} must be ${problem.message}`);
    throw problem;
  }
  return text;
}

function knownField(name: string, path: string, fields: ImportFields): string {
  if (Object.hasOwn(fields, name)) return name;
  const nearest = nearestName(name, Object.keys(fields));
  return refuse(
    `${path}: ${name} is not a field${nearest ? `; the nearest is ${nearest}` : ''}. Fields: ${Object.keys(fields).join(', ')}`,
  );
}

/**
 * The field that a column of our own format fills, whatever its case and punctuation; null: it is left out, because its heading
 * is there twice. Undefined: it is no field.
 */
export function ownField(
  column: string,
  columns: readonly string[],
  fields: ImportFields,
): string | null | undefined {
  const plain = plainHeading(column);
  const field = Object.keys(fields).find((name) => plainHeading(name) === plain);
  if (field !== undefined) return field;
  const [, first] = /^(.*) \(\d+\)$/s.exec(column) ?? [];
  return first !== undefined && columns.includes(first) ? null : undefined;
}

/** The mapping of a file with our own field names: every column must be a field. Fails with an UnreadableFile. */
function ownNames(columns: readonly string[], fields: ImportFields): ColumnMapping {
  return {
    preset: null,
    constants: [],
    leaveOut: [],
    columns: columns.flatMap((column) => {
      const field = ownField(column, columns, fields);
      if (field === null) return [];
      if (field !== undefined) return [{ column, rules: [{ field }] }];
      const nearest = nearestName(column, Object.keys(fields));
      throw new UnreadableFile(
        `The column ${column} is not a field${nearest ? `; the nearest is ${nearest}` : ''}. Fields: ` +
          `${Object.keys(fields).join(', ')}. Other names need a mapping.`,
      );
    }),
  };
}

const numberKinds: ReadonlySet<CellKind> = new Set(['cents', 'signed-cents', 'number', 'measure', 'potency']);
const bothCountries =
  'a number that can be read in one way only (other rows of this column have decimal commas; write 1250 or 1250,00)';

interface BoundColumn {
  /** The name as in the file. */
  readonly name: string;
  readonly rules: readonly ColumnRule[];
}

/** Reads the rows of one file. */
export class ColumnReader {
  readonly #mapping: ColumnMapping | null;
  readonly #fields: ImportFields;
  /** Whether products list all sizes that there could be, with nothing in the place of a price. */
  readonly #listsPrices: boolean;
  /** The columns in which a number has a decimal comma, and those of which it was told. */
  readonly #withCommas: Set<string>;
  readonly #toldOf = new Set<string>();
  #bound: readonly BoundColumn[] = [];
  #boundNames: string | null = null;

  /** @param withCommas the columns in which another reading of the file has found decimal commas. */
  constructor(mapping: ColumnMapping | null, fields: ImportFields, withCommas: Iterable<string> = []) {
    this.#withCommas = new Set(withCommas);
    this.#mapping = mapping;
    this.#fields = fields;
    this.#listsPrices = mapping !== null && mapping.preset !== null && mapping.preset !== 'flat-variants';
  }

  /** The columns in which a number had a decimal comma so far. */
  get withCommas(): ReadonlySet<string> {
    return this.#withCommas;
  }

  read(line: number, cells: NonNullable<FileRecord['values']>): MappedRow {
    const values: Record<string, unknown> = {};
    const columnOf: Record<string, string> = {};
    const textOf: Record<string, string> = {};
    const problems: RowProblem[] = [];
    const notes: RowProblem[] = [];
    let isSold = true;
    for (const [field, text] of this.#mapping?.constants ?? []) {
      values[field] = cellValue(text, this.#fields[field]!.kind);
    }
    let columns: readonly BoundColumn[];
    try {
      columns = this.#columnsOf(cells);
    } catch (problem) {
      // The first row has the names of the file; an object further on can have others.
      if (!(problem instanceof UnreadableFile) || this.#boundNames === null) throw problem;
      const message = problem.message.replace(/^The column (.*?) is/s, 'has the name $1, which is');
      return { line, values, columnOf, textOf, notes, isSold, problems: [{ line, column: null, message }] };
    }
    for (const { name, rules } of columns) {
      const text = cellText(cells[name]);
      for (const rule of rules) {
        const field = this.#fields[rule.field]!;
        columnOf[rule.field] ??= name;
        try {
          const read = this.#said(text, rule, field);
          if (read.kind === 'not-sold') {
            isSold = false;
          } else if (read.kind === 'none') {
            if (read.note !== undefined) notes.push({ line, column: name, message: read.note });
            if (rule.blank !== undefined)
              values[rule.field] = cellValue(rule.blank, field.kind, rule.separator);
            continue;
          } else {
            const number = this.#pointed(read.text, name, field.kind);
            if (number.note !== undefined) notes.push({ line, column: name, message: number.note });
            values[rule.field] = convertedValue(number.text, rule, field.kind);
          }
          columnOf[rule.field] = name;
          if (!field.isPersonal) textOf[rule.field] = text;
        } catch (problem) {
          if (!(problem instanceof CellProblem)) throw problem;
          const seen = field.isPersonal ? '' : `, not ${quotedText(text)}`;
          problems.push({ line, column: name, message: `must be ${problem.message}${seen}` });
        }
      }
    }
    return { line, values, columnOf, textOf, problems, notes, isSold };
  }

  /** A number as it is written elsewhere; told once for a column. In the others, a comma or point may then be either. */
  #pointed(text: string, column: string, kind: CellKind): { readonly text: string; readonly note?: string } {
    if (!numberKinds.has(kind)) return { text };
    const pointed = withPoints(text);
    if (this.#withCommas.has(column) && isOfEitherCountry(pointed)) throw new CellProblem(bothCountries);
    if (pointed === text) return { text };
    this.#withCommas.add(column);
    if (this.#toldOf.has(column)) return { text: pointed };
    this.#toldOf.add(column);
    return { text: pointed, note: `has decimal commas: ${quotedText(text)} is read as ${pointed}` };
  }

  #said(text: string, rule: ColumnRule, field: ImportField): Tidied {
    const listsPrice = this.#listsPrices && field.zero !== undefined;
    // A mapping may have a value for such a word.
    const isNone =
      (listsPrice || field.mayBeNothing === true) &&
      rule.values?.[text.toLowerCase()] === undefined &&
      isNothing(text);
    if (text !== '' && !isNone) return tidied(wordOf(text, rule), field);
    return { kind: this.#listsPrices && field.zero === 'not-sold' ? 'not-sold' : 'none' };
  }

  /** Bound again when the names change: objects of a JSON list can have different names. */
  #columnsOf(cells: NonNullable<FileRecord['values']>): readonly BoundColumn[] {
    const names = Object.keys(cells);
    const joined = names.join('\n');
    if (joined !== this.#boundNames) {
      this.#bound = bind(this.#mapping ?? ownNames(names, this.#fields), names);
      this.#boundNames = joined;
    }
    return this.#bound;
  }
}

function bind({ columns, preset }: ColumnMapping, names: readonly string[]): BoundColumn[] {
  return columns.map(({ column, rules }) => {
    const name = names.includes(column) ? column : names.find((other) => isSameHeading(other, column));
    if (name !== undefined) return { name, rules };
    // An object of a nested shape leaves out what it has no value for.
    if (preset !== null) return { name: column, rules };
    throw new UnreadableFile(`The file has no column ${column}, which the mapping uses.`);
  });
}

/** Names are matched without case, spaces and underscores. */
function isSameHeading(one: string, other: string): boolean {
  const plain = (name: string) => name.replace(/[\s_]/g, '').toLowerCase();
  return plain(one) === plain(other);
}

/** A cell's text, or what stands for it. */
function wordOf(text: string, { values, otherwise, keepOthers }: ColumnRule): string {
  if (values === undefined) return text;
  const word = Object.hasOwn(values, text.toLowerCase())
    ? values[text.toLowerCase()]
    : (otherwise ?? (keepOthers ? text : undefined));
  if (word === undefined) throw new CellProblem(`one of ${Object.keys(values).join(', ')}`);
  return word;
}

function convertedValue(text: string, { convert, separator }: ColumnRule, kind: CellKind): unknown {
  return cellValue(convert === undefined ? text : conversions[convert](text, kind), kind, separator);
}

/** A cell's text; in JSON it can be a number or a flag. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(cellText).join('|');
  return typeof value === 'object' ? JSON.stringify(value) : String(value).trim();
}
