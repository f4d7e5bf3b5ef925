import {
  createIntegrator,
  IntegratorName,
  listClientKeys,
  listIntegrators,
  revokeIntegrator,
  rotateConsumerKey,
} from '../src/access/keys/keys.ts';
import type { ListedIntegrator } from '../src/access/keys/list-integrators.ts';
import { listOrganizations } from '../src/access/organizations/organizations.ts';
import { type OrganizationId, organizationId } from '../src/kernel/ids.ts';
import { Id, WholeNumber } from '../src/platform/http/schemas.ts';
import {
  auditCommand,
  type Command,
  optional,
  operatorOrigin as origin,
  required,
  wholeNumber,
} from './command.ts';
import type { Deployment } from './deployment.ts';
import { UsageError } from './usage-error.ts';

/** The same limit as for client keys. */
const overlapHoursMax = 720;
const overlapHoursDefault = 24;

/** Options that name an integrator. */
export const whichIntegrator = {
  id: optional('id of the integrator; required without --name', Id()),
  name: optional('its name, if it is unique'),
};

/** The operator's commands for integrators, which belong to no organization. */
export const integratorCommands: Readonly<Record<string, Command>> = {
  'integrator create': {
    summary: 'register an integrator; prints its consumer key once',
    options: { name: required("the company's name", IntegratorName) },
    run: async ({ context, config }, { name }) => {
      const { id, consumerKey } = await createIntegrator(context, config.environment, name!);
      return {
        lines: [`Integrator ${id}: ${name}`, `Consumer key (shown once): ${consumerKey}`],
        data: { id, name, consumerKey },
      };
    },
  },
  'integrator list': {
    summary: 'list the integrators, revoked ones included, with the dates of their keys',
    options: {},
    run: async ({ context }) => {
      const rows = await listIntegrators(context);
      return { lines: rows.length === 0 ? ['none'] : rows.map(listedLine), data: rows };
    },
  },
  'integrator rotate-key': {
    summary: 'give an integrator a new consumer key; prints it once',
    options: {
      ...whichIntegrator,
      'overlap-hours': optional(
        `hours that the previous key stays valid: 0 to ${overlapHoursMax}, by default ${overlapHoursDefault}`,
        WholeNumber({ min: 0, max: overlapHoursMax }),
      ),
    },
    run: async (deployment, options) => {
      const overlapHours = Number(options['overlap-hours'] ?? overlapHoursDefault);
      const { id, name, revokedAt } = await chosenIntegrator(deployment, options);
      if (revokedAt !== null) {
        throw new UsageError(`integrator ${id} (${name}) was revoked at ${revokedAt}: register it again`);
      }
      const { context, config } = deployment;
      const { environment } = config;
      const { consumerKey, previousEndsAt } = await rotateConsumerKey(context, environment, id, overlapHours);
      const theirs: OrganizationId[] = [];
      for (const row of await listOrganizations(deployment.operator)) {
        const keys = await listClientKeys(context, organizationId(row.id));
        if (keys.some((key) => key.integratorId === id && key.state === 'active'))
          theirs.push(organizationId(row.id));
      }
      await auditCommand(context, theirs, { integratorId: id, previousEndsAt });
      return {
        lines: [
          `Integrator ${id}: ${name}`,
          `Consumer key (shown once): ${consumerKey}`,
          overlapHours === 0
            ? 'The previous key is refused everywhere within one second'
            : `The previous key works until ${previousEndsAt}; use --overlap-hours 0 to end it at once`,
        ],
        data: { id, name, consumerKey, previousEndsAt },
      };
    },
  },
  'integrator revoke': {
    summary: 'revoke an integrator permanently, with its client keys; all are refused within one second',
    options: whichIntegrator,
    run: async (deployment, options) => {
      const { id, name } = await chosenIntegrator(deployment, options);
      const organizations = (await listOrganizations(deployment.operator)).map((row) =>
        organizationId(row.id),
      );
      const { revokedAt, clientKeys } = await revokeIntegrator(deployment.context, origin, organizations, id);
      return {
        lines: [
          `Integrator ${id} (${name}) was revoked at ${revokedAt}`,
          ...clientKeys.map((key) => `Client key ${key.id} of organization ${key.organizationId} is revoked`),
        ],
        data: { id, name, revokedAt, clientKeys },
      };
    },
  },
};

/** Fails with a UsageError unless exactly one matches. */
export async function chosenIntegrator(
  { context }: Deployment,
  { id, name }: Readonly<Record<string, string>>,
): Promise<ListedIntegrator> {
  if (id === undefined && name === undefined) throw new UsageError('missing: --id or --name');
  const wanted = id === undefined ? undefined : wholeNumber('id', id);
  const found = (await listIntegrators(context)).filter(
    (row) => (wanted === undefined || row.id === wanted) && (name === undefined || row.name === name),
  );
  const [only] = found;
  if (only === undefined) {
    const described = [id && `of the id ${id}`, name && `named ${name}`].filter(Boolean).join(' and ');
    throw new UsageError(`there is no integrator ${described}`);
  }
  if (found.length > 1) {
    throw new UsageError(
      `--name: several integrators are named ${name}; use --id ${found.map((row) => row.id).join(', ')}`,
    );
  }
  return only;
}

function listedLine({
  id,
  name,
  keyPrefix,
  keyCreatedAt,
  previousEndsAt,
  revokedAt,
}: ListedIntegrator): string {
  const state =
    revokedAt !== null
      ? `revoked since ${revokedAt}`
      : `${keyPrefix}… since ${keyCreatedAt}${previousEndsAt === null ? '' : `, the previous one until ${previousEndsAt}`}`;
  return `${id}  ${name}  ${state}`;
}
