import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Money } from '../../parts/money.tsx';
import { photoSource } from '../../parts/photo-source.ts';
import { PriceTotals } from '../../parts/price-totals.tsx';
import { profileQuery } from '../../parts/profile-query.ts';
import { useSession } from '../../session/session.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import classes from './customer-display.module.css';
import { type Displayed, watchCounter } from './display-channel.ts';
import { LimitMeters } from './limit-meters.tsx';
import { useLogoColors } from './logo-colors.ts';

/**
 * The second screen at the counter, for the customer: cart, total, limits and change, with the shop's logo and colors. It shows
 * what this browser's counter has.
 */
export function Component() {
  const { staff, organization } = useSession();
  const [shown, setShown] = useState<Displayed | null>(null);
  useEffect(
    () => watchCounter({ organizationId: organization.id, staffId: staff.id }, setShown),
    [organization.id, staff.id],
  );
  const profile = useQuery(profileQuery);
  const logo = profile.data?.logo ? photoSource(profile.data.logo.fullPath) : null;
  const colors = useLogoColors(logo);
  useEffect(() => {
    document.title = organization.name;
  }, [organization.name]);
  return (
    <main className={classes.display} style={colors}>
      <header className={classes.band}>
        {logo && <img src={logo} alt="" className={classes.logo} />}
        <h1 className={classes.shop}>{organization.name}</h1>
      </header>
      {shown?.sold ? (
        <Sold sold={shown.sold} />
      ) : shown && shown.lines.length > 0 ? (
        <Goods shown={shown} />
      ) : (
        <p className={classes.welcome}>{t`Welcome`}</p>
      )}
    </main>
  );
}

function Goods({ shown: { lines, pricing } }: { shown: Displayed }) {
  return (
    <div className={classes.sale}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
      <ul className={classes.lines} aria-label={t`Your items`} tabIndex={0}>
        {lines.map(({ id, name, quantity, cents }) => (
          <li key={id}>
            <span>
              {quantity} × {name}
            </span>
            <Money cents={cents ?? undefined} />
          </li>
        ))}
      </ul>
      <div className={classes.sums} aria-live="polite">
        {pricing ? (
          <>
            <PriceTotals amounts={pricing} isBrief />
            <LimitMeters limits={pricing.purchaseLimits} />
          </>
        ) : (
          <p className={classes.quiet}>{t`One moment …`}</p>
        )}
      </div>
    </div>
  );
}

function Sold({ sold: { total, received, change } }: { sold: NonNullable<Displayed['sold']> }) {
  return (
    <div className={classes.sold} role="status">
      <p className={classes.quiet}>{t`Paid`}</p>
      <p className={classes.large}>
        <Money cents={total} />
      </p>
      {received > 0 && <p className={classes.quiet}>{rich`Received ${<Money cents={received} />}`}</p>}
      {change > 0 && (
        <>
          <p className={classes.quiet}>{t`Your change`}</p>
          <p className={classes.large}>
            <Money cents={change} />
          </p>
        </>
      )}
      <p className={classes.welcome}>{t`Thank you`}</p>
    </div>
  );
}
