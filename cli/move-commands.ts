import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { selectOrganization } from '../src/access/organizations/organizations.ts';
import type { OrganizationId } from '../src/kernel/ids.ts';
import { isoTimestamp } from '../src/kernel/local-time.ts';
import { Id, NonBlankText, OneOf } from '../src/platform/http/schemas.ts';
import { localDayOfSale, signedSums } from '../src/shop/former-sales/former-sales.ts';
import {
  guessMapping,
  type ImportKind,
  productImport,
  readMapping,
  readRecords,
} from '../src/shop/imports/imports.ts';
import {
  closingImport,
  customerImport,
  discountImport,
  packageImport,
  saleImport,
  staffImport,
  vendorImport,
} from '../src/shop/moves/import-kinds.ts';
import { checkNames } from '../src/shop/moves/judge-move.ts';
import { amountAt } from '../src/shop/moves/load-packages.ts';
import type { MoveRow } from '../src/shop/moves/move-queries.ts';
import {
  beginMove,
  checkMove,
  noteMoveFile,
  openMove,
  SumsOfFile,
  signCheck,
  stepMove,
} from '../src/shop/moves/moves.ts';
import { type MoveStep, moveSteps } from '../src/shop/moves/step-move.ts';
import { type MoveFile, moveFileKinds, proposedDiscounts } from '../src/shop/moves/sums-of-file.ts';
import {
  type Command,
  chosenOrganization,
  optional,
  operatorOrigin as origin,
  type Result,
  required,
} from './command.ts';
import type { Deployment } from './deployment.ts';
import { fileAt } from './file-at.ts';
import { mappingAt } from './mapping-at.ts';
import { ProgressBar } from './progress-bar.ts';
import { type ImportReport, runImport } from './run-import.ts';
import { shadowCommands } from './shadow-commands.ts';
import { UsageError } from './usage-error.ts';

const organization = optional('id of the organization; required if there are several', Id());

/** The operator's commands for a shop that comes from another till (docs/MOVING.md). */
export const moveCommands: Readonly<Record<string, Command>> = {
  ...shadowCommands,
  'move begin': {
    summary: 'begin the move of a shop from another till, or go on with it',
    options: { organization, till: required('name of the former till', NonBlankText({ max: 40 })) },
    run: (deployment, { organization: id, till }) =>
      ofMove(deployment, id, async (context, shop) => {
        await beginMove(context, origin, shop, till!);
        return openMove(context, shop);
      }),
  },
  'move show': {
    summary: 'show the files, checks and signatures of the move',
    options: { organization },
    run: (deployment, { organization: id }) => ofMove(deployment, id, openMove),
  },
  'move load': {
    summary: 'load a file of the move, or load it again; rows that are here already stay as they are',
    argument: 'FILE',
    options: {
      organization,
      as: required(moveFileKinds.join(' | '), OneOf(moveFileKinds)),
      mapping: optional('JSON file that maps columns to fields'),
    },
    run: load,
  },
  'move check': {
    summary: 'compare the files with what the shop has: rows, tags, prices, points, credit, days …',
    options: { organization },
    run: (deployment, { organization: id }) =>
      ofMove(deployment, id, async (context, shop) =>
        checkMove(context, origin, shop, (await openMove(context, shop)).id),
      ),
  },
  'move sign': {
    summary: 'note that a person answers for a check that did not pass',
    options: {
      organization,
      check: required(checkNames.join(' | '), OneOf(checkNames)),
      by: required('name of the person', NonBlankText({ max: 200 })),
      note: required('why, in their words', NonBlankText({ max: 1000 })),
    },
    run: (deployment, { organization: id, check, by, note }) =>
      ofMove(deployment, id, async (context, shop) => {
        const said = { check: check as (typeof checkNames)[number], by: by!, note: note! };
        return signCheck(context, origin, shop, (await openMove(context, shop)).id, said);
      }),
  },
  'move step': {
    summary: 'freeze, thaw, go, back (until the first report to the state) or cancel',
    argument: 'STEP',
    options: { organization },
    run: (deployment, { organization: id, argument: step }) => {
      if (!(moveSteps as readonly string[]).includes(step!)) {
        throw new UsageError(`STEP must be one of ${moveSteps.join(', ')}`);
      }
      return ofMove(deployment, id, async (context, shop) =>
        stepMove(context, origin, shop, (await openMove(context, shop)).id, step as MoveStep),
      );
    },
  },
};

async function ofMove(
  { context, operator }: Deployment,
  id: string | undefined,
  work: (context: Deployment['context'], shop: OrganizationId) => Promise<MoveRow>,
): Promise<Result> {
  return shown(await work(context, await chosenOrganization(operator, id)));
}

async function load(deployment: Deployment, sent: Readonly<Record<string, string>>): Promise<Result> {
  const { context, operator } = deployment;
  const shop = await chosenOrganization(operator, sent.organization);
  const move = await openMove(context, shop);
  const path = sent.argument!;
  const kind = sent.as as MoveFile['kind'];
  const bar = new ProgressBar(deployment.screen, () => context.clock.now());
  const sums = new SumsOfFile();
  try {
    const report =
      kind === 'state'
        ? await readState(path, sums)
        : await loadRows(deployment, { shop, till: move.till, path, kind, mapping: sent.mapping, bar, sums });
    const { done: read, created, known, refused, problems } = report;
    const row = await noteMoveFile(context, origin, shop, move.id, {
      ...{ kind, name: basename(path), sha256: await digestOf(path) },
      ...{ loadedAt: isoTimestamp(context.clock.now()), read, created, known, refused, sums: sums.sums },
    });
    bar.end();
    const { data } = shown(row);
    return {
      lines: [
        ...problems
          .slice(0, 100)
          .map(
            ({ line, column, message }) => `line ${line}${column === null ? '' : `, ${column}`}: ${message}`,
          ),
        `${read} read: ${created} created, ${known} known, ${refused} refused`,
      ],
      data: { read, created, known, refused, problems, move: data },
      exitCode: refused === 0 ? 0 : 1,
    };
  } finally {
    bar.end();
  }
}

interface Loading {
  readonly shop: OrganizationId;
  readonly till: string;
  readonly path: string;
  readonly kind: Exclude<MoveFile['kind'], 'state'>;
  readonly mapping: string | undefined;
  readonly bar: ProgressBar;
  readonly sums: SumsOfFile;
}

/** Loads a file from its beginning, and adds up what was not refused: a load that was killed is said again. */
async function loadRows({ context }: Deployment, loading: Loading): Promise<ImportReport> {
  const { shop, till, path, mapping, bar, sums } = loading;
  const run = async <Row>(kind: ImportKind<Row>, add: (row: Row) => void): Promise<ImportReport> => {
    const sent =
      mapping === undefined ? (await guessMapping(fileAt(path), kind, null)).mapping : mappingAt(mapping);
    return runImport(
      {
        ...kind,
        write: async (...given) => {
          const outcomes = await kind.write(...given);
          for (const [at, { kind: result }] of outcomes.entries())
            if (result !== 'refused') add(given[3][at]!);
          return outcomes;
        },
      },
      {
        ...{ context, origin, organization: shop, path, isTrial: false, progress: null, from: null },
        mapping: sent === null ? null : readMapping(sent, kind.fields),
        onProgress: (share, { done }) => bar.show(share, `${done.toLocaleString('en-US')} ${kind.noun}`),
      },
    );
  };
  switch (loading.kind) {
    case 'products':
      return run(productImport, (row) => sums.product(row.request.options.map(({ price }) => price)));
    case 'packages':
      return run(packageImport, ({ options }) => {
        for (const place of options) sums.stock(amountAt(place), place.unitCost ?? null);
      });
    case 'vendors':
      return run(vendorImport, () => {});
    case 'staff':
      return run(staffImport, () => {});
    case 'discounts':
      return run(discountImport, (use) => sums.discount(use));
    case 'closings':
      return run(closingImport, (day) => sums.closing(day));
    case 'customers':
      return run(ofTill(customerImport, till), ({ profile, former }) =>
        sums.customer({
          ...{ points: former?.points ?? '0', creditCents: former?.creditCents ?? 0 },
          hasConsent: profile.marketingOptIn,
        }),
      );
    case 'sales': {
      const [[profile]] = await context.database.read(shop, selectOrganization({}));
      return run(ofTill(saleImport, till), (sale) =>
        sums.sale(localDayOfSale(sale, profile!.tz), signedSums(sale)),
      );
    }
  }
}

function ofTill<Row>(kind: ImportKind<Row>, till: string): ImportKind<Row> {
  return { ...kind, read: (body) => kind.read(withTill(body, till)) };
}

/** The till of the move, unless the file says another one. */
function withTill(body: unknown, till: string): unknown {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  return isObject ? { till, ...body } : body;
}

/** How the state's lists of packages name the columns that count. */
const tagHeadings = ['packagetag', 'label', 'tag', 'externalidentifier', 'regulatoryid'];
const quantityHeadings = ['currentquantity', 'quantity', 'quantityonhand'];

/** Reads the state's list of packages; writes nothing. */
async function readState(path: string, sums: SumsOfFile): Promise<ImportReport> {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '');
  const report = { done: 0, created: 0, known: 0, refused: 0 };
  const problems: { line: number; column: string | null; message: string }[] = [];
  for await (const { line, values } of readRecords(
    fileAt(path),
    new Set([...tagHeadings, ...quantityHeadings]),
  )) {
    if (values === null) continue;
    const find = (names: readonly string[]) =>
      Object.entries(values).find(([name]) => names.includes(plain(name)))?.[1];
    const [tag, quantity] = [find(tagHeadings), find(quantityHeadings)].map((value) =>
      String(value ?? '').trim(),
    );
    report.done += 1;
    if (tag === '' || !/^-?\d+(\.\d+)?$/.test(quantity!)) {
      report.refused += 1;
      problems.push({ line, column: null, message: 'must have a tag and a quantity' });
    } else if (Number(quantity) === 0) report.known += 1;
    else {
      sums.package(tag!, quantity!);
      report.created += 1;
    }
  }
  return { ...report, problems, warnings: [] };
}

async function digestOf(path: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const piece of createReadStream(path)) digest.update(piece as Buffer);
  return digest.digest('hex');
}

function shown({ id, till, status, files, checks, signatures, ...times }: MoveRow): Result {
  const signed = new Map(signatures.map((it) => [it.check, it]));
  const signatureOf = (check: string) => {
    const signature = signed.get(check);
    return signature === undefined ? '' : `, signed by ${signature.by}: ${signature.note}`;
  };
  return {
    lines: [
      `Move ${id} from ${till}: ${status}`,
      ...files.map(
        (file) =>
          `  ${file.kind} ${file.name}: ${file.read} read, ${file.created} created, ${file.known} known, ${file.refused} refused`,
      ),
      ...proposedDiscounts(files).map(
        ({ name, codes, uses, amount }) =>
          `  discount ${name}${codes.length > 0 ? ` (${codes.join(', ')})` : ''}: ${uses} times, $${(amount / 100).toFixed(2)}`,
      ),
      ...checks.flatMap(({ check, result, expected, found, differences }) => [
        `  ${result.padEnd(7)} ${check}: ${expected}; ${found}${signatureOf(check)}`,
        ...differences.map((words) => `            ${words}`),
      ]),
    ],
    data: {
      ...{
        id,
        till,
        status,
        files: files.map(({ sums, ...file }) => file),
        discounts: proposedDiscounts(files),
        checks,
        signatures,
      },
      checkedAt: times.checked_at === null ? null : isoTimestamp(times.checked_at),
    },
  };
}
