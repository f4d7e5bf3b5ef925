import { listOrganizations } from './access/organizations.ts';
import { type ConnectionConfig, Database } from './database/database.ts';
import { patientDeadlines } from './database/deadlines.ts';
import { findMissingOrOldData } from './jurisdictions/jurisdiction-warnings.ts';
import type { Clock } from './kernel/clock.ts';
import { groupBy } from './kernel/group-by.ts';
import { localDateAt } from './kernel/local-time.ts';

/**
 * What the operator should know before anybody sells: one line for each state of an organization whose law is not
 * known here, or was compiled more than a year ago (D36). `owner` may list organizations.
 */
export async function startupWarnings(owner: ConnectionConfig, clock: Clock): Promise<string[]> {
  const operator = new Database(owner, 1, undefined, patientDeadlines);
  try {
    const byState = groupBy(await listOrganizations(operator), ({ state }) => state);
    return [...byState].flatMap(([state, organizations]) => {
      const warning = findMissingOrOldData(state, localDateAt(clock.now(), organizations[0]!.tz));
      if (warning === null) return [];
      const more = organizations.length === 1 ? '' : ` and ${organizations.length - 1} more`;
      return [`${warning} Concerns ${organizations[0]!.name}${more}.`];
    });
  } finally {
    await operator.close();
  }
}
