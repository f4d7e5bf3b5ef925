import {
  clientKeyFields,
  createClientKey,
  listClientKeys,
  publishableProblem,
  revokeClientKey,
} from '../src/access/keys/keys.ts';
import type { ListedClientKey } from '../src/access/keys/list-client-keys.ts';
import type { TimeZone } from '../src/access/organizations/create-organization.ts';
import {
  createOrganization,
  listOrganizations,
  OrganizationName,
  timeZones,
} from '../src/access/organizations/organizations.ts';
import { resealStaffSecrets, updateSignInRules } from '../src/access/sign-in/staff-sign-in.ts';
import { createStaff, inviteOwner, StaffEmail } from '../src/access/staff/staff.ts';
import { usStates } from '../src/engines/jurisdictions/us-states.ts';
import { allowedAddressesMax, isAddressOrRange } from '../src/kernel/address-ranges.ts';
import { organizationId } from '../src/kernel/ids.ts';
import { isoTimestamp } from '../src/kernel/local-time.ts';
import {
  isKeyPermission,
  type KeyPermission,
  keyPermissions,
  permissions,
  withoutRepetition,
} from '../src/kernel/permission-catalog.ts';
import { Id, OneOf, Timestamp } from '../src/platform/http/schemas.ts';
import { resealMails } from '../src/platform/mail/mail.ts';
import { migrate } from '../src/platform/schema/migrate.ts';
import { keyBytes } from '../src/platform/storage/envelope.ts';
import type { ContentDoubt } from '../src/shop/catalog/check-contents.ts';
import { findContentDoubts } from '../src/shop/catalog/products.ts';
import { resealPatientNumbers } from '../src/shop/customers/customers.ts';
import { resealDriverLicenses } from '../src/shop/deliveries/deliveries.ts';
import { findMissingMasterKeys, purgeDocuments, rewrapDocuments } from '../src/shop/documents/documents.ts';
import { resealPaymentSecrets } from '../src/shop/payments/payments.ts';
import { createOpenReduction } from '../src/shop/promotions/promotions.ts';
import { resealStateKeys } from '../src/shop/traceability/traceability.ts';
import { resealSecrets } from '../src/shop/webhooks/webhooks.ts';
import { auditCommands } from './audit-commands.ts';
import { backupCommands } from './backup-commands.ts';
import {
  auditCommand,
  type Command,
  chosenOrganizations,
  existingOrganization,
  flag,
  optional,
  operatorOrigin as origin,
  required,
  requiredOrEmpty,
  wholeNumber,
} from './command.ts';
import type { CommandGroup } from './command-line.ts';
import { completionCommands } from './completion-command.ts';
import { distributeCommands } from './distribute-command.ts';
import { exportCommands } from './export-commands.ts';
import { importCommands } from './import-commands.ts';
import { integratorCommands } from './integrator-commands.ts';
import { lawCommands } from './law-commands.ts';
import { moveCommands } from './move-commands.ts';
import { organizationMoveCommands } from './organization-move-commands.ts';
import { paymentServerCommands } from './payment-server-command.ts';
import { quotaCommands } from './quota-commands.ts';
import { reconcileCommands } from './reconcile-commands.ts';
import { remoteCommands } from './remote-commands.ts';
import { restoreCommands } from './restore-commands.ts';
import { sandboxCommands } from './sandbox-commands.ts';
import { demoCommands } from './seed-command.ts';
import { stateCommands } from './state-commands.ts';
import { stateServerCommands } from './state-server-command.ts';
import { statusCommands } from './status-command.ts';
import { upgradeCommands } from './upgrade-commands.ts';
import { UsageError } from './usage-error.ts';
import { verifyCommands } from './verify-commands.ts';

const doubtsShownMax = 10_000;

/** The operator's commands for organizations. They do not use HTTP, and nor do those of keys, documents and the schema. */
const organizationCommands: Readonly<Record<string, Command>> = {
  'organization create': {
    summary: 'create an organization (a retailer)',
    options: {
      name: required('its name', OrganizationName),
      state: required('US state, two capital letters', OneOf(usStates)),
      tz: required(timeZones.join(' | '), OneOf(timeZones)),
      'owner-email': optional('also create the owner; the password is shown once', StaffEmail),
      practice: flag('a shop to practice in: the law of hours and of named buyers does not bind it'),
    },
    run: async ({ context }, { name, state, tz, 'owner-email': ownerEmail, practice }) => {
      const id = await createOrganization(context, origin, {
        name: name!,
        state: state!,
        tz: tz as TimeZone,
        isPractice: practice !== undefined,
      });
      await createOpenReduction(context, origin, id);
      if (ownerEmail === undefined) return { lines: [`Organization ${id}: ${name}`], data: { id, name } };
      const password = Buffer.from(context.randomBytes(12)).toString('base64url');
      await createStaff(context, origin, id, [
        { email: ownerEmail, firstName: 'Owner', lastName: '', role: 'owner', password },
      ]);
      return {
        lines: [`Organization ${id}: ${name}`, `Owner ${ownerEmail}, password (shown once): ${password}`],
        data: { id, name, owner: { email: ownerEmail, password } },
      };
    },
  },
  'organization list': {
    summary: 'list the organizations',
    options: {},
    run: async ({ operator }) => {
      const at = (ms: number | null) => (ms === null ? null : isoTimestamp(ms));
      const listed = (await listOrganizations(operator)).map(({ id, name, state, tz, ...row }) => ({
        ...{ id, name, state, tz, suspendedAt: at(row.suspended_at), endsAt: at(row.ends_at) },
      }));
      const lines = listed.map(
        ({ id, name, state, tz, suspendedAt, endsAt }) =>
          `${id}  ${state}  ${tz}  ${name}${suspendedAt === null ? '' : '  suspended'}${endsAt === null ? '' : `, deleted after ${endsAt}`}`,
      );
      return { lines: listed.length === 0 ? ['none'] : lines, data: listed };
    },
  },
  'organization invite-owner': {
    summary: 'invite an owner, or an owner who is locked out; prints the invitation link once',
    options: {
      organization: required('id of the organization', Id()),
      email: required('email of the owner', StaffEmail),
    },
    run: async ({ context, config, operator }, { organization: id, email }) => {
      const organization = await existingOrganization(operator, id!);
      const { row, inviteToken } = await inviteOwner(
        context,
        config.environment,
        origin,
        organization,
        email!,
      );
      const base = config.publicUrl ?? `http://127.0.0.1:${config.port}`;
      return {
        lines: [
          `Owner ${row.id} of organization ${organization}: ${row.email}`,
          // The same link as in the console.
          `Works once, within 7 days (shown once): ${base}/console/invitation#${inviteToken}`,
        ],
        data: { id: row.id, organizationId: organization, email: row.email, inviteToken },
      };
    },
  },
  'organization unlock': {
    summary: 'let the staff of an organization sign in from every network, if its owners are locked out',
    options: { organization: required('id of the organization', Id()) },
    run: async ({ context, operator }, { organization: id }) => {
      const organization = await existingOrganization(operator, id!);
      await updateSignInRules(context, origin, organization, { allowedAddresses: [] });
      return {
        lines: [`Staff of organization ${organization} sign in from every address, within a second`],
        data: { organizationId: organization, allowedAddresses: [] },
      };
    },
  },
};

const clientKeyCommands: Readonly<Record<string, Command>> = {
  'client-key create': {
    summary: "issue an organization's key for an integrator; prints it once",
    options: {
      organization: required('id of the organization', Id()),
      integrator: required('id of the integrator', Id()),
      permissions: requiredOrEmpty(
        `some of ${permissions.join(',')}, also with :read or :write where it has both, separated by commas, or "" for none`,
      ),
      name: optional('name of the key', clientKeyFields.name),
      expires: optional('expiry, such as 2027-01-31T00:00:00Z', Timestamp()),
      'menu-rate': optional('menu requests per second, by default 4', clientKeyFields.requestsPerSecond),
      rate: optional('other requests per second, by default 15', clientKeyFields.requestsPerSecond),
      strict: flag('refuse unknown names in bodies and queries; staging keys always do'),
      addresses: optional('allowed addresses and ranges, separated by commas'),
      vouched: flag('the integrator signs its customers in itself: who it names is the customer'),
      publishable: flag('make a key for web pages, which works without a consumer key; needs --origins'),
      origins: optional('origins of these pages, such as https://shop.example, separated by commas'),
    },
    run: async ({ context, config, operator }, options) => {
      const wanted = [...new Set(options.permissions!.split(',').flatMap((text) => text.trim() || []))];
      const unknown = wanted.find((text) => !isKeyPermission(text));
      if (unknown !== undefined) {
        throw new UsageError(`--permissions: ${unknown} is not one of ${keyPermissions.join(', ')}`);
      }
      const expiresAtMs = options.expires === undefined ? null : Date.parse(options.expires);
      if (expiresAtMs !== null && !(expiresAtMs > context.clock.now())) {
        throw new UsageError('--expires must be in the future, such as 2027-01-31T00:00:00Z');
      }
      const addresses = (options.addresses ?? '').split(',').flatMap((text) => text.trim() || []);
      const strange = addresses.find((text) => !isAddressOrRange(text));
      if (strange !== undefined || addresses.length > allowedAddressesMax) {
        throw new UsageError(
          `--addresses must be at most ${allowedAddressesMax} IPv4 or IPv6 addresses, or ranges such as 203.0.113.0/24`,
        );
      }
      const granted = withoutRepetition(wanted.filter(isKeyPermission));
      const origins = wantedOrigins(options, granted);
      const organization = await existingOrganization(operator, options.organization!);
      const { id, clientKey } = await createClientKey(context, config.environment, origin, organization, {
        integratorId: wholeNumber('integrator', options.integrator!),
        name: options.name ?? 'Issued by the operator',
        permissions: granted,
        expiresAtMs,
        allowedAddresses: addresses,
        origins,
        ...(options.vouched !== undefined && { vouches: true }),
        ...(options.strict !== undefined && { strict: true }),
        requestsPerSecond: {
          ...(options['menu-rate'] && { menu: wholeNumber('menu-rate', options['menu-rate']) }),
          ...(options.rate && { other: wholeNumber('rate', options.rate) }),
        },
      });
      return {
        lines: [`Client key ${id}`, `Client key (shown once): ${clientKey}`],
        data: { id, clientKey, permissions: granted },
      };
    },
  },
  'client-key list': {
    summary: "list an organization's client keys, ended ones included; the key texts are never shown",
    options: { organization: required('id of the organization', Id()) },
    run: async ({ context, operator }, { organization }) => {
      const rows = await listClientKeys(context, await existingOrganization(operator, organization!));
      return { lines: rows.length === 0 ? ['none'] : rows.map(clientKeyLine), data: rows };
    },
  },
  'client-key revoke': {
    summary: 'revoke a client key; it is refused everywhere within one second',
    options: {
      organization: required('id of the organization', Id()),
      id: required('id of the key', Id()),
    },
    run: async ({ context, operator }, options) => {
      const id = wholeNumber('id', options.id!);
      await revokeClientKey(context, origin, await existingOrganization(operator, options.organization!), id);
      return { lines: [`Client key ${id} is revoked`], data: { id, revoked: true } };
    },
  },
};

const schemaCommands: Readonly<Record<string, Command>> = {
  migrate: {
    summary: 'bring the database schema up to date',
    options: {
      contract: flag('also run what waits for processes of an earlier release to end; those may then fail'),
    },
    migrates: true,
    run: async ({ applied, waiting, database }, { contract }) => {
      const contracted = contract && waiting.length > 0;
      const then = contracted
        ? await migrate(database.owner, { contractsNow: true })
        : { applied: [], waiting };
      const all = [...applied, ...then.applied];
      return {
        lines: [
          ...(all.length === 0 ? ['The schema is up to date'] : all.map((file) => `Applied ${file}`)),
          ...then.waiting.map((file) => `${file} waits until no process of an earlier release is connected`),
        ],
        data: { applied: all, waiting: then.waiting },
      };
    },
  },
};

const documentCommands: Readonly<Record<string, Command>> = {
  'documents rotate-key': {
    summary: 'encrypt the keys of customer documents with a new master key; the files do not change',
    options: {},
    run: async ({ context, operator, documentFiles }) => {
      const { keys } = documentFiles;
      const randomBytes = (count: number) => context.randomBytes(count);
      const listed = await listOrganizations(operator);
      // Checked before a key is created or made the first one.
      const missing = await findMissingMasterKeys(context.database, documentFiles, listed);
      if (missing !== null) throw new Error(missing);
      const former = await keys.load(randomBytes);
      const organizations = listed.map(({ id }) => organizationId(id));
      // First finishes an interrupted rotation: then all documents need only the present key, and the keys before it can be
      // removed. The present key itself does not change, for a running service that has just read it.
      let documents = 0;
      const rewrap = async (id: ReturnType<typeof organizationId>) => {
        await resealSecrets(context, keys, id);
        await resealStaffSecrets(context, keys, id);
        await resealMails(context, id);
        await resealPatientNumbers(context, id);
        await resealStateKeys(context, id);
        await resealPaymentSecrets(context, id);
        await resealDriverLicenses(context, id);
        return rewrapDocuments(context, documentFiles, origin, id);
      };
      for (const id of organizations) {
        documents += await rewrap(id);
      }
      if (keys.isKeptInFile) {
        await keys.addToFile(randomBytes(keyBytes), ({ id }) => id === former[0].id);
        documents = 0;
        for (const id of organizations) {
          documents += await rewrap(id);
        }
      }
      const [{ id: masterKeyId }] = await keys.load(randomBytes);
      // Also of those without documents: the secrets of staff and webhooks are sealed anew.
      await auditCommand(context, organizations, { masterKeyId });
      return {
        lines: [
          `${documents} documents are now encrypted with the key ${masterKeyId}`,
          ...(keys.isKeptInFile ? [] : ['DOCUMENT_MASTER_KEY needs its first key only']),
        ],
        data: { documents, masterKeyId },
      };
    },
  },
  'documents purge': {
    summary: 'delete customer documents past their retention; a running service does this every hour',
    options: {},
    run: async ({ context, operator, documentFiles }) => {
      let documents = 0;
      for (const { id } of await listOrganizations(operator)) {
        documents += await purgeDocuments(context, documentFiles, origin, organizationId(id));
      }
      return { lines: [`${documents} documents deleted`], data: { documents } };
    },
  },
};

const contentCommands: Readonly<Record<string, Command>> = {
  'check-contents': {
    summary: 'list the options whose content contradicts their size; exit code 1 if there are any',
    options: { organization: optional('only this organization', Id()) },
    run: async ({ context, operator }, options) => {
      const chosen = await chosenOrganizations(operator, options.organization);
      const doubts: (ContentDoubt & { readonly organizationId: number })[] = [];
      let count = 0;
      for (const id of chosen) {
        for await (const doubt of findContentDoubts(context, id)) {
          if (count++ < doubtsShownMax) doubts.push({ organizationId: Number(id), ...doubt });
        }
      }
      const more = count - doubts.length;
      return {
        lines: [
          ...doubts.map(doubtLine),
          ...(more > 0 ? [`… and ${more} more`] : []),
          count === 0
            ? 'No content contradicts its size'
            : `${count} options: purchase limits count the content`,
        ],
        data: { organizations: chosen.length, count, doubts },
        exitCode: count === 0 ? 0 : 1,
      };
    },
  },
};

/** Every command, in the groups of the help. */
export const commandGroups: readonly CommandGroup[] = [
  {
    title: 'Run the service',
    commands: {
      ...statusCommands,
      ...upgradeCommands,
      ...schemaCommands,
      ...distributeCommands,
      ...demoCommands,
    },
  },
  {
    title: 'Organizations and their data',
    commands: {
      ...organizationCommands,
      ...organizationMoveCommands,
      ...quotaCommands,
      ...stateCommands,
      ...importCommands,
      ...moveCommands,
      ...exportCommands,
      ...contentCommands,
    },
  },
  {
    title: 'Integrators and their keys',
    commands: { ...integratorCommands, ...clientKeyCommands, ...sandboxCommands },
  },
  { title: 'For integrators, over HTTP', commands: remoteCommands },
  { title: 'Backup and restore', commands: { ...backupCommands, ...restoreCommands, ...verifyCommands } },
  {
    title: 'Prove and keep in order',
    commands: { ...auditCommands, ...reconcileCommands, ...documentCommands, ...lawCommands },
  },
  { title: 'Stand-ins for trials', commands: { ...stateServerCommands, ...paymentServerCommands } },
  { title: 'This command', commands: completionCommands(() => commands) },
];

export const commands: Readonly<Record<string, Command>> = Object.assign(
  {},
  ...commandGroups.map((group) => group.commands),
);

function doubtLine(doubt: ContentDoubt & { readonly organizationId: number }): string {
  const { organizationId, productId, productName, productOptionId, reason } = doubt;
  return `Organization ${organizationId}, product ${productId} (${productName}): option ${productOptionId} ${reason}`;
}

function clientKeyLine(key: ListedClientKey): string {
  const { id, integratorName, name, keyPrefix, permissions, strict, allowedAddresses, origins } = key;
  const { customers, state, expiresAt } = key;
  const until = state === 'active' && expiresAt !== null ? ` until ${expiresAt}` : '';
  const pages = origins.length === 0 ? '' : `  for pages of ${origins.join(',')}`;
  const from = allowedAddresses.length === 0 ? '' : `  from ${allowedAddresses.join(',')}`;
  return (
    `${id}  ${integratorName}  ${name}  ${keyPrefix}…  ${permissions.join(',') || 'none'}` +
    `${strict ? '  strict' : ''}  customers ${customers}${pages}${from}  ${state}${until}`
  );
}

/** The origins of a publishable key (D67); none for a secret one. */
function wantedOrigins(
  { publishable, origins = '' }: Readonly<Record<string, string>>,
  wanted: readonly KeyPermission[],
): readonly string[] {
  const named = origins.split(',').flatMap((text) => text.trim() || []);
  if (publishable === undefined) {
    if (named.length > 0) throw new UsageError('--origins needs --publishable');
    return [];
  }
  if (named.length > clientKeyFields.originsMax) {
    throw new UsageError(`--origins: at most ${clientKeyFields.originsMax}`);
  }
  const problem = publishableProblem(named, wanted);
  if (problem !== null) throw new UsageError(`--${problem.replace(/\.$/, '')}`);
  return named;
}
