import { Link } from 'react-router';
import { LastDay } from '../../parts/shop-day.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { sentence } from '../../parts/status-badge.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { ledgerPath } from '../inventory/stock-words.ts';
import { ordersInWords } from './sales-tiles.tsx';
import { Quiet, Tile } from './tile.tsx';
import classes from './today.module.css';
import type { Today } from './today-data.ts';

type Loaded = { readonly data: Today | undefined; readonly search?: string };

/** The rows of a tile; its list has all. */
const shownMax = 4;

const steps = [
  { status: 'draft', what: t`to accept` },
  { status: 'new', what: t`to pack` },
  { status: 'packed', what: t`to hand over` },
] as const;

/** The orders that wait for staff, by their next step. */
export function WaitingOrders({ data, search = '' }: Loaded) {
  const waiting = data?.waiting ?? [];
  const all = waiting.reduce((sum, { orders }) => sum + orders, 0);
  const suffix = search === '' ? '' : `&${search}`;
  return (
    <Tile
      title={t`Waiting orders`}
      to={search === '' ? '/orders' : `/orders?${search}`}
      isLoading={data === undefined}
      figure={all}
      hint={all === 0 ? t`No orders wait.` : undefined}
    >
      <ul className={classes.rows}>
        {steps.map(({ status, what }) => {
          const rows = waiting.filter((row) => row.status === status);
          const orders = rows.reduce((sum, row) => sum + row.orders, 0);
          if (orders === 0) return null;
          const oldest = rows.map(({ oldestAt }) => oldestAt).sort()[0];
          return (
            <li key={status} className={classes.row}>
              <Link className={classes.rowLink} to={`/orders?view=list&status=${status}${suffix}`}>
                {ordersInWords(orders)} {what}
              </Link>
              <span className={classes.note}>
                {rich`${rows.map((row) => `${row.orders} ${sentence(row.type).toLowerCase()}`).join(', ')}; since ${<ShopTime at={oldest} />}`}
              </span>
            </li>
          );
        })}
      </ul>
    </Tile>
  );
}

/** What sells and is nearly gone. */
export function LowStock({ data, search = '' }: Loaded) {
  const { count = 0, rows = [] } = data?.lowStock ?? {};
  return (
    <Tile
      title={t`Low stock`}
      to={`/inventory?sort=onHand${search === '' ? '' : `&${search}`}`}
      isLoading={data === undefined}
      figure={count}
      hint={count === 0 ? t`What sells is in stock.` : t`of what sold in two weeks`}
    >
      <ul className={classes.rows}>
        {rows.slice(0, shownMax).map((row) => (
          <li key={`${row.productId} ${row.productOptionId}`} className={classes.row}>
            <Link className={classes.rowLink} to={ledgerPath(row)}>
              {row.productName}
              {row.optionName !== null && ` · ${row.optionName}`}
            </Link>
            <span className={classes.note}>
              {t`${row.onHand === '0' ? t`Sold out` : t`${inUnit(row)} left`}; ${row.unitsSold} sold in two weeks`}
            </span>
          </li>
        ))}
      </ul>
      {count > shownMax && <Quiet>{t`and ${count - shownMax} more`}</Quiet>}
      {count > 0 && (
        <Link className={classes.rowLink} to="/purchasing/low-stock">
          {t`Reorder low stock`}
        </Link>
      )}
    </Tile>
  );
}

/** Packages with stock that must be sold soon, or no more. */
export function ExpiringPackages({ data }: Loaded) {
  const { count = 0, rows = [] } = data?.expiring ?? {};
  return (
    <Tile
      title={t`Expiring packages`}
      to="/inventory/packages?sort=expirationDate&status=received"
      isLoading={data === undefined}
      figure={count}
      hint={count === 0 ? t`None within two weeks.` : t`within two weeks`}
    >
      <ul className={classes.rows}>
        {rows.slice(0, shownMax).map((row) => (
          <li key={row.packageId} className={classes.row}>
            <Link className={classes.rowLink} to={`/inventory/packages/${row.packageId}`}>
              {row.productName}
            </Link>
            <span className={classes.note}>
              {rich`${row.onHand} left · ${<LastDay day={row.expirationDate} isSentence />}`}
            </span>
          </li>
        ))}
      </ul>
      {count > shownMax && <Quiet>{t`and ${count - shownMax} more`}</Quiet>}
    </Tile>
  );
}

function inUnit(row: {
  readonly onHand: string;
  readonly unit: 'gram' | 'item';
  readonly productOptionId: number | null;
}) {
  return row.productOptionId === null && row.unit === 'gram' ? t`${row.onHand} g` : row.onHand;
}
