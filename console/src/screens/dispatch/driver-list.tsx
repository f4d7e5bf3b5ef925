import { Checkbox, Menu, Modal, Select } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, ifUnchanged } from '../../api.ts';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { listOf } from '../../parts/list-of.ts';
import { inUseColumn, nameColumn } from '../../parts/record-columns.tsx';
import type { RecordKind } from '../../parts/record-kind.ts';
import { RecordList } from '../../parts/record-list.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import type { Edit } from '../../parts/use-edit.ts';
import { t } from '../../words/words.ts';
import { registersQuery } from '../registers/registers-query.ts';
import { type Driver, driversQuery } from './trips-query.ts';

/** A driver with a name, as lists of records show them. */
type NamedDriver = Driver & { readonly name: string };

const named = (driver: Driver): NamedDriver => ({
  ...driver,
  name: `${driver.firstName ?? ''} ${driver.lastName ?? ''}`.trim(),
});

const words = {
  staffId: t`Member of staff`,
  employeeNumber: t`State employee number`,
  phone: t`Phone`,
  registerId: t`Drawer`,
  sharesPosition: t`Trips may share the driver's location`,
} as const;

const bodyOf = ({ staffId, employeeNumber, phone, registerId, sharesPosition }: Partial<NamedDriver>) => ({
  ...{ staffId, employeeNumber, phone, registerId, sharesPosition },
});

const patch = async (driverId: number, body: object, updatedAt?: string) =>
  named(
    await dataOf(
      api.PATCH('/staff/v1/drivers/{driverId}', {
        params: { path: { driverId } },
        headers: updatedAt === undefined ? {} : ifUnchanged(updatedAt),
        body,
      }),
    ),
  );

const driverKind: RecordKind<NamedDriver> = {
  noun: t`driver`,
  resources: ['drivers'],
  blank: {
    ...{ id: 0, name: '', staffId: 0, employeeNumber: null, phone: null, registerId: null },
    ...{ sharesPosition: false, firstName: null, lastName: null, licenseLastFour: null },
    ...{ createdAt: '', updatedAt: '', archivedAt: null },
  },
  create: async ({ staffId, ...draft }) =>
    named(await dataOf(api.POST('/staff/v1/drivers', { body: { ...bodyOf(draft), staffId } }))),
  save: (id, changes, updatedAt) => patch(id, bodyOf(changes), updatedAt),
  loadAll: async () => (await dataOf(api.GET('/staff/v1/drivers'))).map(named),
  shown: (name, value) => ({ label: words[name as keyof typeof words], value: String(value) }),
  fields: (edit) => <DriverFields {...edit} />,
  removal: {
    verb: 'archive',
    send: (id) => patch(id, { archived: true }),
    warning: () => t`The driver is not offered for new trips.`,
  },
};

const columns: readonly Column<NamedDriver>[] = [
  nameColumn(t`Driver`, '40%'),
  { id: 'phone', header: words.phone, wideOnly: true, cell: ({ phone }) => phone ?? '–' },
  {
    id: 'license',
    header: t`Driver's license`,
    cell: ({ licenseLastFour }) => (licenseLastFour === null ? t`Missing` : `… ${licenseLastFour}`),
  },
  inUseColumn,
];

/** The members of staff who drive, archived ones included. */
export function Component() {
  const [asked, setAsked] = useState<NamedDriver | null>(null);
  return (
    <>
      <RecordList
        kind={driverKind}
        title={t`Drivers`}
        hint={t`Drivers are members of your staff. Their license number appears only on the manifest.`}
        tabs={null}
        label={t`Drivers`}
        list={listOf(useQuery(driversQuery), (rows) => rows.map(named))}
        columns={columns}
        empty={<EmptyState title={t`No drivers yet`}>{t`Add one to plan trips.`}</EmptyState>}
        right="updateDriver"
        menuItems={(row) => <Menu.Item onClick={() => setAsked(row)}>{t`Set the license number`}</Menu.Item>}
      />
      {asked !== null && <LicenseDialog driver={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function LicenseDialog({ driver, onClose }: { driver: NamedDriver; onClose: () => void }) {
  const client = useQueryClient();
  const [licenseNumber, setLicenseNumber] = useState('');
  const send = async () => {
    const params = { path: { driverId: driver.id } };
    await dataOf(api.PUT('/staff/v1/drivers/{driverId}/license-number', { params, body: { licenseNumber } }));
    await client.invalidateQueries({ queryKey: ['drivers'] });
    notifyDone(t`The license number of ${driver.name} is saved.`);
  };
  return (
    <Modal opened onClose={onClose} title={t`Driver's license`}>
      <ServerForm onSubmit={send} onDone={onClose} onCancel={onClose} submit={t`Save`}>
        <TextField
          path="licenseNumber"
          label={t`License number`}
          description={t`Stored encrypted; only the last digits are shown.`}
          required
          value={licenseNumber}
          onChange={setLicenseNumber}
        />
      </ServerForm>
    </Modal>
  );
}

function DriverFields({ draft, set }: Edit<NamedDriver>) {
  const registers = useQuery(registersQuery);
  const staff = useQuery({
    queryKey: ['staff'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/staff', { signal })),
  });
  const people = (staff.data ?? []).map((it) => ({
    value: String(it.id),
    label: `${it.firstName} ${it.lastName}`,
  }));
  const drawers = (registers.data ?? []).filter(({ archivedAt }) => archivedAt === null);
  return (
    <>
      <Field path="staffId">
        {(error) => (
          <Select
            label={words.staffId}
            required
            error={error}
            data={choicesOr(people, staff, t`Invite staff first.`)}
            value={draft.staffId === 0 ? null : String(draft.staffId)}
            onChange={(value) => value && set('staffId', Number(value))}
          />
        )}
      </Field>
      {(['employeeNumber', 'phone'] as const).map((name) => (
        <TextField
          key={name}
          path={name}
          label={words[name]}
          value={draft[name] ?? ''}
          onChange={(value) => set(name, value.trim() === '' ? null : value)}
        />
      ))}
      <Field path="registerId">
        {(error) => (
          <Select
            label={words.registerId}
            description={t`The register whose drawer goes with the driver. Leave empty if the driver takes no cash.`}
            clearable
            error={error}
            data={choicesOr(
              drawers.map(({ id, name }) => ({ value: String(id), label: name })),
              registers,
              createHints.registers,
            )}
            value={draft.registerId === null ? null : String(draft.registerId)}
            onChange={(value) => set('registerId', value === null ? null : Number(value))}
          />
        )}
      </Field>
      <Checkbox
        label={words.sharesPosition}
        checked={draft.sharesPosition}
        onChange={({ currentTarget: { checked } }) => set('sharesPosition', checked)}
      />
    </>
  );
}
