import { readMeasure } from '../../engines/goods/measured-text.ts';
import { exportedProduct, flowerWords } from '../catalog/products.ts';
import { withPoints } from './cell-values.ts';
import { ownField } from './column-mapping.ts';
import { mappingOfProfile, profileOf } from './export-profiles.ts';
import type { FileRecord } from './file-record.ts';
import type { SourceFile } from './file-text.ts';
import { knownHeadings, namesOf, optionNameNames, sizeNames } from './heading-names.ts';
import { readRecords } from './import-file.ts';
import type { ImportFields, ImportKind } from './import-kind.ts';
import type { PresetName } from './preset-names.ts';
import { rowsOf, shapeOf } from './presets.ts';
import type { SentMapping, SentRule } from './sent-mapping.ts';
import { plainHeading } from './table-heading.ts';

/** Guesses the shape of a file and the meaning of its columns, for people to correct. */

/** A column of a file, with texts that it has. */
export interface SeenColumn {
  readonly name: string;
  /** Different texts, the first ones. */
  readonly samples: readonly string[];
}

/** What people should look at, because the guess may be wrong. */
interface GuessDoubt {
  /** Null: about no column. */
  readonly column: string | null;
  readonly message: string;
}

export interface Guess {
  /** The export of a till that it is; null: none that is known. */
  readonly profile: string | null;
  /** Null: the file has our own columns, and needs no mapping. */
  readonly mapping: SentMapping | null;
  readonly columns: readonly SeenColumn[];
  readonly doubts: readonly GuessDoubt[];
}

const recordsSeenMax = 200;
const samplesMax = 20;

/**
 * Guesses by the first 200 records: the export of a till is known by its headings, and a menu by its shape. With `preset` the
 * shape is given and only the columns are guessed. Fails with an UnreadableFile.
 */
export async function guessMapping(
  file: SourceFile,
  { noun, fields }: Pick<ImportKind<never>, 'noun' | 'fields'>,
  preset: PresetName | null,
): Promise<Guess> {
  const seen: FileRecord[] = [];
  for await (const record of readRecords(file, knownHeadings(fields, null))) {
    if (record.values !== null) seen.push(record);
    if (seen.length === recordsSeenMax) break;
  }
  const isMenu = noun === 'products';
  if (preset === null) {
    const columns = await columnsOf(seen, null);
    const own = { profile: null, mapping: null, columns, doubts: [] };
    if (isMenu && seen.every(({ values }) => hasOwnNames(values!, fields))) return own;
    const known = ofProfile(noun, columns);
    if (known !== null) return { columns, ...known };
    if (!isMenu) return own;
  }
  const shape = preset ?? likeliestShape(seen);
  const columns = await columnsOf(seen, shape);
  return { profile: null, columns, ...meaningOf(columns, shape) };
}

/** What the profile of a till's export says of these columns; null: there is none. */
function ofProfile(noun: string, columns: readonly SeenColumn[]) {
  const headings = columns.map(({ name }) => name);
  const profile = profileOf(noun, headings);
  if (profile === undefined) return null;
  const mapping = mappingOfProfile(profile, headings);
  const lacking = Object.keys(profile.columns).filter(
    (column) => !Object.keys(mapping.columns).some((name) => plainHeading(name) === plainHeading(column)),
  );
  const isLookedAt = (name: string) => profile.leaveOut?.some(({ column }) => column === name) === true;
  const unused = columns.filter(
    ({ name, samples }) => !Object.hasOwn(mapping.columns, name) && samples.length > 0 && !isLookedAt(name),
  );
  const doubts = [
    ...lacking.map((column) => ({ column, message: 'is missing; was it hidden before the export?' })),
    ...unused.map(({ name }) => ({ column: name, message: 'is not used' })),
  ];
  return { profile: profile.name, mapping, doubts };
}

/** What a row of our own format must say; an object with options says it in them. */
const requiredNames = ['name', 'category', 'unit', 'strainType', 'amount', 'price'];

function hasOwnNames(values: Readonly<Record<string, unknown>>, fields: ImportFields): boolean {
  if (exportedProduct(values) !== null) return true;
  const { options } = values;
  const names = Object.keys(values).filter((name) => name !== 'options' || !Array.isArray(options));
  const found = names.map((name) => ownField(name, names, fields));
  if (found.includes(undefined)) return false;
  if (!Array.isArray(options)) return requiredNames.every((name) => found.includes(name));
  const optionNames = new Set(Object.values(fields).flatMap(({ optionName }) => optionName ?? []));
  return options.every((option) => Object.keys(Object(option)).every((name) => optionNames.has(name)));
}

function likeliestShape(seen: readonly FileRecord[]): PresetName {
  const counts = new Map<PresetName, number>();
  for (const { values } of seen) {
    const shape = shapeOf(values!) ?? 'flat-variants';
    counts.set(shape, (counts.get(shape) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 'flat-variants';
}

async function columnsOf(seen: readonly FileRecord[], shape: PresetName | null): Promise<SeenColumn[]> {
  const samples = new Map<string, Set<string>>();
  for await (const { values } of rowsOf(eachOf(seen), shape)) {
    for (const [name, value] of Object.entries(values ?? {})) {
      const texts = samples.get(name) ?? new Set();
      samples.set(name, texts);
      const text = Array.isArray(value) ? value.join('|') : String(value ?? '').trim();
      if (text !== '' && texts.size < samplesMax) texts.add(text);
    }
  }
  return [...samples].map(([name, texts]) => ({ name, samples: [...texts] }));
}

async function* eachOf(records: readonly FileRecord[]): AsyncGenerator<FileRecord> {
  yield* records;
}

type Samples = readonly string[];

function meaningOf(columns: readonly SeenColumn[], preset: PresetName) {
  const taken = new Map<string, SentRule[]>();
  const missing: string[] = [];
  const doubts: GuessDoubt[] = [];
  const found = new Map<string, SeenColumn>();
  const find = (names: readonly string[], fits: (samples: Samples) => boolean = () => true) =>
    names
      .map((name) => columns.find((column) => !taken.has(column.name) && named(column.name, name)))
      .find((column) => column !== undefined && column.samples.length > 0 && fits(column.samples));
  for (const [field, names, fits] of namesOf) {
    if (found.has(field)) continue;
    const column = find(names, fits);
    if (column === undefined) continue;
    found.set(field, column);
    taken.set(column.name, rulesOf(field, column, doubts));
  }
  const optionName = find(optionNameNames);
  const size = find(sizeNames, (samples) => samples.some((text) => readMeasure(withPoints(text)) !== null));
  if (size !== undefined) {
    const isName = optionName === undefined || optionName === size;
    taken.set(size.name, [
      ...(isName ? [{ field: 'optionName' }] : []),
      { field: 'amount', blank: '1' },
      { field: 'content' },
    ]);
    found.set('amount', size);
    if (!isName) taken.set(optionName.name, [{ field: 'optionName' }]);
  }
  for (const field of ['name', 'category', 'price', 'amount']) if (!found.has(field)) missing.push(field);
  doubts.push(
    ...missing.map((field) => ({
      column: null,
      message: `no column was found for ${field}${field === 'amount' ? ', so that each is one item' : ''}`,
    })),
    ...columns
      .filter(({ name, samples }) => !taken.has(name) && samples.length > 0)
      .map(({ name }) => ({ column: name, message: 'is not used' })),
  );
  const constants = {
    ...(!found.has('strainType') && { strainType: 'none' }),
    // An item, unless a size says otherwise.
    ...(!found.has('amount') && { amount: '1' }),
  };
  const mapping: SentMapping = {
    preset,
    columns: Object.fromEntries(
      columns.flatMap(({ name }) => {
        const rules = taken.get(name);
        if (rules === undefined) return [];
        const [only, another] = rules;
        const isPlain = another === undefined && Object.keys(only!).length === 1;
        return [[name, isPlain ? only!.field : rules]];
      }),
    ),
    ...(Object.keys(constants).length > 0 && { constants }),
  };
  return { mapping, doubts };
}

/** `variants.price_cents` is named by its last part, too. */
function named(column: string, name: string): boolean {
  return plainHeading(column) === name || plainHeading(column.slice(column.lastIndexOf('.') + 1)) === name;
}

function rulesOf(field: string, column: SeenColumn, doubts: GuessDoubt[]): SentRule[] {
  const { name, samples } = column;
  switch (field) {
    case 'category':
      // Flower is sold by weight; everything else by the item.
      return [
        { field },
        {
          field: 'unit',
          values: Object.fromEntries(flowerWords.map((word) => [word, 'gram'])),
          otherwise: 'item',
        },
      ];
    case 'strainType':
      return [{ field, blank: 'none' }];
    case 'thcAmount':
    case 'cbdAmount': {
      if (samples.some((text) => /[%a-z]/i.test(text)) && !samples.some((text) => isBare(text)))
        return [{ field }];
      doubts.push({ column: name, message: 'has numbers without a unit, which are read as percent' });
      return [{ field, convert: 'percent-by-default' }];
    }
    case 'price':
    case 'salesPrice': {
      if (/cents/i.test(name)) return [{ field }];
      if (samples.every((text) => /^\d+$/.test(text))) {
        doubts.push({ column: name, message: 'has whole numbers, which are read as dollars, not cents' });
      }
      return [{ field, convert: 'dollars-to-cents' }];
    }
    default:
      return [{ field }];
  }
}

function isBare(text: string): boolean {
  return /^[\d.,]+(?:\s*-\s*[\d.,]+)?$/.test(text.trim());
}
