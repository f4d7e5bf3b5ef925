import { existsSync, writeFileSync } from 'node:fs';
import type { OrganizationId } from '../src/kernel/ids.ts';
import {
  type ColumnDoubt,
  formatOf,
  guessMapping,
  type ImportKind,
  inspectMenu,
  isPresetName,
  MenuFileReader,
  type MenuInspection,
  readMapping,
  type SentMapping,
  type ShownProduct,
} from '../src/shop/imports/imports.ts';
import { operatorOrigin, type Result } from './command.ts';
import type { Deployment } from './deployment.ts';
import { fileAt } from './file-at.ts';
import { mappingAt } from './mapping-at.ts';
import { runImport } from './run-import.ts';

/**
 * Shows ten products of a menu as they would be, and every doubt by column. Without a given mapping it writes the guessed
 * one beside the file, unless there is one already.
 */
export async function inspectFile(
  { context }: Pick<Deployment, 'context'>,
  organization: OrganizationId,
  path: string,
  { mapping, preset }: Readonly<Record<string, string>>,
): Promise<Result> {
  formatOf(path);
  const found = await inspectMenu(context, organization, {
    reader: new MenuFileReader(fileAt(path)),
    ...(mapping !== undefined && { mapping: mappingAt(mapping) as SentMapping }),
    preset: isPresetName(preset) ? preset : null,
    productsMax: Number.POSITIVE_INFINITY,
  });
  const target = `${path}.mapping.json`;
  const isNew = mapping === undefined && found.mapping !== null && !existsSync(target);
  if (isNew) writeFileSync(target, `${JSON.stringify(found.mapping, null, 2)}\n`, { flag: 'wx' });
  return {
    lines: [
      shapeLine(found),
      '',
      ...tableOf(found.products),
      '',
      ...doubtLines(found.doubts),
      `${found.looked} products, ${found.refused} of them would be refused.`,
      ...nextLines(found, path, isNew ? target : null, mapping),
    ],
    data: { ...found, mappingFile: isNew ? target : null },
    exitCode: found.refused === 0 ? 0 : 1,
  };
}

/**
 * Shows which till's export a file is, every doubt by column, and how many rows would come in, by all rules; writes nothing into
 * the shop. Without a given mapping it writes the guessed one beside the file, unless there is one already.
 */
export async function inspectTable<Row>(
  kind: ImportKind<Row>,
  { context }: Pick<Deployment, 'context'>,
  organization: OrganizationId,
  path: string,
  { mapping: given }: Readonly<Record<string, string>>,
): Promise<Result> {
  const guess = await guessMapping(fileAt(path), kind, null);
  const sent = given === undefined ? guess.mapping : (mappingAt(given) as SentMapping);
  const report = await runImport(kind, {
    ...{ context, origin: operatorOrigin, organization, path, isTrial: true, from: null, progress: null },
    mapping: sent === null ? null : readMapping(sent, kind.fields),
    onProgress: () => {},
  });
  const target = `${path}.mapping.json`;
  const isNew = given === undefined && guess.mapping !== null && !existsSync(target);
  if (isNew) writeFileSync(target, `${JSON.stringify(guess.mapping, null, 2)}\n`, { flag: 'wx' });
  const doubts = [
    ...(given === undefined ? guess.doubts : []).map((doubt) => ({ ...doubt, count: 0, line: null })),
    ...[...report.problems, ...report.warnings].map((told) => ({ ...told, count: 1 })),
  ];
  const { created, known, refused, done } = report;
  return {
    lines: [
      given !== undefined
        ? `The file was read by ${given}.`
        : guess.profile === null
          ? 'The file is no export that is known: it is read by the columns of this import.'
          : `The file is an export that is known: ${guess.profile}`,
      '',
      ...doubtLines(doubts),
      `${done} ${kind.noun}: ${created} would be created, ${known} known, ${refused} refused.`,
      ...(isNew ? [`The mapping was written to ${target}; edit it where it is wrong.`] : []),
      `Next: dispensary import ${kind.noun} ${path}${given === undefined ? '' : ` --mapping ${given}`} --dry-run`,
    ],
    data: {
      profile: guess.profile,
      mapping: sent,
      doubts,
      created,
      known,
      refused,
      mappingFile: isNew ? target : null,
    },
    exitCode: refused === 0 ? 0 : 1,
  };
}

function shapeLine({ mapping }: MenuInspection): string {
  return mapping === null
    ? 'The file has the columns of this import, and needs no mapping.'
    : `The shape of the file: ${mapping.preset}`;
}

function nextLines(
  { mapping }: MenuInspection,
  path: string,
  written: string | null,
  given: string | undefined,
): string[] {
  if (mapping === null) return [`Next: dispensary import products ${path} --dry-run`];
  const used = given ?? `${path}.mapping.json`;
  const fate =
    written !== null
      ? [`The mapping was written to ${written}; edit it where the table is wrong.`]
      : given === undefined
        ? [`${used} is there already and was not changed; this table does not use it.`]
        : [];
  return [...fate, `Next: dispensary import products ${path} --mapping ${used} --dry-run`];
}

const optionsShownMax = 4;

function tableOf(products: readonly ShownProduct[]): string[] {
  const rows = products.map((product) => [
    String(product.line),
    product.name,
    product.brandName ?? '–',
    product.category,
    product.strainType,
    product.thc ?? '–',
    optionsText(product),
  ]);
  return aligned([['line', 'product', 'brand', 'category', 'strain', 'THC', 'options'], ...rows]);
}

function optionsText({ options }: ShownProduct): string {
  const texts = options.slice(0, optionsShownMax).map(({ name, price, salesPrice, content }) => {
    const size = name ?? (content === null ? 'each' : content);
    return `${size} ${dollars(price)}${salesPrice === null ? '' : ` (sale ${dollars(salesPrice)})`}`;
  });
  return [...texts, ...(options.length > texts.length ? ['…'] : [])].join(', ');
}

function dollars(cents: number): string {
  const digits = String(cents).padStart(3, '0');
  return `$${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const cellMax = 30;

function aligned(rows: readonly (readonly string[])[]): string[] {
  const cut = rows.map((row) =>
    row.map((cell, at) =>
      at < row.length - 1 && cell.length > cellMax ? `${cell.slice(0, cellMax - 1)}…` : cell,
    ),
  );
  const widths = cut[0]!.map((_, at) => Math.max(...cut.map((row) => row[at]!.length)));
  return cut.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd(),
  );
}

const doubtsShownMax = 50;

function doubtLines(doubts: readonly ColumnDoubt[]): string[] {
  const lines = doubts
    .slice(0, doubtsShownMax)
    .map(
      ({ column, message, count, line }) =>
        `${column ?? 'the file'}: ${message}${line === null ? '' : ` (line ${line}${count > 1 ? `, and ${count - 1} more` : ''})`}`,
    );
  if (doubts.length > lines.length) lines.push(`… and ${doubts.length - lines.length} more (--json)`);
  return lines;
}
