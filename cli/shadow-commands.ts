import { Id, OneOf } from '../src/platform/http/schemas.ts';
import type { NewFormerSale } from '../src/shop/former-sales/import-former-sales.ts';
import {
  guessMapping,
  KeyTable,
  parseItem,
  type RowProblem,
  readItems,
  readMapping,
} from '../src/shop/imports/imports.ts';
import { saleImport } from '../src/shop/moves/import-kinds.ts';
import { type ShadowedSale, shadowSales, summaryOf } from '../src/shop/shadow/shadow.ts';
import { type Command, chosenOrganization, optional } from './command.ts';
import { fileAt } from './file-at.ts';
import { mappingAt } from './mapping-at.ts';

const cartTypes = ['in-store', 'pickup', 'delivery'] as const;
const cartsPerPart = 100;
/** Further carts are only counted here, and listed with `--json`. */
const cartsShownMax = 50;

/** The operator's command that prices what another till sold (docs/BULK.md). */
export const shadowCommands: Readonly<Record<string, Command>> = {
  shadow: {
    summary: "price tickets of another till with today's settings, and explain every cent of difference",
    argument: 'FILE',
    options: {
      organization: optional('id of the organization; required if there are several', Id()),
      mapping: optional('JSON file that maps columns to fields'),
      type: optional(
        `how the tickets were sold: ${cartTypes.join(', ')}; by default in-store`,
        OneOf(cartTypes),
      ),
    },
    run: async ({ context, operator }, { argument: path, organization: id, mapping: mappingPath, type }) => {
      const organization = await chosenOrganization(operator, id);
      const file = fileAt(path!);
      const sent =
        mappingPath === undefined
          ? (await guessMapping(file, saleImport, null)).mapping
          : mappingAt(mappingPath);
      const mapping = sent === null ? null : readMapping(sent, saleImport.fields);
      const problems: RowProblem[] = [];
      const sales: ShadowedSale[] = [];
      const lines = new KeyTable();
      let part: NewFormerSale[] = [];
      let returned = 0;
      const price = async () => {
        const carts = part.map((sale) => cartOf(sale, (type ?? 'in-store') as (typeof cartTypes)[number]));
        sales.push(...(await shadowSales(context, organization, carts)));
        part = [];
      };
      for await (const item of readItems(file, saleImport, mapping)) {
        const parsed = parseItem(saleImport, item, lines);
        if ('problems' in parsed) problems.push(...parsed.problems);
        // What came back was priced when it was sold.
        else if (!isSale(parsed.row)) returned += 1;
        else part.push(parsed.row);
        if (part.length === cartsPerPart) await price();
      }
      if (part.length > 0) await price();
      const summary = { ...summaryOf(sales), returned, refused: problems.length };
      return {
        lines: [...sales.filter(isDifferent).slice(0, cartsShownMax).map(lineOf), ...summaryLines(summary)],
        data: { ...summary, problems, sales },
        exitCode: problems.length === 0 ? 0 : 1,
      };
    },
  },
};

function isSale({ options }: NewFormerSale): boolean {
  return options.every(({ quantity, isReturn }) => isReturn !== true && Number(quantity) > 0);
}

function cartOf({ number, options }: NewFormerSale, type: (typeof cartTypes)[number]) {
  const sum = (of: (line: NewFormerSale['options'][number]) => number) =>
    options.reduce((total, line) => total + of(line), 0);
  const discountCents = sum((line) => Math.abs(line.discount ?? 0));
  const netCents = sum(({ net }) => net);
  const taxCents = sum(({ tax }) => tax ?? 0);
  return {
    ...{ reference: number, type },
    lines: options.map((line) => ({ ...line, quantity: Number(line.quantity) })),
    totals: {
      subtotalCents: sum(({ gross, net, discount }) => gross ?? net + Math.abs(discount ?? 0)),
      ...{ discountCents, taxCents, totalCents: netCents + taxCents },
    },
  };
}

function isDifferent({ ours, causes }: ShadowedSale): boolean {
  return ours === null || causes.length > 0;
}

function lineOf({ reference, theirs, ours, problem, differenceCents, causes }: ShadowedSale): string {
  if (ours === null) return `${reference}: not priced: ${problem}`;
  const why = causes.map(({ cause, cents }) => `${cause} ${dollars(cents)}`).join(', ');
  return `${reference}: ${dollars(theirs.totalCents)} there, ${dollars(ours.totalCents)} here, ${dollars(differenceCents)}: ${why}`;
}

function summaryLines({
  carts,
  equal,
  unpriced,
  returned,
  differenceCents,
  causes,
}: ReturnType<typeof summaryOf> & { readonly returned: number }): string[] {
  return [
    `${carts} tickets: ${equal} equal to the cent, ${carts - equal - unpriced} different by ${dollars(differenceCents)}, ` +
      `${unpriced} not priced; ${returned} with returns were left out`,
    ...causes.map((it) => `${dollars(it.cents).padStart(12)}  ${it.cause}, in ${it.carts} tickets`),
  ];
}

function dollars(cents: number): string {
  return `${cents < 0 ? '-' : ''}$${(Math.abs(cents) / 100).toFixed(2)}`;
}
