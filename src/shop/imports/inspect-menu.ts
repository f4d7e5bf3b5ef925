import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import type { ImportedProduct } from '../catalog/import-product-rows.ts';
import { importProductRows } from '../catalog/products.ts';
import type { RowProblem } from './column-mapping.ts';
import type { Guess, SeenColumn } from './guess-mapping.ts';
import { type ImportItem, problemsOf, warningsOf } from './import-items.ts';
import type { MenuReader } from './menu-reader.ts';
import type { PresetName } from './preset-names.ts';
import { productImport } from './product-import.ts';
import type { SentMapping } from './sent-mapping.ts';

/** A product as an import would make it. */
export interface ShownProduct {
  /** Where it begins in the file. */
  readonly line: number;
  readonly name: string;
  readonly brandName: string | null;
  readonly category: string;
  readonly strainType: string;
  readonly unit: string;
  readonly thc: string | null;
  readonly cbd: string | null;
  readonly options: readonly ShownOption[];
}

interface ShownOption {
  readonly name: string | null;
  readonly amount: string;
  readonly price: number;
  readonly salesPrice: number | null;
  readonly content: string | null;
  readonly upc: string | null;
}

/** What people should look at; equal ones are counted. */
export interface ColumnDoubt {
  /** Null: about no column. */
  readonly column: string | null;
  readonly message: string;
  /** The rows that it is about; 0: the whole column. */
  readonly count: number;
  /** The first of them; null: the whole column. */
  readonly line: number | null;
}

export interface MenuInspection {
  /** As its file has it; null: the file has our own columns. */
  readonly mapping: SentMapping | null;
  readonly columns: readonly SeenColumn[];
  /** The first ten that are valid. */
  readonly products: readonly ShownProduct[];
  readonly doubts: readonly ColumnDoubt[];
  /** The products that were looked at. */
  readonly looked: number;
  readonly refused: number;
}

interface InspectionRequest {
  readonly reader: MenuReader;
  /** The mapping that people have made; undefined: it is guessed. */
  readonly mapping?: SentMapping | null | undefined;
  /** Null: the shape is guessed. */
  readonly preset: PresetName | null;
  /** Looks at no more products than this. */
  readonly productsMax: number;
}

const productsShownMax = 10;
const trialRows = 200;
const doubtsMax = 200;
/** A look reads no more records than this for each product. */
const recordsPerProduct = 10;

/**
 * Shows what an import of a menu would make, and what is doubtful about it, by all rules; writes nothing. Fails with an
 * UnreadableFile.
 */
export async function inspectMenu(
  context: Context,
  organization: OrganizationId,
  { reader, mapping: given, preset, productsMax }: InspectionRequest,
): Promise<MenuInspection> {
  const guess = await reader.guess(given?.preset ?? preset);
  const sent = given === undefined ? guess.mapping : given;
  const doubts = new DoubtBook(given === undefined ? guess : null);
  const look = new Look(context, organization, doubts);
  for await (const item of reader.items(sent, { recordsMax: productsMax * recordsPerProduct })) {
    for (const note of item.notes) doubts.add(note);
    if (item.problems.length > 0) look.refuse(item.problems);
    else await look.at({ item, row: productImport.read(item.body) });
    if (look.looked >= productsMax) break;
  }
  await look.end();
  return {
    mapping: sent,
    columns: guess.columns,
    products: look.products,
    doubts: doubts.list(),
    looked: look.looked,
    refused: look.refused,
  };
}

interface Parsed {
  readonly item: ImportItem;
  readonly row: ImportedProduct;
}

/** Tries products, some at a time. */
class Look {
  readonly products: ShownProduct[] = [];
  looked = 0;
  refused = 0;
  readonly #context: Context;
  readonly #organization: OrganizationId;
  readonly #doubts: DoubtBook;
  #batch: Parsed[] = [];

  constructor(context: Context, organization: OrganizationId, doubts: DoubtBook) {
    this.#context = context;
    this.#organization = organization;
    this.#doubts = doubts;
  }

  refuse(problems: readonly RowProblem[]): void {
    this.looked++;
    this.refused++;
    for (const problem of problems) this.#doubts.add(problem);
  }

  async at(parsed: Parsed): Promise<void> {
    this.#batch.push(parsed);
    if (this.#batch.length === trialRows) await this.end();
    else this.looked++;
  }

  async end(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    if (batch.length === 0) return;
    const optionsOf = new Map<ImportedProduct, ShownProduct['options']>();
    const outcomes = await importProductRows(
      this.#context,
      { actor: 'job:menu-look', requestId: null },
      this.#organization,
      batch.map(({ row }) => row),
      {
        isTrial: true,
        onOptions: (row, options) =>
          optionsOf.set(
            row,
            options.map(({ priceCents: price, salesPriceCents: salesPrice, ...option }) => ({
              ...option,
              price,
              salesPrice,
            })),
          ),
      },
    );
    for (const [index, outcome] of outcomes.entries()) {
      const { item, row } = batch[index]!;
      if (outcome.kind === 'refused') {
        this.refused++;
        for (const problem of problemsOf(item, outcome.problem, productImport.fields))
          this.#doubts.add(problem);
        continue;
      }
      for (const warning of warningsOf(item, outcome, productImport.fields)) this.#doubts.add(warning);
      if (this.products.length < productsShownMax) this.products.push(shown(item, row, optionsOf.get(row)));
    }
  }
}

function shown(
  { line }: ImportItem,
  { request, names, potency }: ImportedProduct,
  options: ShownProduct['options'] | undefined,
): ShownProduct {
  return {
    line,
    name: request.name,
    brandName: names.brandName ?? null,
    category: names.category!,
    strainType: request.strainType,
    unit: request.unit,
    thc: potencyText(
      potency.thcAmount ?? potency.thcAmountEach,
      [potency.thcAmountRangeLow, potency.thcAmountRangeHigh],
      potency.thcUnit,
    ),
    cbd: potencyText(
      potency.cbdAmount ?? potency.cbdAmountEach,
      [potency.cbdAmountRangeLow, potency.cbdAmountRangeHigh],
      potency.cbdUnit,
    ),
    options:
      options ??
      request.options.map(({ name, amount, price, salesPrice, content, upc }) => ({
        name: name ?? null,
        amount: String(amount),
        price,
        salesPrice: salesPrice ?? null,
        content: content ?? null,
        upc: upc ?? null,
      })),
  };
}

function potencyText(
  amount: string | null,
  [low, high]: readonly [string | null, string | null],
  unit: string | null,
): string | null {
  const number = amount ?? (low === null ? high : high === null ? low : `${low}–${high}`);
  if (number === null) return null;
  return unit === '%' ? `${number} %` : `${number} ${unit ?? ''}`.trim();
}

/** Doubts by column and message; texts of single rows are left out of what makes them equal. */
class DoubtBook {
  readonly #found = new Map<string, { doubt: ColumnDoubt; count: number; lastLine: number | null }>();

  constructor(guess: Guess | null) {
    for (const { column, message } of guess?.doubts ?? []) {
      this.#found.set(JSON.stringify([column, message]), {
        doubt: { column, message, count: 0, line: null },
        count: 0,
        lastLine: null,
      });
    }
  }

  add({ column, message, line }: RowProblem): void {
    const key = JSON.stringify([column, message]);
    const known = this.#found.get(key);
    if (known !== undefined) {
      // Several fields of one cell have the same problem.
      if (known.lastLine !== line) known.count++;
      known.lastLine = line;
    } else if (this.#found.size < doubtsMax) {
      this.#found.set(key, { doubt: { column, message, count: 1, line }, count: 1, lastLine: line });
    }
  }

  /** Whole columns first, then by the number of rows. */
  list(): ColumnDoubt[] {
    return [...this.#found.values()]
      .map(({ doubt, count }) => ({ ...doubt, count }))
      .sort((a, b) => Number(a.line !== null) - Number(b.line !== null) || b.count - a.count);
  }
}
