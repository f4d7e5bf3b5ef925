import { selectOrganization } from '../../access/organizations/organizations.ts';
import {
  newestReading,
  type ReadinessLine,
  readinessOf,
  reportingSystem,
} from '../../engines/duties/ready-shop.ts';
import type { DutyName } from '../../engines/jurisdictions/duty.ts';
import { assert } from '../../kernel/assert.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { readLeftTaxes } from '../settings/terms-of-sale.ts';
import { selectDoers, selectStanding } from './first-step-queries.ts';
import { isReportingTo } from './reporting-connection.ts';

/** When people last said that a duty is done, and who; no name: their account is gone. */
interface LastDone {
  readonly at: string;
  readonly by: string | null;
}

/** How ready a shop is for the law of its state (D97). */
export interface Readiness {
  readonly state: string;
  readonly today: string;
  /** Null: which system the state asks reports in is not known. */
  readonly reporting: { readonly system: string | null; readonly isSetUp: boolean; readonly words: string };
  readonly lastReadOn: string | null;
  readonly lines: readonly (ReadinessLine & { readonly lastDone: LastDone | null })[];
}

/** What the law of its state asks of a shop today, and how the shop meets each part of it. Keeps nothing. */
export async function readReadiness(context: Context, organization: OrganizationId): Promise<Readiness> {
  const { database, clock, law } = context;
  const nowMs = clock.now();
  const [[[row], [standing]], left] = await Promise.all([
    database.read(organization, selectOrganization({}), selectStanding({ at: isoTimestamp(nowMs) })),
    readLeftTaxes(context, organization),
  ]);
  assert(row !== undefined && standing !== undefined, 'an organization with staff exists');
  const { saleHours = null, overrides = {}, idCheck = false, done = {} } = row.duty_settings;
  const doerIds = Object.values(done).map(({ staffId }) => staffId);
  const [doers] = await database.read(organization, selectDoers({ ids: doerIds }));
  const names = new Map(doers.map(({ id, first_name, last_name }) => [id, `${first_name} ${last_name}`]));
  const today = localDateAt(nowMs, row.tz);
  const jurisdiction = law.current.find(row.state);
  const system = reportingSystem(jurisdiction, today);
  const isReporting = system !== null && (await isReportingTo(context, organization, system));
  const lines = readinessOf(jurisdiction, today, {
    duties: { saleHours, overrides, idCheck },
    hasTaxes: standing.has_taxes,
    leavesTaxes: left.length > 0,
    isReporting,
    done: new Set(Object.keys(done) as DutyName[]),
  });
  return {
    ...{ state: row.state, today, lastReadOn: newestReading(jurisdiction) },
    reporting: { system, isSetUp: isReporting, words: firstLine(row.state, system, isReporting) },
    lines: lines.map((line) => {
      const last = line.byHand ? done[line.item] : undefined;
      const lastDone =
        last === undefined ? null : { at: isoTimestamp(last.at), by: names.get(last.staffId) ?? null };
      return { ...line, lastDone };
    }),
  };
}

function firstLine(state: string, system: string | null, isReporting: boolean): string {
  if (system === null) return `Where ${state} asks for reports of sales is not known.`;
  return isReporting
    ? `Sales are reported to ${system}.`
    : `Reporting to ${system} is not set up: people enter each sale there themselves.`;
}
