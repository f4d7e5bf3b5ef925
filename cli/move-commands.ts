import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { selectOrganization } from '../src/access/organizations/organizations.ts';
import type { OrganizationId } from '../src/kernel/ids.ts';
import { isoTimestamp } from '../src/kernel/local-time.ts';
import { Id, NonBlankText, OneOf } from '../src/platform/http/schemas.ts';
import { guessMapping, readMapping } from '../src/shop/imports/imports.ts';
import { runOfKind } from '../src/shop/moves/file-kind.ts';
import { checkNames, type MoveCheck } from '../src/shop/moves/judge-move.ts';
import type { MoveRow } from '../src/shop/moves/move-queries.ts';
import {
  beginMove,
  checkMove,
  checkTrial,
  noteMoveFile,
  noteTrialFile,
  openMove,
  openTrial,
  SumsOfFile,
  sandboxOf,
  signCheck,
  stepMove,
} from '../src/shop/moves/moves.ts';
import { type MoveStep, moveSteps } from '../src/shop/moves/step-move.ts';
import { type MoveFile, moveFileKinds, proposedDiscounts } from '../src/shop/moves/sums-of-file.ts';
import {
  type Command,
  chosenOrganization,
  flag,
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
      trial: flag(
        'into the sandbox of the shop, which is made where there is none: nothing of the shop changes',
      ),
    },
    run: load,
  },
  'move try': {
    summary: 'begin a trial anew: an empty sandbox of the shop, for move load --trial and move check --trial',
    options: { organization },
    run: (deployment, { organization: id }) =>
      ofMove(deployment, id, (context, shop) => openTrial(context, origin, shop)),
  },
  'move check': {
    summary: 'compare the files with what the shop has: rows, tags, prices, points, credit, days …',
    options: { organization, trial: flag('the files that were loaded into the sandbox, with what that has') },
    run: (deployment, { organization: id, trial }) =>
      ofMove(deployment, id, async (context, shop) =>
        (trial === undefined ? checkMove : checkTrial)(
          context,
          origin,
          shop,
          (await openMove(context, shop)).id,
        ),
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
  const isTrial = sent.trial !== undefined;
  const found = await openMove(context, shop);
  const move = isTrial && found.trial === null ? await openTrial(context, origin, shop) : found;
  const path = sent.argument!;
  const kind = sent.as as MoveFile['kind'];
  const bar = new ProgressBar(deployment.screen, () => context.clock.now());
  const sums = new SumsOfFile();
  try {
    const into = isTrial ? sandboxOf(move)! : shop;
    const loading = { shop: into, till: move.till, path, kind, mapping: sent.mapping, bar, sums };
    const report = await loadRows(deployment, loading);
    const { done: read, created, known, refused, problems } = report;
    const row = await (isTrial ? noteTrialFile : noteMoveFile)(context, origin, shop, move.id, {
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
  readonly kind: MoveFile['kind'];
  readonly mapping: string | undefined;
  readonly bar: ProgressBar;
  readonly sums: SumsOfFile;
}

/** Loads a file from its beginning, and adds up what was not refused: a load that was killed is said again. */
async function loadRows({ context }: Deployment, loading: Loading): Promise<ImportReport> {
  const { shop, till, path, mapping, bar, sums } = loading;
  const [[profile]] = await context.database.read(shop, selectOrganization({}));
  return runOfKind(loading.kind, { till, tz: profile!.tz, sums }, async (kind) => {
    const sent =
      mapping === undefined ? (await guessMapping(fileAt(path), kind, null)).mapping : mappingAt(mapping);
    return runImport(kind, {
      ...{ context, origin, organization: shop, path, isTrial: false, progress: null, from: null },
      mapping: sent === null ? null : readMapping(sent, kind.fields),
      onProgress: (share, { done }) => bar.show(share, `${done.toLocaleString('en-US')} ${kind.noun}`),
    });
  });
}

async function digestOf(path: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const piece of createReadStream(path)) digest.update(piece as Buffer);
  return digest.digest('hex');
}

function shown({ id, till, status, files, checks, signatures, trial, ...times }: MoveRow): Result {
  const signed = new Map(signatures.map((it) => [it.check, it]));
  const signatureOf = (check: string) => {
    const signature = signed.get(check);
    return signature === undefined ? '' : `, signed by ${signature.by}: ${signature.note}`;
  };
  return {
    lines: [
      `Move ${id} from ${till}: ${status}`,
      ...files.map(fileLine),
      ...proposedDiscounts(files).map(
        ({ name, codes, uses, amount }) =>
          `  discount ${name}${codes.length > 0 ? ` (${codes.join(', ')})` : ''}: ${uses} times, $${(amount / 100).toFixed(2)}`,
      ),
      ...checks.flatMap((check) => checkLines(check, signatureOf(check.check))),
      ...(trial === null
        ? []
        : [
            `Tried in a sandbox at ${trial.startedAt}:`,
            ...trial.files.map(fileLine),
            ...trial.checks.flatMap((check) => checkLines(check, '')),
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
        trial: trial && { ...trial, files: trial.files.map(({ sums, ...file }) => file) },
      },
      checkedAt: times.checked_at === null ? null : isoTimestamp(times.checked_at),
    },
  };
}

function fileLine(file: MoveFile): string {
  return `  ${file.kind} ${file.name}: ${file.read} read, ${file.created} created, ${file.known} known, ${file.refused} refused`;
}

function checkLines({ check, result, expected, found, differences }: MoveCheck, more: string): string[] {
  return [
    `  ${result.padEnd(7)} ${check}: ${expected}; ${found}${more}`,
    ...differences.map((words) => `            ${words}`),
  ];
}
