import { join } from 'node:path';
import { listOrganizations } from '../access/organizations.ts';
import { type ConnectionConfig, Database } from '../database/database.ts';
import { patientDeadlines } from '../database/deadlines.ts';
import { warningsOnFacts } from '../jurisdictions/jurisdiction-warnings.ts';
import type { StateLaw } from '../jurisdictions/law-book.ts';
import type { Clock } from '../kernel/clock.ts';
import { groupBy } from '../kernel/group-by.ts';
import { localDateAt } from '../kernel/local-time.ts';
import type { Config } from './config.ts';

/** Whether a listener at this address takes connections of this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

/**
 * What is wrong with showing this service to other machines, one line each: demo shops, whose keys and passwords stand
 * in a file and in the output of the first start; and no PUBLIC_URL, without which the service knows neither TLS nor the
 * name under which its console may be used.
 */
export function exposureWarnings({
  host,
  demo,
  publicUrl,
  dataDir,
}: Pick<Config, 'host' | 'demo' | 'publicUrl' | 'dataDir'>): string[] {
  if (isLoopback(host)) return [];
  const shown = `HOST is ${host}: other machines reach this service`;
  return [
    ...(demo
      ? [
          `${shown}, AND THE DEMO IS ON. Whoever has the keys and passwords of ${join(dataDir, 'demo.json')} works in the ` +
            'demo shops. For real trade, start with DEMO=off on an empty DATA_DIR; for a demo, set HOST=127.0.0.1.',
        ]
      : []),
    ...(publicUrl === undefined
      ? [
          `${shown} OVER PLAIN HTTP, and PUBLIC_URL is not set. Passwords and keys cross the network unencrypted, unless a ` +
            'proxy with TLS stands before it. Put one there, and set PUBLIC_URL to the https address that callers use.',
        ]
      : []),
  ];
}

/**
 * What the operator should know before a shop sells: for each state with an organization, what is not known of its law,
 * was read more than a year ago, is about to change or is doubtful (D36). `owner` may list organizations.
 */
export async function startupWarnings(
  owner: ConnectionConfig,
  law: StateLaw,
  clock: Clock,
): Promise<string[]> {
  const operator = new Database(owner, 1, undefined, patientDeadlines);
  try {
    const byState = groupBy(await listOrganizations(operator), ({ state }) => state);
    return [...byState].flatMap(([state, organizations]) => {
      const warnings = warningsOnFacts(law, state, localDateAt(clock.now(), organizations[0]!.tz));
      const more = organizations.length === 1 ? '' : ` and ${organizations.length - 1} more`;
      return warnings.map((warning) => `${warning} Concerns ${organizations[0]!.name}${more}.`);
    });
  } finally {
    await operator.close();
  }
}
