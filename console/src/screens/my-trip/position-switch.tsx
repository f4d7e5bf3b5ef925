import { Switch } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Trip } from '../../trip/trip-acts.ts';
import { sendPosition } from '../../trip/trip-api.ts';
import { t } from '../../words/words.ts';

/** At most once in so long. */
const everyMs = 60_000;

/**
 * Where the driver is, for the customer who waits: only while the trip is out, where the shop has switched it on for the driver, and the driver on
 * this page. Off at first, and again with every visit of the page. A position that cannot be sent is gone.
 */
export function PositionSwitch({ trip: { id, status, driver } }: { trip: Trip }) {
  const [isOn, setOn] = useState(false);
  const goes = isOn && status === 'out' && driver.sharesPosition;
  useEffect(() => {
    if (!goes) return;
    let sentMs = 0;
    const watch = navigator.geolocation.watchPosition(({ coords }) => {
      if (Date.now() - sentMs < everyMs) return;
      sentMs = Date.now();
      void sendPosition(id, coords).catch(() => {});
    });
    return () => navigator.geolocation.clearWatch(watch);
  }, [goes, id]);
  if (!driver.sharesPosition || !('geolocation' in navigator)) return null;
  return (
    <Switch
      size="lg"
      label={t`Show where I am`}
      description={t`To the shop and to the customer whose turn it is, until the end of the trip.`}
      checked={isOn}
      onChange={({ currentTarget }) => setOn(currentTarget.checked)}
    />
  );
}
