import { Alert } from '@mantine/core';
import { useWaitingSales } from './waiting-sales.ts';

/** Says at the usual counter that sales of an outage are still on this device: they are in no drawer and no report yet. */
export function WaitingNotice() {
  const { waiting, refused, refusal } = useWaitingSales();
  if (waiting === 0) return null;
  const sales = waiting === 1 ? '1 offline sale waits' : `${waiting} offline sales wait`;
  return (
    <Alert color="yellow" role="status" style={{ flex: 'none' }} title={`${sales} on this device`}>
      {refused === 0
        ? 'It is sent soon. Keep this page open until then.'
        : `The service refused ${refused}: ${refusal} It is sent again every five minutes; the person who opened the drawer can sign in here.`}
    </Alert>
  );
}
