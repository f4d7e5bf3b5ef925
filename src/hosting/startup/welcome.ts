import { join } from 'node:path';
import type { DemoFile } from '../../../seed/seed-demo.ts';
import { selectOtherStaff } from '../../access/staff/staff.ts';
import { environmentOfKey } from '../../kernel/api-keys.ts';
import { organizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { selectAnyOption } from '../../shop/catalog/products.ts';
import type { Config } from './config.ts';

interface Welcome {
  /** The listener's address, if this process has the role. */
  readonly baseUrl: string;
  readonly menuUrl: string;
  readonly config: Config;
  readonly demo: DemoFile | null;
  readonly context: Context;
  /** Whether this start created the demo shops: keys and passwords are shown once. */
  readonly madeDemo: boolean;
  readonly readyAfterMs: number;
  readonly say: (message: string) => void;
}

/**
 * Prints the last lines of a start: the addresses of this process, and ready-to-use requests. Keys and passwords of the
 * demo shops are printed once, when they were created; later their file is named. A process without the base address
 * prints nothing about the demo shops.
 */
export async function printWelcome(welcome: Welcome): Promise<void> {
  const { baseUrl, menuUrl, config, demo, context, madeDemo, readyAfterMs, say } = welcome;
  say(placesOf({ baseUrl, menuUrl, config, readyAfterMs }).join('\n'));
  if (!config.roles.includes('api')) return;
  if (demo === null) {
    say('\nNo demo shop. Create an organization: node dispensary.mjs organization create --help');
    if (config.sandboxes) say(sandboxLine(demo));
    return;
  }
  const keyEnvironment = environmentOfKey(demo.organizations[0]!.clientKey);
  const keysWork = keyEnvironment === config.environment;
  if (!madeDemo) {
    say(`
Demo shops:     ${demo.organizations.map(({ id, name }) => `${name} (organization ${id})`).join(', ')}
  Their keys, and email and password of their owners: ${join(config.dataDir, 'demo.json')}`);
    if (!keysWork) say(otherEnvironment(keyEnvironment, config));
    if (config.sandboxes) say(sandboxLine(demo));
    return;
  }
  for (const organization of demo.organizations) {
    const [others] = await context.database.read(organizationId(organization.id), selectOtherStaff({}));
    say(`
${organization.name} (organization ${organization.id})`);
    if (keysWork) {
      say(`  X-Consumer-Key: ${organization.consumerKey}
  X-Client-Key:   ${organization.clientKey}`);
    }
    say(`  Staff sign-in:  ${organization.staff.email}  ${organization.staff.password}`);
    if (others.length > 0) {
      say(`  Same password:  ${others.map(({ role, email }) => `${email} (${role})`).join(', ')}`);
    }
  }
  const [first] = demo.organizations;
  if (keysWork) await showPricing(baseUrl, first!, context, say);
  else say(otherEnvironment(keyEnvironment, config));
  say(`
Sign in as its owner; the token of the reply goes into Authorization: Bearer:

curl -s ${baseUrl}/staff/v1/sessions \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"${first!.staff.email}","password":"${first!.staff.password}"}'

${
  config.sandboxes
    ? `${sandboxLine(demo)}
`
    : ''
}Keys and passwords are shown only this time. They are stored in ${join(config.dataDir, 'demo.json')}
`);
}

/** How an integrator gets a shop of its own for tests. */
function sandboxLine(demo: DemoFile | null): string {
  const command = 'node dispensary.mjs sandbox create --help';
  if (demo?.sandbox === undefined) return `Sandboxes, for tests of integrators: ${command}`;
  return `Sandbox, for tests: its keys are under "sandbox" in the same file. Another one: ${command}`;
}

function otherEnvironment(keyEnvironment: string, { environment }: Config): string {
  return `
The keys of the demo shops belong to the environment ${keyEnvironment} and are refused in this one (DISPENSARY_ENVIRONMENT is
${environment}). Create others: node dispensary.mjs integrator create --help, node dispensary.mjs client-key create --help`;
}

/** The addresses of the listeners, and the place of the data. */
function placesOf({
  baseUrl,
  menuUrl,
  config,
  readyAfterMs,
}: Pick<Welcome, 'baseUrl' | 'menuUrl' | 'config' | 'readyAfterMs'>) {
  const { roles, workers, publicUrl, publicMenuUrl, dataDir } = config;
  const reachedAt = (url: string | undefined) =>
    url === undefined ? [] : [`                reached at ${url}`];
  return [
    `\nDispensary Commerce is ready (${(readyAfterMs / 1000).toFixed(1)} s).`,
    ...(roles.includes('api')
      ? [
          `  Base address  ${baseUrl}     reference: ${baseUrl}/docs, for staff: ${baseUrl}/staff/docs`,
          ...reachedAt(publicUrl),
          `  Console       ${baseUrl}/console     for the staff of the shop`,
        ]
      : []),
    ...(roles.includes('menu') ? [`  Menu address  ${menuUrl}`, ...reachedAt(publicMenuUrl)] : []),
    ...(roles.includes('api') && roles.includes('menu') ? [] : [`  Parts         ${roles.join(', ')}`]),
    ...(workers > 1 ? [`  Processes     ${workers} accept requests`] : []),
    `  Data          ${dataDir}${config.databaseUrl === undefined ? '' : ' (files; rows are in DATABASE_URL)'}`,
  ];
}

/** A cart with two of a product option on the menu. */
async function showPricing(
  baseUrl: string,
  shop: DemoFile['organizations'][number],
  context: Context,
  say: Welcome['say'],
): Promise<void> {
  const [[option]] = await context.database.read(organizationId(shop.id), selectAnyOption({}));
  say(`
Price a cart:

curl -s ${baseUrl}/api/v1/orders/pricing \\
  -H 'X-Consumer-Key: ${shop.consumerKey}' \\
  -H 'X-Client-Key: ${shop.clientKey}' \\
  -H 'Content-Type: application/json' \\
  -d '{"type":"pickup","lineItems":[{"productOptionId":${option!.id},"quantity":2}]}'`);
}
