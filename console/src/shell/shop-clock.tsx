import { useEffect, useState } from 'react';
import { shopNow } from '../parts/shop-now.ts';
import { shopTime } from '../parts/shop-time.tsx';
import { useSession } from '../session/session.tsx';

/** The time in the shop's time zone, which can differ from the browser's. */
export function ShopClock() {
  const { tz } = useSession().organization;
  const [now, setNow] = useState(() => shopNow());
  useEffect(() => {
    const tick = setInterval(() => setNow(shopNow()), 10_000);
    return () => clearInterval(tick);
  }, []);
  return (
    <time dateTime={new Date(now).toISOString()} title={shopTime(now, tz, 'full')} className="numbers">
      {shopTime(now, tz, 'time')}
    </time>
  );
}
