import type { StateSystem } from '../../engines/state-reports/state-hosts.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { selectConnections } from '../traceability/traceability.ts';

/** How the law calls each system; null: people enter what is sold. */
const lawNames: Readonly<Record<StateSystem, string | null>> = {
  ...{ metrc: 'metrc', 'ccrs-file': 'ccrs', 'by-hand': null },
};

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
  return connections.some((it) => {
    const known = lawNames[it.system];
    return it.is_on && !it.is_sandbox && known !== null && name.startsWith(known);
  });
}
