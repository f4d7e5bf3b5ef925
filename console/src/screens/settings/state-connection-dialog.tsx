import { Modal, PasswordInput, Select, Switch, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { t } from '../../words/words.ts';
import { locationChoices, locationsQuery } from '../inventory/stock-words.ts';
import { stateSystemsQuery } from './state-pages-queries.ts';

type Connection = Schema['StateConnection'];

/** Makes the connection, and asks the state at once where it can be asked. */
async function connect(body: Schema['NewStateConnection']): Promise<void> {
  const { id, system } = await dataOf(api.POST('/staff/v1/state-connections', { body }));
  if (system !== 'metrc') return;
  const params = { path: { stateConnectionId: id } };
  await dataOf(api.POST('/staff/v1/state-connections/{stateConnectionId}/probe', { params }));
}

function change({ id, updatedAt }: Connection, body: Schema['StateConnectionChange']) {
  return dataOf(
    api.PUT('/staff/v1/state-connections/{stateConnectionId}', {
      params: { path: { stateConnectionId: id } },
      headers: ifUnchanged(updatedAt),
      body,
    }),
  );
}

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
  const [returnReason, setReturnReason] = useState(before?.returnReason ?? null);
  const [locationId, setLocationId] = useState<string | null>(null);
  const systems = useQuery(stateSystemsQuery);
  const system = systems.data?.find((it) => it.state === state)?.system ?? 'metrc';
  const [isOn, setIsOn] = useState(before?.isOn ?? true);
  const save = async () => {
    const settings = { state: state as Connection['state'], licenseNumber, isSandbox, isOn };
    if (before === null) {
      const inventoryLocationId = locationId === null ? null : Number(locationId);
      await connect({ ...settings, inventoryLocationId, ...(system === 'metrc' && { userKey }) });
    } else {
      await change(before, {
        ...settings,
        adjustmentReason,
        wasteReason,
        returnReason,
        ...(userKey !== '' && { userKey }),
      });
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
        {before === null && <LocationField value={locationId} onChange={setLocationId} />}
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
          <AccessFields
            isNew={before === null}
            userKey={userKey}
            onKey={setUserKey}
            isSandbox={isSandbox}
            onSandbox={setIsSandbox}
          />
        ) : (
          <Text size="sm">
            {system === 'ccrs-file'
              ? t`The service makes the files of each week; a person uploads them.`
              : t`The service makes a book of each day; a person enters it in the state's forms.`}
          </Text>
        )}
        {before !== null && (
          <ReasonFields
            connection={before}
            adjustment={[adjustmentReason, setAdjustmentReason]}
            waste={[wasteReason, setWasteReason]}
            back={[returnReason, setReturnReason]}
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

function LocationField({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const locations = useQuery(locationsQuery);
  return (
    <Field path="inventoryLocationId">
      {(error) => (
        <Select
          label={t`Location`}
          description={t`Leave empty for all locations that no other license names`}
          clearable
          data={choicesOr(locationChoices(locations.data), locations, createHints.locations)}
          error={error}
          value={value}
          onChange={onChange}
        />
      )}
    </Field>
  );
}

/** How the state's interface is reached. */
function AccessFields({
  isNew,
  userKey,
  onKey,
  isSandbox,
  onSandbox,
}: {
  isNew: boolean;
  userKey: string;
  onKey: (key: string) => void;
  isSandbox: boolean;
  onSandbox: (isSandbox: boolean) => void;
}) {
  return (
    <>
      <KeyField isNew={isNew} value={userKey} onChange={onKey} />
      <Switch
        label={t`The state's system for trying out`}
        checked={isSandbox}
        onChange={(event) => onSandbox(event.currentTarget.checked)}
      />
    </>
  );
}

type Chosen = readonly [reason: string | null, choose: (reason: string | null) => void];

/** What changes of stock, and returns of deliveries, name at the state: what it takes no reason for is not asked. */
function ReasonFields({
  connection: { adjustmentReasons, returnReasons },
  adjustment,
  waste,
  back,
}: {
  connection: Connection;
  adjustment: Chosen;
  waste: Chosen;
  back: Chosen;
}) {
  return (
    <>
      {adjustmentReasons.length > 0 && (
        <StockReasonFields reasons={adjustmentReasons} adjustment={adjustment} waste={waste} />
      )}
      {returnReasons.length > 0 && (
        <ReasonField
          path="returnReason"
          label={t`Reason of returns`}
          hint={t`Goods that a delivery brings back name it, and wait until one is chosen`}
          reasons={returnReasons}
          value={back[0]}
          onChange={back[1]}
        />
      )}
    </>
  );
}

function StockReasonFields({
  reasons,
  adjustment,
  waste,
}: {
  reasons: readonly string[];
  adjustment: Chosen;
  waste: Chosen;
}) {
  return (
    <>
      <ReasonField
        path="adjustmentReason"
        label={t`Reason of adjustments`}
        hint={t`For counted and adjusted stock, which waits until one is chosen`}
        reasons={reasons}
        value={adjustment[0]}
        onChange={adjustment[1]}
      />
      <ReasonField
        path="wasteReason"
        label={t`Reason of waste`}
        hint={t`For returned goods that were thrown away. Leave empty to use the other reason`}
        reasons={reasons}
        value={waste[0]}
        onChange={waste[1]}
      />
    </>
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
              : t`Leave empty to keep the current key`
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
