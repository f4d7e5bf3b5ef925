import {
  createIntegrator,
  IntegratorName,
  type ListedIntegrator,
  listIntegrators,
  listOrganizations,
  revokeIntegrator,
  rotateConsumerKey,
} from '../src/access/organizations.ts';
import { Id, WholeNumber } from '../src/http/schemas.ts';
import { organizationId } from '../src/kernel/ids.ts';
import { type Command, optional, operatorOrigin as origin, required, wholeNumber } from './command.ts';
import type { Deployment } from './deployment.ts';
import { UsageError } from './usage-error.ts';

/** As long as staff may let a client key overlap. */
const overlapHoursMax = 720;
const overlapHoursDefault = 24;

const whichOne = {
  id: optional('id of the integrator; it, or the name, is needed', Id()),
  name: optional('its name, when only one is called so'),
};

/** The operator's commands on integrators, which belong to no organization. */
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
    summary: 'list the integrators, also revoked ones, and since when they have had their keys',
    options: {},
    run: async ({ context }) => {
      const rows = await listIntegrators(context);
      return { lines: rows.length === 0 ? ['none'] : rows.map(listedLine), data: rows };
    },
  },
  'integrator rotate-key': {
    summary: 'give an integrator a new consumer key; prints it once',
    options: {
      ...whichOne,
      'overlap-hours': optional(
        `how long the former key works too: 0 to ${overlapHoursMax}, by default ${overlapHoursDefault}`,
        WholeNumber({ min: 0, max: overlapHoursMax }),
      ),
    },
    run: async (deployment, options) => {
      const overlapHours = Number(options['overlap-hours'] ?? overlapHoursDefault);
      const { id, name, revokedAt } = await chosenIntegrator(deployment, options);
      if (revokedAt !== null) {
        throw new UsageError(`integrator ${id} (${name}) was revoked at ${revokedAt}: register it anew`);
      }
      const { context, config } = deployment;
      const { environment } = config;
      const { consumerKey, previousEndsAt } = await rotateConsumerKey(context, environment, id, overlapHours);
      return {
        lines: [
          `Integrator ${id}: ${name}`,
          `Consumer key (shown once): ${consumerKey}`,
          overlapHours === 0
            ? 'The former key is refused everywhere within a second'
            : `The former key works until ${previousEndsAt}; with --overlap-hours 0 it would end at once`,
        ],
        data: { id, name, consumerKey, previousEndsAt },
      };
    },
  },
  'integrator revoke': {
    summary: 'withdraw an integrator for ever, with its client keys; all are refused within a second',
    options: whichOne,
    run: async (deployment, options) => {
      const { id, name } = await chosenIntegrator(deployment, options);
      const organizations = (await listOrganizations(deployment.operator)).map((row) =>
        organizationId(row.id),
      );
      const { revokedAt, clientKeys } = await revokeIntegrator(deployment.context, origin, organizations, id);
      return {
        lines: [
          `Integrator ${id} (${name}) is revoked since ${revokedAt}`,
          ...clientKeys.map((key) => `Client key ${key.id} of organization ${key.organizationId} is revoked`),
        ],
        data: { id, name, revokedAt, clientKeys },
      };
    },
  },
};

/** Fails with a UsageError unless exactly one is meant. */
async function chosenIntegrator(
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
    const described = [id && `with the id ${id}`, name && `called ${name}`].filter(Boolean).join(' and ');
    throw new UsageError(`there is no integrator ${described}`);
  }
  if (found.length > 1) {
    throw new UsageError(
      `--name: several are called ${name}; choose by --id ${found.map((row) => row.id).join(', ')}`,
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
      : `${keyPrefix}… since ${keyCreatedAt}${previousEndsAt === null ? '' : `, the former one until ${previousEndsAt}`}`;
  return `${id}  ${name}  ${state}`;
}
