import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { registersQuery } from '../registers/registers-query.ts';
import { Quiet, Tile } from './tile.tsx';
import classes from './today.module.css';

/** Each register of the location, whether its drawer is open, and what should be in it. */
export function Drawers({ locationId }: { locationId: number | null }) {
  const registers = useQuery(registersQuery);
  const sessions = useQuery({
    queryKey: ['drawer-sessions', 'latest'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/drawer-sessions', { signal })),
  });
  const shown = (registers.data ?? []).filter(
    ({ archivedAt, inventoryLocationId }) =>
      archivedAt === null && (locationId === null || inventoryLocationId === locationId),
  );
  const open = shown.filter(({ openSession }) => openSession !== null).length;
  return (
    <Tile
      title={t`Drawers`}
      to="/reports/drawers"
      isLoading={registers.isPending}
      figure={open}
      hint={t`of ${shown.length} open`}
    >
      {registers.error && <LoadFailure error={registers.error} onRetry={() => registers.refetch()} />}
      {registers.data && shown.length === 0 && (
        <Quiet>{t`No registers here. Add them in the settings.`}</Quiet>
      )}
      <ul className={classes.rows}>
        {shown.map(({ id, name, openSession }) => {
          const session = sessions.data?.find((it) => it.id === openSession?.id);
          const cash = session?.payments?.find(({ paymentTypeId }) => paymentTypeId === null);
          return (
            <li key={id} className={classes.part}>
              <span className={classes.name}>{name}</span>
              <span className="numbers">{openSession && cash ? dollars(cash.expected) : ''}</span>
              <span className={classes.note}>
                {openSession
                  ? rich`Open since ${<ShopTime at={openSession.openedAt} />} by ${openSession.openedBy.firstName} ${openSession.openedBy.lastName}`
                  : t`Closed`}
              </span>
            </li>
          );
        })}
      </ul>
    </Tile>
  );
}
