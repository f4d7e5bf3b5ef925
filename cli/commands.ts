import { ensureDemo } from '../seed/ensure-demo.ts';
import {
  createClientKey,
  createIntegrator,
  createOrganization,
  createStaff,
  listOrganizations,
  revokeClientKey,
  type TimeZone,
  timeZones,
} from '../src/access/organizations.ts';
import type { Origin } from '../src/database/context.ts';
import type { Database } from '../src/database/database.ts';
import { selectStockDrift } from '../src/inventory/stock.ts';
import { type OrganizationId, organizationId } from '../src/kernel/ids.ts';
import { isPermission, permissions } from '../src/kernel/permission-catalogue.ts';
import type { Deployment } from './deployment.ts';

/** A wrong use of the command line; shown with the command's usage. */
export class UsageError extends Error {
  override name = 'UsageError';
}

interface Result {
  /** For people. */
  readonly lines: readonly string[];
  /** The same for programs (`--json`). */
  readonly data: unknown;
  /** By default 0. */
  readonly exitCode?: number;
}

export interface Command {
  readonly summary: string;
  readonly options: Readonly<Record<string, { readonly required: boolean; readonly text: string }>>;
  run(deployment: Deployment, options: Readonly<Record<string, string>>): Promise<Result>;
}

const origin: Origin = { actor: 'job:operator', requestId: null };

const required = (text: string) => ({ required: true, text });
const optional = (text: string) => ({ required: false, text });

/** The operator's commands. None of them goes over HTTP. */
export const commands: Readonly<Record<string, Command>> = {
  'organization create': {
    summary: 'create an organization (a retailer)',
    options: {
      name: required('its name'),
      state: required('US state, two letters'),
      tz: required(timeZones.join(' | ')),
      'owner-email': optional('also create the owner, with a password that is shown once'),
    },
    run: async ({ context }, { name, state, tz, 'owner-email': ownerEmail }) => {
      if (!/^[A-Z]{2}$/.test(state!)) throw new UsageError('--state must be two capital letters, such as CA');
      if (!timeZones.includes(tz as TimeZone))
        throw new UsageError(`--tz must be one of ${timeZones.join(', ')}`);
      if (ownerEmail !== undefined && !/^[^\s@]+@[^\s@]+$/.test(ownerEmail)) {
        throw new UsageError('--owner-email must be an email address');
      }
      const id = await createOrganization(context, origin, {
        name: name!,
        state: state!,
        tz: tz as TimeZone,
      });
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
      const rows = await listOrganizations(operator);
      return {
        lines:
          rows.length === 0 ? ['none'] : rows.map((row) => `${row.id}  ${row.state}  ${row.tz}  ${row.name}`),
        data: rows,
      };
    },
  },
  'integrator create': {
    summary: 'register an integrator; prints its consumer key once',
    options: { name: required("the company's name") },
    run: async ({ context, config }, { name }) => {
      const { id, consumerKey } = await createIntegrator(context, config.environment, name!);
      return {
        lines: [`Integrator ${id}: ${name}`, `Consumer key (shown once): ${consumerKey}`],
        data: { id, name, consumerKey },
      };
    },
  },
  'client-key create': {
    summary: "issue an organization's key for an integrator; prints it once",
    options: {
      organization: required('id of the organization'),
      integrator: required('id of the integrator'),
      permissions: required(`some of ${permissions.join(',')}, separated by commas`),
      name: optional('to tell keys apart'),
      expires: optional('a moment such as 2027-01-31T00:00:00Z'),
      'menu-rate': optional('requests a second at the menu address, by default 4'),
      rate: optional('requests a second elsewhere, by default 15'),
    },
    run: async ({ context, config, operator }, options) => {
      const wanted = options.permissions!.split(',').map((text) => text.trim());
      const unknown = wanted.find((text) => !isPermission(text));
      if (unknown !== undefined) {
        throw new UsageError(`--permissions: ${unknown} is none of ${permissions.join(', ')}`);
      }
      const expiresAtMs = options.expires === undefined ? null : Date.parse(options.expires);
      if (expiresAtMs !== null && !(expiresAtMs > context.clock.now())) {
        throw new UsageError('--expires must be a moment in the future, such as 2027-01-31T00:00:00Z');
      }
      const organization = await existingOrganization(operator, options.organization!);
      const { id, clientKey } = await createClientKey(context, config.environment, origin, organization, {
        integratorId: wholeNumber('integrator', options.integrator!),
        name: options.name ?? 'Issued by the operator',
        permissions: wanted.filter(isPermission),
        expiresAtMs,
        requestsPerSecond: {
          ...(options['menu-rate'] && { menu: wholeNumber('menu-rate', options['menu-rate']) }),
          ...(options.rate && { other: wholeNumber('rate', options.rate) }),
        },
      });
      return {
        lines: [`Client key ${id}`, `Client key (shown once): ${clientKey}`],
        data: { id, clientKey, permissions: wanted },
      };
    },
  },
  'client-key revoke': {
    summary: 'end a client key; it is refused everywhere within a second',
    options: { organization: required('id of the organization'), id: required('id of the key') },
    run: async ({ context, operator }, options) => {
      const id = wholeNumber('id', options.id!);
      await revokeClientKey(context, origin, await existingOrganization(operator, options.organization!), id);
      return { lines: [`Client key ${id} is revoked`], data: { id, revoked: true } };
    },
  },
  migrate: {
    summary: 'bring the database schema up to date',
    options: {},
    run: async ({ applied }) => ({
      lines: applied.length === 0 ? ['The schema is up to date'] : applied.map((file) => `Applied ${file}`),
      data: { applied },
    }),
  },
  seed: {
    summary: 'make the demo shops in a database without organizations',
    options: {},
    run: async ({ config, database, say }) => {
      const urls = {
        baseUrl: `http://127.0.0.1:${config.port}`,
        menuUrl: `http://127.0.0.1:${config.menuPort}`,
      };
      const seeded = await ensureDemo(config, database, urls, say);
      return seeded
        ? { lines: [`Keys and sign-in: ${config.dataDir}/demo.json`], data: { seeded } }
        : { lines: ['Nothing to do: there are organizations already'], data: { seeded } };
    },
  },
  status: {
    summary: 'tell what is there and whether it runs',
    options: {},
    run: async ({ config, database, operator }) => {
      const organizations = (await listOrganizations(operator)).length;
      const where = config.databaseUrl === undefined ? 'embedded' : 'external';
      const running = where === 'embedded' ? database.isShared : null;
      return {
        lines: [
          `Data         ${config.dataDir}`,
          `Database     ${where}${running === null ? '' : running ? ', in use by a running server' : ', no server running'}`,
          `Environment  ${config.environment}`,
          `Organizations ${organizations}`,
        ],
        data: {
          dataDir: config.dataDir,
          database: where,
          serverRunning: running,
          environment: config.environment,
          organizations,
        },
      };
    },
  },
  reconcile: {
    summary: 'compare every stock balance with the ledger; exit code 1 when they differ',
    options: { organization: optional('only this organization') },
    run: async ({ context, operator }, options) => {
      const all = await listOrganizations(operator);
      const chosen =
        options.organization === undefined
          ? all
          : all.filter((row) => row.id === wholeNumber('organization', options.organization!));
      if (chosen.length === 0 && options.organization !== undefined) {
        throw new UsageError(`--organization: there is no organization ${options.organization}`);
      }
      const drifts = [];
      for (const { id } of chosen) {
        const [rows] = await context.database.read(organizationId(id), selectStockDrift({}));
        drifts.push(...rows.map((row) => ({ organizationId: id, ...row })));
      }
      return {
        lines:
          drifts.length === 0
            ? [`All balances agree with the ledger (${chosen.length} organizations)`]
            : drifts.map(
                (drift) =>
                  `Organization ${drift.organizationId}, product ${drift.product_id}, option ${drift.product_option_id}, ` +
                  `location ${drift.inventory_location_id}, package ${drift.package_id}: balance ${drift.balance}, ledger ${drift.ledger}`,
              ),
        data: { organizations: chosen.length, drifts },
        exitCode: drifts.length === 0 ? 0 : 1,
      };
    },
  },
};

async function existingOrganization(operator: Database, text: string): Promise<OrganizationId> {
  const id = wholeNumber('organization', text);
  const rows = await listOrganizations(operator);
  if (!rows.some((row) => row.id === id))
    throw new UsageError(`--organization: there is no organization ${id}`);
  return organizationId(id);
}

function wholeNumber(option: string, text: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text)) throw new UsageError(`--${option} must be a number`);
  return Number(text);
}
