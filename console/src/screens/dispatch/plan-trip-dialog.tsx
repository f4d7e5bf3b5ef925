import { Modal, Select } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { choicesOr } from '../../parts/choices-or.ts';
import { MomentInput } from '../../parts/moment-input.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { notifyError } from '../../parts/toasts.tsx';
import { t } from '../../words/words.ts';
import { driversQuery, refreshTrips, vehiclesQuery } from './trips-query.ts';

/** What a new trip begins with. */
export interface NewTrip {
  readonly driverId: number | null;
  /** Its first stops. */
  readonly orderIds: readonly string[];
}

/** Plans a trip: who drives, with which vehicle, and when they leave. */
export function PlanTripDialog({
  day,
  begin,
  onClose,
}: {
  day: string | null;
  begin: NewTrip;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const drivers = useQuery(driversQuery);
  const vehicles = useQuery(vehiclesQuery);
  const [driverId, setDriverId] = useState(begin.driverId === null ? null : String(begin.driverId));
  const [vehicleId, setVehicleId] = useState<string | null>(null);
  const [departure, setDeparture] = useState<string | null>(null);
  const send = async () => {
    const { id: tripId } = await dataOf(
      api.POST('/staff/v1/trips', {
        body: {
          driverId: Number(driverId),
          vehicleId: Number(vehicleId),
          ...(day !== null && { day }),
          ...(departure !== null && { plannedDepartureAt: departure }),
        },
      }),
    );
    if (begin.orderIds.length > 0) {
      const body = { orderIds: [...begin.orderIds] };
      // The trip is there: if its orders are gone meanwhile, it is a plan without them, and says why.
      await dataOf(api.PUT('/staff/v1/trips/{tripId}/stops', { params: { path: { tripId } }, body })).catch(
        notifyError,
      );
    }
    await refreshTrips(client);
  };
  const choice = (
    path: string,
    label: string,
    choices: Parameters<typeof choicesOr>,
    value: string | null,
    onChange: (value: string | null) => void,
  ) => (
    <Field path={path}>
      {(error) => (
        <Select
          label={label}
          required
          error={error}
          data={choicesOr(...choices)}
          value={value}
          onChange={onChange}
        />
      )}
    </Field>
  );
  const people = (drivers.data ?? []).filter(({ archivedAt }) => archivedAt === null);
  const vans = (vehicles.data ?? []).filter(({ archivedAt }) => archivedAt === null);
  return (
    <Modal opened onClose={onClose} title={t`Plan a trip`}>
      <ServerForm onSubmit={send} onDone={onClose} onCancel={onClose} submit={t`Plan`}>
        {choice(
          'driverId',
          t`Driver`,
          [
            people.map((it) => ({ value: String(it.id), label: `${it.firstName} ${it.lastName}` })),
            drivers,
            t`Add one under Settings, Drivers.`,
          ],
          driverId,
          setDriverId,
        )}
        {choice(
          'vehicleId',
          t`Vehicle`,
          [
            vans.map(({ id, name, licensePlate }) => ({
              value: String(id),
              label: `${name} · ${licensePlate}`,
            })),
            vehicles,
            t`Add one under Settings, Vehicles.`,
          ],
          vehicleId,
          setVehicleId,
        )}
        <Field path="plannedDepartureAt">
          {(error) => (
            <MomentInput
              label={t`Departure`}
              description={t`The state's delivery hours are checked for this time.`}
              error={error}
              moment={departure}
              onChange={setDeparture}
            />
          )}
        </Field>
      </ServerForm>
    </Modal>
  );
}
