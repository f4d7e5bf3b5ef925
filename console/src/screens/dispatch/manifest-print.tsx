import { Button, Skeleton, Title } from '@mantine/core';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Schema } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Money } from '../../parts/money.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { dayInWords } from '../../parts/shop-day.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import classes from '../orders/order-print.module.css';
import { manifestCsv } from './manifest-csv.ts';
import { manifestQuery } from './trips-query.ts';

/** The manifest of a trip (`?trip=`), to print or to save as a file. */
export function Component() {
  const [parameters] = useSearchParams();
  const { organization } = useSession();
  const tripId = Number(parameters.get('trip'));
  const isAsked = Number.isSafeInteger(tripId) && tripId > 0;
  const manifest = useQuery({ ...manifestQuery(tripId), enabled: isAsked });
  useEffect(() => {
    document.title = `${t`Delivery manifest`} · ${organization.name}`;
  }, [organization.name]);
  return (
    <main>
      <div className={classes.bar}>
        <Button component={Link} to="/dispatch" variant="default">
          {t`Back to the deliveries`}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden />}
          disabled={!manifest.data}
          onClick={() => saveFile(manifestCsv(manifest.data!), `manifest-${tripId}.csv`, 'text/csv')}
        >
          {t`Download CSV`}
        </Button>
        <Button
          leftSection={<IconPrinter size={18} aria-hidden />}
          disabled={!manifest.data}
          onClick={() => window.print()}
        >
          {t`Print`}
        </Button>
      </div>
      <div className={classes.sheet}>
        <Title order={1} size="h3">
          {t`Delivery manifest`}
        </Title>
        {isAsked && manifest.isPending && <Skeleton height={320} />}
        {!isAsked && <p>{t`Choose a trip to print its manifest.`}</p>}
        {manifest.error && !manifest.data && (
          <LoadFailure error={manifest.error} onRetry={() => manifest.refetch()} />
        )}
        {manifest.data && <ManifestSheet manifest={manifest.data} />}
      </div>
    </main>
  );
}

function ManifestSheet({ manifest }: { manifest: Schema['TripManifest'] }) {
  const { shop, driver, vehicle } = manifest;
  return (
    <>
      <div className={classes.parties}>
        <div>
          <h2>{t`Shop`}</h2>
          <p>{shop.name}</p>
          <p>{shop.licenseNumber}</p>
          <p>{shop.phone}</p>
        </div>
        <div>
          <h2>{t`Driver`}</h2>
          <p>{driver.name}</p>
          <p>{t`License ${driver.licenseNumber ?? '–'}`}</p>
          {driver.employeeNumber !== null && <p>{t`Employee ${driver.employeeNumber}`}</p>}
          {driver.phone !== null && <p>{driver.phone}</p>}
        </div>
        <div>
          <h2>{t`Vehicle`}</h2>
          <p>{`${vehicle.make} ${vehicle.model}`}</p>
          <p>{vehicle.licensePlate}</p>
        </div>
        <div>
          <h2>{t`Departure`}</h2>
          <p>
            {manifest.departureAt === null ? (
              dayInWords(manifest.day)
            ) : (
              <ShopTime at={manifest.departureAt} />
            )}
          </p>
        </div>
      </div>
      {manifest.stops.map((stop) => (
        <section key={stop.position}>
          <h2>{`${stop.position}. ${stop.recipient}`}</h2>
          <p>{stop.address}</p>
          <table className={classes.lines}>
            <thead>
              <tr>
                <th>{t`Product`}</th>
                <th>{t`Package`}</th>
                <th data-align="end">{t`Amount`}</th>
                <th data-align="end">{t`Value`}</th>
              </tr>
            </thead>
            <tbody>
              {stop.goods.map((it) => (
                <tr key={`${it.productName} ${it.optionName} ${it.packageLabel ?? ''}`}>
                  <td>{`${it.productName} ${it.optionName}`}</td>
                  <td className={classes.label}>{it.packageLabel ?? '–'}</td>
                  <td data-align="end">{`${it.amount} ${it.unit}`}</td>
                  <td data-align="end">
                    <Money cents={it.value} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ))}
      <p>
        {t`Value of all goods:`} <Money cents={manifest.value} />
      </p>
    </>
  );
}
