import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { selectConnections } from '../traceability/traceability.ts';

/**
 * Whether the organization's sales are reported to its state's system by this service: a connection to the real system is on. The readiness of
 * a shop asks here and nowhere else.
 */
export async function isReportingTo(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
  system: string,
): Promise<boolean> {
  const [connections] = await database.read(organization, selectConnections({}));
  const name = system.toLowerCase();
  return connections.some((it) => it.is_on && !it.is_sandbox && name.startsWith(it.system));
}
