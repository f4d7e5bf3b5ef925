import { Id, OneOf } from '../src/platform/http/schemas.ts';
import {
  type ColumnMapping,
  formatOf,
  guessMapping,
  type ImportKind,
  isPresetName,
  presetNames,
  productImport,
  type RowProblem,
  readMapping,
} from '../src/shop/imports/imports.ts';
import {
  customerImport,
  packageImport,
  saleImport,
  staffImport,
  vendorImport,
} from '../src/shop/moves/import-kinds.ts';
import { type Command, chosenOrganization, flag, operatorOrigin, optional, type Result } from './command.ts';
import type { Deployment } from './deployment.ts';
import { fileAt } from './file-at.ts';
import { ImportProgress } from './import-progress.ts';
import { inspectFile, inspectTable } from './inspect-file.ts';
import { mappingAt } from './mapping-at.ts';
import { ProgressBar } from './progress-bar.ts';
import { type ImportReport, runImport } from './run-import.ts';
import { runSync, type SyncPlan, type SyncRun } from './run-sync.ts';
import { UsageError } from './usage-error.ts';

/** Further problems are only counted here, and listed with `--json`. */
const problemsShownMax = 100;

const options = {
  organization: optional('id of the organization; required if there are several', Id()),
  mapping: optional('JSON file that maps columns to fields'),
  'dry-run': flag('check every row, write nothing'),
  resume: flag('continue where the last run of this file stopped'),
};

const inspect = flag('show what the file says and what is doubtful, and write a mapping to edit');

const productOptions = {
  preset: optional(`the shape of the file: ${presetNames.join(', ')}`, OneOf(presetNames)),
  sync: flag('make the catalog equal to the file: show what it creates, changes and retires, then do it'),
};

function importCommand<Row>(kind: ImportKind<Row>, summary: string): Command {
  return {
    summary,
    argument: 'FILE',
    options: kind.noun === 'products' ? { ...options, inspect, ...productOptions } : { ...options, inspect },
    run: async (deployment, sent) => {
      const { context, operator, config, screen } = deployment;
      const path = sent.argument!;
      formatOf(path);
      const isTrial = sent['dry-run'] !== undefined;
      const organization = await chosenOrganization(operator, sent.organization);
      if (sent.inspect !== undefined) {
        return kind.noun === 'products'
          ? inspectFile(deployment, organization, path, sent)
          : inspectTable(kind, deployment, organization, path, sent);
      }
      const mapping = await mappingOf(kind, path, sent);
      if (sent.sync !== undefined) {
        if (sent.resume !== undefined) throw new UsageError('--sync and --resume cannot be combined.');
        return syncCatalog(deployment, { organization, path, mapping, isTrial });
      }
      const progress = isTrial
        ? null
        : await ImportProgress.of(
            config.dataDir,
            path,
            kind.noun,
            String(organization),
            JSON.stringify(mapping),
          );
      const startedMs = context.clock.now();
      const bar = new ProgressBar(screen, () => context.clock.now());
      try {
        const report = await runImport(kind, {
          context,
          origin: operatorOrigin,
          organization,
          path,
          mapping,
          isTrial,
          progress,
          from: sent.resume === undefined ? null : (progress?.read() ?? null),
          onProgress: (share, { done }) => bar.show(share, `${done.toLocaleString('en-US')} ${kind.noun}`),
        });
        progress?.clear();
        bar.end();
        return resultOf(kind.noun, report, isTrial, context.clock.now() - startedMs);
      } catch (error) {
        bar.end();
        throw error;
      }
    },
  };
}

/** Null: the file has our own columns. The export of a till is known by its headings. */
async function mappingOf<Row>(
  kind: ImportKind<Row>,
  path: string,
  sent: Readonly<Record<string, string>>,
): Promise<ColumnMapping | null> {
  if (sent.mapping !== undefined) {
    if (sent.preset !== undefined) throw new UsageError('--preset and --mapping cannot be combined.');
    return readMapping(mappingAt(sent.mapping), kind.fields);
  }
  const preset = isPresetName(sent.preset) ? sent.preset : null;
  const { mapping, profile } = await guessMapping(fileAt(path), kind, preset);
  if (mapping === null || (preset === null && profile === null)) return null;
  return readMapping(mapping, kind.fields);
}

/** A plan names at most this many products of each kind; `--json` has all. */
const namesShownMax = 100;

async function syncCatalog(
  { context, screen }: Deployment,
  what: Pick<SyncRun, 'organization' | 'path' | 'mapping' | 'isTrial'>,
): Promise<Result> {
  const bar = new ProgressBar(screen, () => context.clock.now());
  try {
    const done = await runSync({
      ...what,
      context,
      origin: operatorOrigin,
      onProgress: (share, counts) => bar.show(share, `${counts.done.toLocaleString('en-US')} products`),
      onPlan: (plan) => {
        if (what.isTrial) return;
        bar.end();
        screen.write(`${planLines(plan, true).join('\n')}\n`);
      },
    });
    bar.end();
    const { create, change, retire, same, refused, problems, warnings } = done;
    return {
      lines: [...linesOf(problems, ''), ...linesOf(warnings, 'warning: '), ...planLines(done, what.isTrial)],
      data: { dryRun: what.isTrial, create, change, retire, same, refused, problems, warnings },
      exitCode: refused === 0 ? 0 : 1,
    };
  } catch (error) {
    bar.end();
    throw error;
  }
}

function planLines({ create, change, retire, same, refused }: SyncPlan, isPlan: boolean): string[] {
  const named = (verb: string, names: readonly string[]): string[] => {
    const lines = names.slice(0, namesShownMax).map((name) => `${verb} ${name}`);
    return names.length > lines.length
      ? [...lines, `… and ${names.length - lines.length} more to ${verb}`]
      : lines;
  };
  const counts =
    `${create.length} ${isPlan ? 'to create' : 'created'}, ${change.length} ${isPlan ? 'to change' : 'changed'}, ` +
    `${retire.length} ${isPlan ? 'to retire' : 'retired'}, ${same} equal, ${refused} refused`;
  const kept =
    refused > 0 ? ['Nothing is retired while rows are refused: a refused row may be the product.'] : [];
  const names = isPlan
    ? [...named('create', create), ...named('change', change), ...named('retire', retire)]
    : [];
  return [...names, ...kept, counts];
}

function resultOf(noun: string, report: ImportReport, isTrial: boolean, tookMs: number): Result {
  const { created, known, refused, done, problems, warnings } = report;
  const seconds = (tookMs / 1000).toFixed(1);
  const lines = [...linesOf(problems, ''), ...linesOf(warnings, 'warning: ')];
  const verb = isTrial ? 'would be created' : 'created';
  lines.push(`${done} ${noun}: ${created} ${verb}, ${known} known, ${refused} refused (${seconds} s)`);
  return {
    lines,
    data: { dryRun: isTrial, [noun]: done, created, known, refused, problems, warnings },
    exitCode: refused === 0 ? 0 : 1,
  };
}

function linesOf(found: readonly RowProblem[], kind: string): string[] {
  const lines = found
    .slice(0, problemsShownMax)
    .map(
      ({ line, column, message }) => `line ${line}${column === null ? '' : `, ${column}`}: ${kind}${message}`,
    );
  if (found.length > lines.length) lines.push(`… and ${found.length - lines.length} more (--json)`);
  return lines;
}

const inspection: Command = {
  summary: 'show what a menu in any shape says, and write a mapping to edit',
  argument: 'FILE',
  options: {
    inspect: { ...inspect, required: true },
    organization: options.organization,
    mapping: options.mapping,
    preset: productOptions.preset,
  },
  run: async (deployment, sent) =>
    inspectFile(
      deployment,
      await chosenOrganization(deployment.operator, sent.organization),
      sent.argument!,
      sent,
    ),
};

/** The operator's commands to import a shop's data (docs/BULK.md). */
export const importCommands: Readonly<Record<string, Command>> = {
  import: inspection,
  'import products': importCommand(productImport, 'import products from a CSV or JSON file'),
  'import customers': importCommand(
    customerImport,
    'import customers from a CSV or JSON file, with points and credit of another till',
  ),
  'import sales': importCommand(
    saleImport,
    'import what another till sold, read only: it counts for purchase limits and on pages of customers',
  ),
  'import packages': importCommand(
    packageImport,
    'import stock with the tags of the state, each package into its places',
  ),
  'import vendors': importCommand(vendorImport, 'import vendors; one of the same name stays as it is'),
  'import staff': importCommand(staffImport, 'import members of staff, who sign in once they are invited'),
};
