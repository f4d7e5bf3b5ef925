import { Button, Skeleton } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useParams } from 'react-router';
import { Barcode } from '../../parts/barcode.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { LastDay } from '../../parts/shop-day.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { type LabelFact, LabelFacts } from '../../printing/label-sheet.tsx';
import { useSession } from '../../session/session.tsx';
import { said, t } from '../../words/words.ts';
import classes from '../orders/order-print.module.css';
import { packageQuery } from './package-query.ts';
import type { Package } from './stock-words.ts';

/** The label of a package for the shelf of the stock room, without the console frame. */
export function Component() {
  const packageId = Number(useParams().packageId);
  const { organization } = useSession();
  const pack = useQuery(packageQuery(packageId));
  const title = pack.data && t`Label ${pack.data.label}`;
  useEffect(() => {
    if (title) document.title = `${title} · ${organization.name}`;
  }, [title, organization.name]);
  return (
    <main>
      <div className={classes.bar}>
        <Button component={Link} to={`/inventory/packages/${packageId}`} variant="default">
          {t`Back to the package`}
        </Button>
        <Button
          leftSection={<IconPrinter size={18} aria-hidden />}
          disabled={!pack.data}
          onClick={() => window.print()}
        >
          {t`Print`}
        </Button>
      </div>
      {pack.isPending && <Skeleton height={320} maw={360} mx="auto" mt="lg" />}
      {pack.error && !pack.data && <LoadFailure error={pack.error} onRetry={() => pack.refetch()} />}
      {pack.data && <PackageLabel of={pack.data} />}
    </main>
  );
}

/** Code 128 has these characters; more of them no reader of a counter takes in one look. */
const hasBarcode = /^[\x20-\x7e]{1,48}$/;

/** What the shop knows of the package; what it does not know is left out. */
function PackageLabel({ of: pack }: { of: Package }) {
  const { thcPercent, thcMg, cbdPercent, cbdMg } = pack;
  const potency = [
    thcPercent !== null && t`THC ${thcPercent}%`,
    thcMg !== null && t`THC ${thcMg} mg`,
    cbdPercent !== null && t`CBD ${cbdPercent}%`,
    cbdMg !== null && t`CBD ${cbdMg} mg`,
  ].filter(Boolean);
  const facts: readonly LabelFact[] = [
    [t`Amount`, `${pack.initialAmount} ${said(pack.unit).toLowerCase()}`],
    [t`Potency`, potency.join(', ')],
    [t`Producer`, [pack.producerName, pack.producerLicense].filter(Boolean).join(', ')],
    [t`Lab`, [pack.labName, pack.labDate].filter(Boolean).join(', ')],
    [t`Harvested`, pack.harvestDate],
    [t`Received`, pack.receivedAt && <ShopTime key="at" at={pack.receivedAt} style="date" />],
    [t`On sale until`, pack.expirationDate && <LastDay key="day" day={pack.expirationDate} />],
  ];
  return (
    <article className={`${classes.sheet} ${classes.receipt}`}>
      <h1 style={{ fontSize: 18, margin: 0, textAlign: 'center' }}>
        {pack.product?.name ?? pack.externalProductName ?? t`Package`}
      </h1>
      {hasBarcode.test(pack.label) && (
        <Barcode text={pack.label} label={t`Barcode of package ${pack.label}`} />
      )}
      <p className={classes.label} style={{ textAlign: 'center' }}>
        {pack.label}
      </p>
      <LabelFacts facts={facts} />
    </article>
  );
}
