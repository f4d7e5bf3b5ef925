import { Modal, PasswordInput, Select, Switch, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { t } from '../../words/words.ts';

type Connection = Schema['StateConnection'];

/** The states whose system is Metrc; the service refuses others. */
const states = [
  'AK',
  'AL',
  'CA',
  'CO',
  'DC',
  'GU',
  'IL',
  'KY',
  'LA',
  'MA',
  'MD',
  'ME',
  'MI',
  'MN',
  'MO',
  'MS',
  'MT',
  'NJ',
  'NV',
  'NY',
  'OH',
  'OK',
  'OR',
  'RI',
  'SD',
  'VA',
  'VI',
  'WV',
];

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
  const [isOn, setIsOn] = useState(before?.isOn ?? true);
  const save = async () => {
    const settings = { state: state as Connection['state'], licenseNumber, isSandbox, isOn };
    if (before === null) {
      const body = { ...settings, userKey, inventoryLocationId: null };
      const { id } = await dataOf(api.POST('/staff/v1/state-connections', { body }));
      await dataOf(
        api.POST('/staff/v1/state-connections/{stateConnectionId}/probe', {
          params: { path: { stateConnectionId: id } },
        }),
      );
    } else {
      const { updatedAt, id } = before;
      await dataOf(
        api.PUT('/staff/v1/state-connections/{stateConnectionId}', {
          params: { path: { stateConnectionId: id } },
          headers: ifUnchanged(updatedAt),
          body: { ...settings, adjustmentReason, ...(userKey !== '' && { userKey }) },
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
              data={states}
              error={error}
              value={state}
              onChange={setState}
            />
          )}
        </Field>
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
        <KeyField isNew={before === null} value={userKey} onChange={setUserKey} />
        <Switch
          label={t`The state's system for trying out`}
          checked={isSandbox}
          onChange={(event) => setIsSandbox(event.currentTarget.checked)}
        />
        {before !== null && before.adjustmentReasons.length > 0 && (
          <ReasonField
            reasons={before.adjustmentReasons}
            value={adjustmentReason}
            onChange={setAdjustmentReason}
          />
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
  reasons,
  value,
  onChange,
}: {
  reasons: readonly string[];
  value: string | null;
  onChange: (reason: string | null) => void;
}) {
  return (
    <Field path="adjustmentReason">
      {(error) => (
        <Select
          label={t`Reason of adjustments`}
          description={t`Counted and adjusted stock names it, and waits until one is chosen`}
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
