import { memberOf, textMember } from '../../engines/state-reports/json-members.ts';
import { tripWayOf } from '../../engines/state-reports/trip-report.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { type ConnectionRow, setProbed } from './connection-queries.ts';
import type { LaneParts } from './lane-parts.ts';

/** A license is looked at again every day, and much sooner while something is wrong. */
const probeEveryMs = 24 * 3_600_000;

/** Whether the license has to be looked at. */
export function isProbeDue(
  { probed_at: probedAtMs, problem }: Pick<ConnectionRow, 'probed_at' | 'problem'>,
  nowMs: number,
): boolean {
  return probedAtMs === null || problem !== null || nowMs - probedAtMs >= probeEveryMs;
}

type ProbedParts = Pick<LaneParts, 'connection' | 'context' | 'organization'> & {
  /** Or why there are no calls. */
  readonly client: LaneParts['client'] | string;
};

interface Found {
  readonly problem: string | null;
  readonly facilityName: string | null;
  readonly flags: object;
  readonly reasons: readonly string[];
  readonly returnReasons: readonly string[];
}

/**
 * Asks the state which licenses the keys open, what this one may do, and whether receipts can be read: rights are known by trying. Keeps
 * what it found; that a person asked is in the audit log. Resolves to the problem, or null.
 */
export async function probeConnection(
  parts: ProbedParts,
  asker: Origin | null = null,
): Promise<string | null> {
  const { context, organization, connection } = parts;
  const found = await probe(parts);
  await context.database.write(
    organization,
    async (tx) => {
      tx.queue(
        setProbed({
          ...{ id: connection.id, facilityName: found.facilityName, problem: found.problem },
          flags: JSON.stringify(found.flags),
          reasons: JSON.stringify(found.reasons),
          returnReasons: JSON.stringify(found.returnReasons),
          probedAt: isoTimestamp(context.clock.now()),
        }),
      );
      if (asker === null) return;
      await announce(tx, context, asker, context.clock.now(), {
        event: 'state_connection.probed',
        subjectType: 'state_connection',
        subjectId: connection.id,
        payload: { stateConnectionId: connection.id },
        details: { letsIn: found.problem === null },
      });
    },
    { countsAsChange: asker !== null },
  );
  return found.problem;
}

async function probe({ client, connection }: ProbedParts): Promise<Found> {
  const known = {
    ...{ facilityName: connection.facility_name, flags: connection.flags },
    reasons: connection.adjustment_reasons,
    returnReasons: connection.return_reasons,
  };
  if (typeof client === 'string') return { ...known, problem: client };
  const facilities = await client.read('/facilities/v2/');
  if (facilities.kind === 'absent') {
    return { ...known, problem: 'The state does not accept the keys.' };
  }
  if (facilities.kind === 'failed' || !Array.isArray(facilities.body)) {
    const words = facilities.kind === 'failed' ? facilities.words : 'The state sent no list of licenses.';
    return { ...known, problem: `The state cannot be asked at the moment. ${words}` };
  }
  const isThis = (it: unknown) => textMember(memberOf(it, 'License'), 'Number') === connection.license_number;
  const facility: unknown = (facilities.body as unknown[]).find(isThis);
  if (facility === undefined) {
    return { ...known, problem: `The key does not open the license ${connection.license_number}.` };
  }
  const flags = memberOf(facility, 'FacilityType');
  const facts = {
    facilityName: textMember(facility, 'DisplayName') ?? textMember(facility, 'Name'),
    flags: typeof flags === 'object' && flags !== null ? flags : {},
  };
  const receipts = await client.read('/sales/v2/receipts/active', { pageNumber: '1', pageSize: '1' });
  if (receipts.kind === 'absent') {
    return { ...known, ...facts, problem: 'The keys may not read or write receipts of this license.' };
  }
  const namesIn = async (path: string, otherwise: readonly string[]) => {
    const listed = await client.list(path);
    return listed.kind === 'rows' ? listed.rows.flatMap((it) => textMember(it, 'Name') ?? []) : otherwise;
  };
  const reasons = await namesIn('/packages/v2/adjust/reasons', known.reasons);
  const returnReasons =
    tripWayOf(facts.flags as Readonly<Record<string, unknown>>) === 'each'
      ? await namesIn('/sales/v2/deliveries/returnreasons', known.returnReasons)
      : [];
  return { ...facts, reasons, returnReasons, problem: null };
}
