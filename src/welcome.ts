import type { DemoFile } from '../seed/seed-demo.ts';
import type { Config } from './config.ts';
import type { Context } from './database/context.ts';
import { statement } from './database/statement.ts';
import { organizationId } from './kernel/ids.ts';

const selectAnyOption = statement<Record<never, never>, { id: number }>(
  'select_any_option',
  `select o.id from product_options o
     join products p on p.organization_id = o.organization_id and p.id = o.product_id
    where o.organization_id = :organizationId and p.is_active and p.deleted_at is null and o.deleted_at is null
    order by o.id limit 1`,
);

/** One of each role that is not the owner's. */
const selectOtherStaff = statement<Record<never, never>, { role: string; email: string }>(
  'select_other_demo_staff',
  `select distinct on (role) role, email from staff_members
    where organization_id = :organizationId and role <> 'owner' and password_hash is not null order by role, id`,
);

interface Welcome {
  readonly baseUrl: string;
  readonly menuUrl: string;
  readonly config: Config;
  readonly demo: DemoFile | null;
  readonly context: Context;
  readonly readyAfterMs: number;
  readonly say: (message: string) => void;
}

/** The last lines of a start: where everything is, and a first request that works as it stands. */
export async function printWelcome({ baseUrl, menuUrl, config, demo, context, readyAfterMs, say }: Welcome) {
  say(`
Dispensary Commerce is ready (${(readyAfterMs / 1000).toFixed(1)} s).
  Base address  ${baseUrl}     reference: ${baseUrl}/docs, for staff: ${baseUrl}/staff/docs
  Console       ${baseUrl}/console     for the people of the shop
  Menu address  ${menuUrl}
  Data          ${config.dataDir}${config.databaseUrl === undefined ? '' : ' (files; rows are in DATABASE_URL)'}`);
  if (demo === null) {
    say('\nNo demo shop. Create an organization: npx dispensary organization create --help');
    return;
  }
  for (const organization of demo.organizations) {
    const [others] = await context.database.read(organizationId(organization.id), selectOtherStaff({}));
    say(`
${organization.name} (organization ${organization.id})
  X-Consumer-Key: ${organization.consumerKey}
  X-Client-Key:   ${organization.clientKey}
  Staff sign-in:  ${organization.staff.email}  ${organization.staff.password}`);
    if (others.length > 0) {
      say(`  Same password:  ${others.map(({ role, email }) => `${email} (${role})`).join(', ')}`);
    }
  }
  const [first] = demo.organizations;
  const [[option]] = await context.database.read(organizationId(first!.id), selectAnyOption({}));
  say(`
Price a cart:

curl -s ${baseUrl}/api/v1/orders/pricing \\
  -H 'X-Consumer-Key: ${first!.consumerKey}' \\
  -H 'X-Client-Key: ${first!.clientKey}' \\
  -H 'Content-Type: application/json' \\
  -d '{"type":"pickup","lineItems":[{"productOptionId":${option!.id},"quantity":2}]}'

Sign in as its owner; the token of the reply goes into Authorization: Bearer:

curl -s ${baseUrl}/staff/v1/sessions \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"${first!.staff.email}","password":"${first!.staff.password}"}'
`);
}
