import { Alert } from '@mantine/core';
import { plural, t } from '../words/words.ts';
import { useWaitingSales } from './waiting-sales.ts';

/** Says at the usual counter that sales of an outage are still on this device: they are in no drawer and no report yet. */
export function WaitingNotice() {
  const { waiting, refused, refusal } = useWaitingSales();
  if (waiting === 0) return null;
  const sales = plural(waiting, { one: t`1 offline sale waits`, other: t`${waiting} offline sales wait` });
  return (
    <Alert color="yellow" role="status" style={{ flex: 'none' }} title={t`${sales} on this device`}>
      {refused === 0
        ? t`It is sent soon. Keep this page open until then.`
        : t`The service refused ${refused}: ${refusal} It is sent again every five minutes; the person who opened the drawer can sign in here.`}
    </Alert>
  );
}
