import { Switch } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Trip } from '../../trip/trip-acts.ts';
import { endPosition, sendPosition } from '../../trip/trip-api.ts';
import { t } from '../../words/words.ts';

/** At most once in so long. */
const everyMs = 60_000;

/**
 * Where the driver is, for the shop, and where it says so for the customer whose turn it is: only while the trip is out, of drivers whose record
 * allows it, and with the driver on this page. Off at first, and again with every visit of the page. A position that cannot be sent is gone.
 */
export function PositionSwitch({ trip: { id, status, driver, customersSeePosition } }: { trip: Trip }) {
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
  const turn = (on: boolean) => {
    setOn(on);
    // Without a line the shop shows the last one for some minutes, and forgets it with the trip.
    if (!on && status === 'out') void endPosition(id).catch(() => {});
  };
  if (!driver.sharesPosition || !('geolocation' in navigator)) return null;
  return (
    <Switch
      size="lg"
      label={t`Show where I am`}
      description={
        customersSeePosition
          ? t`To the shop, and in whole miles to the customer whose turn it is, until the end of the trip.`
          : t`To the shop, until the end of the trip.`
      }
      checked={isOn}
      onChange={({ currentTarget }) => turn(currentTarget.checked)}
    />
  );
}
