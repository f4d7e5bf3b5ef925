import { join } from 'node:path';
import { listOrganizations } from '../../access/organizations/organizations.ts';
import { warningsOnFacts } from '../../engines/jurisdictions/jurisdiction-warnings.ts';
import type { StateLaw } from '../../engines/jurisdictions/law-book.ts';
import type { Clock } from '../../kernel/clock.ts';
import { groupBy } from '../../kernel/group-by.ts';
import { localDateAt } from '../../kernel/local-time.ts';
import { patientDeadlines } from '../../platform/connections/deadlines.ts';
import { type ConnectionConfig, Database } from '../../platform/database/database.ts';
import type { Config } from './config.ts';

/** Whether a listener at this address accepts connections from this machine only. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

/**
 * The risks of exposing this service to other machines, one line each: demo shops, whose keys and passwords are in a
 * file and in the output of the first start; a missing PUBLIC_URL, without which the service knows neither TLS nor
 * its public host name; and the page of the operator.
 */
export function exposureWarnings({
  host,
  demo,
  publicUrl,
  dataDir,
  operatorKey,
}: Pick<Config, 'host' | 'demo' | 'publicUrl' | 'dataDir'> & Partial<Pick<Config, 'operatorKey'>>): string[] {
  if (isLoopback(host)) return [];
  const shown = `HOST is ${host}: other machines reach this service`;
  return [
    ...(demo
      ? [
          `${shown}, AND THE DEMO IS ON. The keys and passwords in ${join(dataDir, 'demo.json')} give access to the ` +
            'demo shops. For production, start with DEMO=off on an empty DATA_DIR; for a demo, set HOST=127.0.0.1.',
        ]
      : []),
    ...(publicUrl === undefined
      ? [
          `${shown} OVER PLAIN HTTP, and PUBLIC_URL is not set. Passwords and keys cross the network unencrypted, unless a ` +
            'proxy adds TLS. Use one, and set PUBLIC_URL to its https address.',
        ]
      : []),
    ...(operatorKey === undefined
      ? []
      : [
          `${shown}, AND THE PAGE OF THE OPERATOR AT METRICS_PORT, over plain HTTP. Let no one else reach that port, and open ` +
            'the page through a tunnel.',
        ]),
  ];
}

/** METRC_URL is set: no report reaches a state. */
export function standInWarnings({ stateSystem }: Pick<Config, 'stateSystem'>): string[] {
  if (stateSystem.url === undefined) return [];
  return [
    `METRC_URL is ${stateSystem.url}: EVERY REPORT TO A STATE GOES THERE, and none to the states' own systems. Remove it for production.`,
  ];
}

/**
 * Warnings for the operator: for each state with an organization, law that is unknown, was read more than a year ago,
 * is about to change or is doubtful (D36). `owner` may list organizations.
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
