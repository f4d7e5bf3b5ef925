import type { ReceiptLine } from '../../engines/state-reports/receipt-of-sale.ts';
import { linesWithout, type TripContent } from '../../engines/state-reports/trip-report.ts';
import { groupBy } from '../../kernel/group-by.ts';
import { statement } from '../../platform/statements/statement.ts';
import { type ReportRow, tripKinds } from './state-report-queries.ts';
import { ledgerLines, toldTrips, tripContentOf } from './told-trips.ts';

/** A ledger of a vehicle that the state has and that has not ended there. */
export interface ToldLedger {
  readonly recordId: number;
  readonly acceptedAtMs: number;
  /** The whole load. */
  readonly loaded: TripContent;
  readonly isDeparted: boolean;
  /** The sales that the state knows of, the oldest first. */
  readonly sales: readonly TripContent[];
  /** What left its packages at the state and is neither handed over nor back, by our books. */
  readonly carried: readonly ReceiptLine[];
}

/** The trips of a connection whose ledgers the state may have open. */
export const selectOpenTrips = statement<{ connectionId: number }, { trip_id: number }>(
  'select_trips_open_at_state',
  `select distinct t.trip_id from state_reports t
    where t.organization_id = :organizationId and t.connection_id = :connectionId and t.trip_id is not null and t.kind = 'trip'
      and t.state = 'accepted'
      and not exists (select from state_reports e
                       where e.organization_id = :organizationId and e.connection_id = :connectionId and e.trip_id = t.trip_id
                         and e.id > t.id and e.kind in ('trip-end', 'trip-void') and e.state in ('accepted', 'done-by-hand'))`,
);

/** The ledgers in the reports of trips. Deliveries that are told one by one are none. */
export function toldLedgers(reports: readonly ReportRow[], connectionId: number): ToldLedger[] {
  const ofIt = reports.filter(
    (it) => it.connection_id === connectionId && tripKinds.some((kind) => kind === it.kind),
  );
  return [...groupBy(ofIt, ({ trip_id: id }) => id).values()].flatMap((ofTrip) =>
    toldTrips(ofTrip).flatMap(({ way, loaded: [loaded], restocked, since }): ToldLedger[] => {
      if (way !== 'ledger' || loaded?.state !== 'accepted' || loaded.state_record_id === null) return [];
      const deliveries = since.filter(({ kind }) => kind === 'delivery');
      const isKnown = ({ state }: ReportRow) => state === 'accepted';
      const lines = ledgerLines({ loaded: [loaded], restocked: restocked.filter(isKnown) });
      return [
        {
          ...{
            recordId: loaded.state_record_id,
            acceptedAtMs: loaded.settled_at!,
            loaded: { ...tripContentOf(loaded), lines },
          },
          isDeparted: since.some((it) => it.kind === 'departure' && isKnown(it)),
          sales: deliveries.filter(isKnown).map(tripContentOf),
          carried: linesWithout(
            lines,
            deliveries.flatMap((it) => tripContentOf(it).lines),
          ),
        },
      ];
    }),
  );
}
