import { Modal, NumberInput, PasswordInput, Select, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { t } from '../../words/words.ts';

type Connection = Schema['PaymentConnection'];
type Provider = Connection['provider'];
type Texts = Readonly<Record<string, string>>;

export const providerInWords: Readonly<Record<Provider, string>> = {
  terminal: t`Card terminal (SPIn)`,
  bank: t`Pay by bank`,
};

/** The fields of a provider: what is no secret, and what is. */
const fieldsOf: Readonly<Record<Provider, { readonly account: Texts; readonly secrets: Texts }>> = {
  terminal: {
    account: { tpn: t`Terminal number (TPN)`, paymentType: t`Kind of card: Debit, Credit or Card` },
    secrets: { authkey: t`Auth key` },
  },
  bank: {
    account: { merchant: t`Merchant number` },
    secrets: { apiKey: t`API key`, apiSecret: t`API secret`, signingKey: t`Signing key of webhooks` },
  },
};

/** Pairs a terminal with a register, or connects a bank. Keys that are left empty stay. */
export function PaymentConnectionDialog({
  edited,
  onClose,
}: {
  edited: Connection | 'new';
  onClose: () => void;
}) {
  const queryClient = useQueryClient();
  const before = edited === 'new' ? null : edited;
  const [provider, setProvider] = useState<Provider>(before?.provider ?? 'terminal');
  const [name, setName] = useState(before?.name ?? '');
  const [baseUrl, setBaseUrl] = useState(before?.baseUrl ?? '');
  const [paymentTypeId, setPaymentTypeId] = useState<string | null>(null);
  const [registerId, setRegisterId] = useState<string | null>(null);
  const [account, setAccount] = useState<Texts>(before?.account ?? {});
  const [secrets, setSecrets] = useState<Texts>({});
  const [minutes, setMinutes] = useState<number | null>(before?.payWithinMinutes ?? null);
  const fields = fieldsOf[provider];
  const only = (texts: Texts, names: Texts): Texts =>
    Object.fromEntries(Object.keys(names).map((key) => [key, texts[key] ?? '']));
  const hasKeys = Object.keys(fields.secrets).every((key) => (secrets[key] ?? '') !== '');
  const save = async () => {
    await saveConnection(
      before,
      { name, baseUrl, payWithinMinutes: minutes, account: only(account, fields.account) },
      hasKeys ? only(secrets, fields.secrets) : null,
      {
        ...{ provider, paymentTypeId: Number(paymentTypeId) },
        ...(provider === 'terminal' && { registerId: Number(registerId) }),
      },
    );
    await queryClient.invalidateQueries({ queryKey: ['payment-connections'] });
    notifyDone(t`${name} is connected. Test it now.`);
  };
  const isPlaced =
    before !== null || (paymentTypeId !== null && (provider === 'bank' || registerId !== null));
  return (
    <Modal
      opened
      onClose={onClose}
      title={before === null ? t`Connect a terminal or a bank` : t`Change ${before.name}`}
    >
      <ServerForm
        submit={t`Save`}
        onSubmit={save}
        onDone={onClose}
        onCancel={onClose}
        isReady={name.trim() !== '' && isPlaced && (before !== null || hasKeys)}
      >
        {before === null && (
          <Places
            provider={provider}
            onProvider={setProvider}
            paymentTypeId={paymentTypeId}
            onPaymentType={setPaymentTypeId}
            registerId={registerId}
            onRegister={setRegisterId}
          />
        )}
        <TextField path="name" label={t`Name`} value={name} onChange={setName} />
        <TextField path="baseUrl" label={t`Address of the provider`} value={baseUrl} onChange={setBaseUrl} />
        {Object.entries(fields.account).map(([key, label]) => (
          <TextField
            key={key}
            path={`account.${key}`}
            label={label}
            value={account[key] ?? ''}
            onChange={(text) => setAccount({ ...account, [key]: text })}
          />
        ))}
        {Object.entries(fields.secrets).map(([key, label]) => (
          <SecretField
            key={key}
            path={`secrets.${key}`}
            label={label}
            isNew={before === null}
            value={secrets[key] ?? ''}
            onChange={(text) => setSecrets({ ...secrets, [key]: text })}
          />
        ))}
        {provider === 'bank' && (
          <Field path="payWithinMinutes">
            {(error) => (
              <NumberInput
                label={t`Minutes to pay an online order`}
                description={t`Then it is canceled. Leave empty for never`}
                allowDecimal={false}
                min={5}
                max={10_080}
                error={error}
                value={minutes ?? ''}
                onChange={(value) => setMinutes(typeof value === 'number' ? value : null)}
              />
            )}
          </Field>
        )}
      </ServerForm>
    </Modal>
  );
}

async function saveConnection(
  before: Connection | null,
  given: Pick<Connection, 'name' | 'baseUrl' | 'payWithinMinutes' | 'account'>,
  secrets: Texts | null,
  place: { readonly provider: Provider; readonly paymentTypeId: number; readonly registerId?: number },
): Promise<void> {
  if (before === null) {
    const body = { ...given, ...place, secrets: secrets ?? {} };
    await dataOf(api.POST('/staff/v1/payment-connections', { body }));
    return;
  }
  await dataOf(
    api.PATCH('/staff/v1/payment-connections/{paymentConnectionId}', {
      params: { path: { paymentConnectionId: before.id } },
      headers: ifUnchanged(before.updatedAt),
      body: { ...given, ...(secrets !== null && { secrets }) },
    }),
  );
}

/** A key: typed once, never shown again. */
function SecretField({
  path,
  label,
  isNew,
  value,
  onChange,
}: {
  path: string;
  label: string;
  isNew: boolean;
  value: string;
  onChange: (text: string) => void;
}) {
  return (
    <Field path={path}>
      {(error) => (
        <PasswordInput
          label={label}
          description={isNew ? undefined : t`Leave empty to keep the current one`}
          autoComplete="off"
          maxLength={500}
          error={error}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

function TextField({
  path,
  label,
  value,
  onChange,
}: {
  path: string;
  label: string;
  value: string;
  onChange: (text: string) => void;
}) {
  return (
    <Field path={path}>
      {(error) => (
        <TextInput
          label={label}
          required
          maxLength={500}
          error={error}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** What is connected: it cannot be changed later. */
function Places({
  provider,
  onProvider,
  paymentTypeId,
  onPaymentType,
  registerId,
  onRegister,
}: {
  provider: Provider;
  onProvider: (provider: Provider) => void;
  paymentTypeId: string | null;
  onPaymentType: (id: string | null) => void;
  registerId: string | null;
  onRegister: (id: string | null) => void;
}) {
  const types = useQuery({
    queryKey: ['payment-types'],
    queryFn: () => dataOf(api.GET('/staff/v1/payment-types')),
  });
  const registers = useQuery({
    queryKey: ['registers'],
    queryFn: () => dataOf(api.GET('/staff/v1/registers')),
  });
  const choices = (rows: readonly { id: number; name: string; archivedAt: string | null }[] | undefined) =>
    (rows ?? [])
      .filter(({ archivedAt }) => archivedAt === null)
      .map(({ id, name }) => ({ value: String(id), label: name }));
  const usable = types.data?.filter(({ method }) => method !== 'cash');
  return (
    <>
      <Select
        label={t`Provider`}
        data={Object.entries(providerInWords).map(([value, label]) => ({ value, label }))}
        value={provider}
        allowDeselect={false}
        onChange={(value) => value && onProvider(value as Provider)}
      />
      <Field path="paymentTypeId">
        {(error) => (
          <Select
            label={t`Payment type`}
            description={t`Payments by it go through this connection`}
            required
            error={error}
            data={choices(usable)}
            value={paymentTypeId}
            onChange={onPaymentType}
          />
        )}
      </Field>
      {provider === 'terminal' && (
        <Field path="registerId">
          {(error) => (
            <Select
              label={t`Register`}
              description={t`Where the terminal stands`}
              required
              error={error}
              data={choices(registers.data)}
              value={registerId}
              onChange={onRegister}
            />
          )}
        </Field>
      )}
    </>
  );
}
