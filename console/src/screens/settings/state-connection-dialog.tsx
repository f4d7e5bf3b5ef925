import { Modal, PasswordInput, Select, Switch, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { t } from '../../words/words.ts';
import { locationsQuery } from '../inventory/stock-words.ts';
import { stateSystemsQuery } from './state-pages-queries.ts';

type Connection = Schema['StateConnection'];

/** Connects a license to the state's system, or changes how it is connected. A key that is left empty stays. */
export function StateConnectionDialog({
  edited,
  onClose,
}: {
  edited: Connection | 'new';
  onClose: () => void;
}) {
  const queryClient = useQueryClient();
  const before = edited === 'new' ? null : edited;
  const [state, setState] = useState<string | null>(before?.state ?? null);
  const [licenseNumber, setLicenseNumber] = useState(before?.licenseNumber ?? '');
  const [userKey, setUserKey] = useState('');
  const [isSandbox, setIsSandbox] = useState(before?.isSandbox ?? false);
  const [adjustmentReason, setAdjustmentReason] = useState(before?.adjustmentReason ?? null);
  const [wasteReason, setWasteReason] = useState(before?.wasteReason ?? null);
  const [locationId, setLocationId] = useState<string | null>(null);
  const systems = useQuery(stateSystemsQuery);
  const locations = useQuery(locationsQuery);
  const system = systems.data?.find((it) => it.state === state)?.system ?? 'metrc';
  const [isOn, setIsOn] = useState(before?.isOn ?? true);
  const save = async () => {
    const settings = { state: state as Connection['state'], licenseNumber, isSandbox, isOn };
    if (before === null) {
      const inventoryLocationId = locationId === null ? null : Number(locationId);
      const key = system === 'metrc' ? { userKey } : {};
      const body = { ...settings, ...key, inventoryLocationId };
      const { id } = await dataOf(api.POST('/staff/v1/state-connections', { body }));
      if (system === 'metrc') {
        await dataOf(
          api.POST('/staff/v1/state-connections/{stateConnectionId}/probe', {
            params: { path: { stateConnectionId: id } },
          }),
        );
      }
    } else {
      const { updatedAt, id } = before;
      await dataOf(
        api.PUT('/staff/v1/state-connections/{stateConnectionId}', {
          params: { path: { stateConnectionId: id } },
          headers: ifUnchanged(updatedAt),
          body: { ...settings, adjustmentReason, wasteReason, ...(userKey !== '' && { userKey }) },
        }),
      );
    }
    await queryClient.invalidateQueries({ queryKey: ['state-connections'] });
    notifyDone(t`The license is saved.`);
  };
  return (
    <Modal opened onClose={onClose} title={before === null ? t`Connect a license` : t`Change the license`}>
      <ServerForm onSubmit={save} onDone={onClose} onCancel={onClose} submit={t`Save`}>
        <Field path="state">
          {(error) => (
            <Select
              label={t`State`}
              required
              searchable
              data={systems.data?.map((it) => it.state) ?? []}
              error={error}
              value={state}
              onChange={setState}
            />
          )}
        </Field>
        {before === null && (
          <Field path="inventoryLocationId">
            {(error) => (
              <Select
                label={t`Location`}
                description={t`Left empty, it is for all locations that no other license names`}
                clearable
                data={(locations.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
                error={error}
                value={locationId}
                onChange={setLocationId}
              />
            )}
          </Field>
        )}
        <Field path="licenseNumber">
          {(error) => (
            <TextInput
              label={t`License number`}
              description={t`As the state's system shows it`}
              required
              maxLength={100}
              error={error}
              value={licenseNumber}
              onChange={(event) => setLicenseNumber(event.currentTarget.value)}
            />
          )}
        </Field>
        {system === 'metrc' ? (
          <>
            <KeyField isNew={before === null} value={userKey} onChange={setUserKey} />
            <Switch
              label={t`The state's system for trying out`}
              checked={isSandbox}
              onChange={(event) => setIsSandbox(event.currentTarget.checked)}
            />
          </>
        ) : (
          <Text size="sm">
            {system === 'ccrs-file'
              ? t`The service makes the files of each week; a person uploads them.`
              : t`The service makes a book of each day; a person enters it in the state's forms.`}
          </Text>
        )}
        {before !== null && before.adjustmentReasons.length > 0 && (
          <>
            <ReasonField
              path="adjustmentReason"
              label={t`Reason of adjustments`}
              hint={t`Counted and adjusted stock names it, and waits until one is chosen`}
              reasons={before.adjustmentReasons}
              value={adjustmentReason}
              onChange={setAdjustmentReason}
            />
            <ReasonField
              path="wasteReason"
              label={t`Reason of waste`}
              hint={t`Goods that came back and were thrown away name it; left empty, they name the other`}
              reasons={before.adjustmentReasons}
              value={wasteReason}
              onChange={setWasteReason}
            />
          </>
        )}
        <Switch
          label={t`Report sales`}
          checked={isOn}
          onChange={(event) => setIsOn(event.currentTarget.checked)}
        />
      </ServerForm>
    </Modal>
  );
}

function ReasonField({
  path,
  label,
  hint,
  reasons,
  value,
  onChange,
}: {
  path: string;
  label: string;
  hint: string;
  reasons: readonly string[];
  value: string | null;
  onChange: (reason: string | null) => void;
}) {
  return (
    <Field path={path}>
      {(error) => (
        <Select
          label={label}
          description={hint}
          clearable
          data={[...reasons]}
          error={error}
          value={value}
          onChange={onChange}
        />
      )}
    </Field>
  );
}

/** The key of a user of the state's system: typed once, never shown again. */
function KeyField({
  isNew,
  value,
  onChange,
}: {
  isNew: boolean;
  value: string;
  onChange: (key: string) => void;
}) {
  return (
    <Field path="userKey">
      {(error) => (
        <PasswordInput
          label={t`User key`}
          description={
            isNew
              ? t`Of a person with the right to manage sales at this license`
              : t`Left empty, the key stays`
          }
          required={isNew}
          autoComplete="off"
          maxLength={300}
          error={error}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
