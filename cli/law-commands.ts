import { readFileSync, writeFileSync } from 'node:fs';
import type { EditionFile, ImportPlan } from '../src/hosting/law/import-edition.ts';
import {
  checkedEdition,
  EditionRefused,
  editionBytes,
  findSigner,
  importEdition,
  keyIdOf,
  makeSigningKey,
  planImport,
  readEditionInForce,
  signEdition,
} from '../src/hosting/law/law-editions.ts';
import type { LawFault } from '../src/hosting/law/law-faults.ts';
import type { ChangedOrganization } from '../src/hosting/law/tell-owners.ts';
import type { Config } from '../src/hosting/startup/config.ts';
import { reasonOfFileFailure } from '../src/kernel/file-failure.ts';
import { isoTimestamp, localDateAt } from '../src/kernel/local-time.ts';
import type { LawOnOrders } from '../src/shop/orders/compare-law.ts';
import { compareLawOnOrders } from '../src/shop/orders/orders.ts';
import { accountName, type Command, flag, operatorOrigin, type Result, required } from './command.ts';
import type { Deployment } from './deployment.ts';
import { UsageError } from './usage-error.ts';

/** The operator's commands for editions of the law (docs/OPERATIONS.md). */
export const lawCommands: Readonly<Record<string, Command>> = {
  'law show': {
    summary: 'show the edition of the law in force and its origin',
    options: {},
    run: async ({ operator }) => {
      const { edition, origin, newest } = await readEditionInForce(operator);
      const { edition: name, issuedOn, note, jurisdictions } = edition;
      const imported = origin.kind === 'shipped' ? null : newest;
      const importedAt = imported === null ? null : isoTimestamp(imported.imported_at);
      const signer = imported?.key_id == null ? 'unsigned' : `signed by the key ${imported.key_id}`;
      return {
        lines: [
          `Edition ${name}, issued on ${issuedOn}: ${jurisdictions.length} states`,
          note,
          imported === null
            ? 'Shipped with this program'
            : `Imported at ${importedAt} by ${imported.imported_by}, ${signer}`,
        ],
        data: {
          ...{ edition: name, issuedOn, note, source: origin.kind, importedAt },
          importedBy: imported?.imported_by ?? null,
          signedBy: imported?.key_id ?? null,
        },
      };
    },
  },
  'law check': {
    summary: 'check an edition, by default the one in force; exit code 1 if it has faults',
    argument: 'FILE',
    argumentIsOptional: true,
    options: {},
    runAlone: (_, { argument }) => (argument === undefined ? null : checked(readBytes(argument))),
    run: async ({ operator }) => checked(await editionBytes(operator)),
  },
  'law export': {
    summary: 'write the edition in force to a file',
    argument: 'FILE',
    options: {},
    run: async ({ operator }, { argument }) => {
      const { edition } = await readEditionInForce(operator);
      writeNew(argument!, await editionBytes(operator), 0o644);
      return {
        lines: [`Edition ${edition.edition} in ${argument}`],
        data: { file: argument, edition: edition.edition },
      };
    },
  },
  'law keygen': {
    summary:
      'create a key pair to sign editions; the private key goes to a new file, the public key to the output',
    argument: 'KEYFILE',
    options: {},
    runAlone: (_, { argument }) => {
      const { privateKeyPem, publicKey } = makeSigningKey();
      writeNew(argument!, Buffer.from(privateKeyPem), 0o600);
      const text = Buffer.from(publicKey).toString('base64');
      return {
        lines: [
          `Private key in ${argument}: keep it only where editions are signed`,
          `Public key, for LAW_PUBLIC_KEYS of every deployment that trusts it: ${text}`,
        ],
        data: { file: argument, publicKey: text, keyId: keyIdOf(publicKey) },
      };
    },
    run: needsNoDatabase,
  },
  'law sign': {
    summary: 'sign an edition; writes FILE.sig',
    argument: 'FILE',
    options: { key: required('private key file from law keygen') },
    runAlone: (_, { argument, key }) => {
      const bytes = readBytes(argument!);
      const { edition } = checkedEdition(bytes);
      const signature = signed(bytes, key!);
      writeFileSync(`${argument}.sig`, signature);
      return {
        lines: [`Edition ${edition}: signature in ${argument}.sig`],
        data: { file: `${argument}.sig`, edition, keyId: signature.split(' ')[1] },
      };
    },
    run: needsNoDatabase,
  },
  'law import': {
    summary: 'put an edition in force for all organizations; running processes use it within seconds',
    argument: 'FILE',
    options: {
      'dry-run': flag('show the changes for each organization; writes nothing'),
      force: flag('go back to an earlier edition'),
      unsigned: flag('import without a signature; only if LAW_PUBLIC_KEYS is not set'),
    },
    run: runImport,
  },
};

/** Commands with `runAlone` do not use a deployment. */
async function needsNoDatabase(): Promise<Result> {
  throw new Error('This command works without a database.');
}

async function runImport(
  { config, operator, context, database }: Deployment,
  options: Readonly<Record<string, string>>,
): Promise<Result> {
  const isTrial = options['dry-run'] !== undefined;
  const file = readEditionFile(options.argument!, config, options.unsigned !== undefined);
  let plan: ImportPlan;
  try {
    plan = await planImport(operator, file, options.force !== undefined);
  } catch (error) {
    if (error instanceof EditionRefused && error.faults.length > 0) return faultsResult(error.faults);
    throw error;
  }
  const effects: { organization: ChangedOrganization; orders: LawOnOrders }[] = [];
  for (const organization of plan.organizations) {
    effects.push({ organization, orders: await ordersUnder(plan, organization, context) });
  }
  if (!isTrial) await importEdition(database.owner, context, operatorOrigin, plan, accountName());
  const { edition, former } = plan;
  return {
    lines: [
      isTrial
        ? `Nothing is written. Edition ${edition.edition} would replace ${former.edition}.`
        : `Edition ${edition.edition} replaces ${former.edition}. Running processes use it within seconds.`,
      ...(effects.length === 0 ? ['No limit, age, tax or rule of any organization changes.'] : []),
      ...effects.flatMap(effectLines),
    ],
    data: {
      edition: edition.edition,
      formerEdition: former.edition,
      dryRun: isTrial,
      signedBy: file.signature?.keyId ?? null,
      organizations: effects.map(({ organization: { id, name, state, changes }, orders }) => ({
        ...{ id, name, state, changes, orders },
      })),
    },
  };
}

/** The orders under the last of the coming changes: next month's changes count too. */
function ordersUnder(
  { former, edition }: ImportPlan,
  { id, state, tz, changes }: ChangedOrganization,
  context: Deployment['context'],
): Promise<LawOnOrders> {
  const nowMs = context.clock.now();
  const days = changes
    .filter(({ kind }) => kind === 'limit' || kind === 'age')
    .map(({ from }) => from)
    .filter((from) => from !== null);
  const asOf = [localDateAt(nowMs, tz), ...days].reduce((last, day) => (day > last ? day : last));
  const [before, after] = [former, edition].map(
    ({ jurisdictions }) => jurisdictions.find((it) => it.state === state) ?? null,
  );
  return compareLawOnOrders(context.database, id, { before: before!, after: after! }, asOf, nowMs);
}

function effectLines({
  organization: { id, name, state, changes },
  orders: { asOf, checked, newlyRefused, newlyAllowed },
}: {
  readonly organization: ChangedOrganization;
  readonly orders: LawOnOrders;
}): string[] {
  const examples = (names: readonly string[]) => (names.length === 0 ? '' : ` (${names.join(', ')})`);
  return [
    `Organization ${id}, ${name} (${state}):`,
    ...changes.map(({ words }) => `  ${words}`),
    ...(changes.some(({ kind }) => kind === 'tax')
      ? ['  Its taxes do not change until its owner applies the preset again; a warning says so.']
      : []),
    `  Of its last ${checked} orders, by the limits and ages of ${asOf}: ${newlyRefused.count} would now be ` +
      `refused${examples(newlyRefused.examples)}, ${newlyAllowed.count} would now be allowed${examples(newlyAllowed.examples)}.`,
  ];
}

/** Reads a file and its signature. Throws if no trusted key signed these bytes. */
function readEditionFile(path: string, { lawPublicKeys }: Config, isUnsigned: boolean): EditionFile {
  const bytes = readBytes(path);
  if (isUnsigned) {
    if (lawPublicKeys.length > 0) {
      throw new UsageError(
        '--unsigned is for deployments without LAW_PUBLIC_KEYS; here, sign the file (law sign)',
      );
    }
    return { bytes, signature: null };
  }
  if (lawPublicKeys.length === 0) {
    throw new EditionRefused(
      'LAW_PUBLIC_KEYS is not set, so signatures cannot be checked. Set it to the public keys that you trust (law keygen ' +
        'prints one), or vouch for the file yourself with --unsigned.',
    );
  }
  const text = readBytes(`${path}.sig`, 'Sign the file with law sign').toString('utf8');
  const keyId = findSigner(bytes, text, lawPublicKeys);
  if (keyId === null) {
    throw new EditionRefused(
      `${path}.sig is not a signature of this file by a key in LAW_PUBLIC_KEYS: the file was changed after signing, or ` +
        'it was signed with another key. Nothing was imported.',
    );
  }
  return { bytes, signature: { text, keyId } };
}

function checked(bytes: Uint8Array): Result {
  try {
    const { edition, jurisdictions } = checkedEdition(bytes);
    return {
      lines: [`Edition ${edition}: no faults (${jurisdictions.length} states)`],
      data: { edition, faults: [] },
    };
  } catch (error) {
    if (error instanceof EditionRefused) return faultsResult(error.faults);
    throw error;
  }
}

const faultsShownMax = 200;

function faultsResult(faults: readonly LawFault[]): Result {
  const told = faults.slice(0, faultsShownMax);
  const more = faults.length - told.length;
  return {
    lines: [
      ...told.map(
        ({ state, field, problem, line }) =>
          `${line === undefined ? '' : `line ${line}: `}${state === null ? '' : `${state} `}${field} ${problem}`,
      ),
      ...(more > 0 ? [`… and ${more} more`] : []),
      `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}: this edition cannot be imported`,
    ],
    data: { faults: told, count: faults.length },
    exitCode: 1,
  };
}

function signed(bytes: Uint8Array, keyPath: string): string {
  const pem = readBytes(keyPath).toString('utf8');
  try {
    return signEdition(bytes, pem);
  } catch {
    throw new UsageError(`--key: ${keyPath} does not contain an Ed25519 private key from law keygen`);
  }
}

function readBytes(path: string, remedy = 'Choose another file'): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${reasonOfFileFailure(error)}. ${remedy}.`);
  }
}

/** Writes a new file; never overwrites. */
function writeNew(path: string, bytes: Uint8Array, mode: number): void {
  try {
    writeFileSync(path, bytes, { mode, flag: 'wx' });
  } catch (error) {
    const reason = reasonOfFileFailure(error, { EEXIST: 'it already exists' });
    throw new UsageError(`${path} cannot be written: ${reason}. Choose another file.`);
  }
}
