import { listOrganizations } from './access/organizations.ts';
import { type ConnectionConfig, Database } from './database/database.ts';
import { warningsOnFacts } from './jurisdictions/jurisdiction-warnings.ts';
import type { Clock } from './kernel/clock.ts';
import { groupBy } from './kernel/group-by.ts';
import { localDateAt } from './kernel/local-time.ts';

/**
 * What the operator should know before a shop sells: for each state with an organization, what is not known of its law,
 * was read more than a year ago, is about to change or is doubtful (D36). `owner` may list organizations.
 */
export async function startupWarnings(owner: ConnectionConfig, clock: Clock): Promise<string[]> {
  const operator = new Database(owner, 1);
  try {
    const byState = groupBy(await listOrganizations(operator), ({ state }) => state);
    return [...byState].flatMap(([state, organizations]) => {
      const warnings = warningsOnFacts(state, localDateAt(clock.now(), organizations[0]!.tz));
      const more = organizations.length === 1 ? '' : ` and ${organizations.length - 1} more`;
      return warnings.map((warning) => `${warning} Concerns ${organizations[0]!.name}${more}.`);
    });
  } finally {
    await operator.close();
  }
}
