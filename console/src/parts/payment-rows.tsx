import { ActionIcon, Button, Group, Select, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { dollars } from './dollars.ts';
import { Money } from './money.tsx';
import { MoneyInput } from './money-input.tsx';
import { cashSuggestions, paymentFee } from './payment-fee.ts';
import classes from './payment-rows.module.css';
import type { PaymentType } from './use-payment-types.ts';

/** A payment as it is being taken. */
export interface PaymentRow {
  readonly key: number;
  readonly paymentTypeId: number;
  readonly amount: number | null;
  /** The cash that was given; null: exactly what is due. */
  readonly tendered: number | null;
}

/** What the rows come to. */
export interface PaymentSums {
  /** Cents that no payment covers yet; negative: too much. */
  readonly remaining: number;
  readonly fees: number;
  readonly change: number;
}

/** What is left to pay of `due`, the fees, and what goes back of the cash; the service has the last word on all of it. */
export function sumsOf(due: number, rows: readonly PaymentRow[], types: readonly PaymentType[]): PaymentSums {
  let remaining = due;
  let fees = 0;
  let change = 0;
  for (const { paymentTypeId, amount, tendered } of rows) {
    const type = types.find(({ id }) => id === paymentTypeId);
    const fee = type ? paymentFee(type, amount ?? 0) : 0;
    remaining -= amount ?? 0;
    fees += fee;
    if (tendered !== null && type?.method === 'cash') change += tendered - (amount ?? 0) - fee;
  }
  return { remaining, fees, change };
}

/** Whether the payments come to what is due, each cash payment with enough given for it and its fee. */
export function isPaid(due: number, rows: readonly PaymentRow[], types: readonly PaymentType[]): boolean {
  return due === 0 || (sumsOf(due, rows, types).remaining === 0 && rows.every((row) => isGiven(row, types)));
}

function isGiven({ paymentTypeId, amount, tendered }: PaymentRow, types: readonly PaymentType[]): boolean {
  const type = types.find(({ id }) => id === paymentTypeId);
  if (tendered === null || type?.method !== 'cash') return true;
  return tendered >= (amount ?? 0) + paymentFee(type, amount ?? 0);
}

/** The rows as the service takes them. */
export function paymentsOf(rows: readonly PaymentRow[], types: readonly PaymentType[]) {
  return rows.map(({ paymentTypeId, amount, tendered }) => ({
    paymentTypeId,
    amount: amount ?? 0,
    ...(tendered !== null && types.find(({ id }) => id === paymentTypeId)?.method === 'cash' && { tendered }),
  }));
}

/** How an order is paid: several payments, each with its type; for cash what was given. Says what remains and the change. */
export function PaymentRows({
  due,
  rows,
  onChange,
  types,
}: {
  /** Cents, before payment fees. */
  due: number;
  rows: readonly PaymentRow[];
  onChange: (rows: readonly PaymentRow[]) => void;
  types: readonly PaymentType[];
}) {
  const { remaining, fees, change } = sumsOf(due, rows, types);
  const set = (key: number, values: Partial<PaymentRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...values } : row)));
  const add = () => {
    const key = Math.max(0, ...rows.map((row) => row.key)) + 1;
    const used = new Set(rows.map(({ paymentTypeId }) => paymentTypeId));
    const type = types.find(({ id }) => !used.has(id)) ?? types[0];
    if (type)
      onChange([
        ...rows,
        { key, paymentTypeId: type.id, amount: Math.max(0, remaining) || null, tendered: null },
      ]);
  };
  return (
    <Stack gap="md">
      {rows.map((row, index) => (
        <PaymentFields
          key={row.key}
          row={row}
          index={index}
          types={types}
          onChange={(values) => set(row.key, values)}
          onRemove={rows.length > 1 ? () => onChange(rows.filter(({ key }) => key !== row.key)) : undefined}
        />
      ))}
      <Group justify="space-between">
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={add}
        >
          Add a payment
        </Button>
        {rows.length === 1 && remaining !== 0 && (
          <Button variant="subtle" size="compact-sm" onClick={() => set(rows[0]!.key, { amount: due })}>
            Pay all with this
          </Button>
        )}
      </Group>
      <dl className={`${classes.sums} numbers`} aria-live="polite">
        <dt>To pay</dt>
        <dd>
          <Money cents={due} />
        </dd>
        {fees > 0 && (
          <>
            <dt>Payment fees</dt>
            <dd>
              <Money cents={fees} />
            </dd>
            <dt>With fees</dt>
            <dd>
              <Money cents={due + fees} fw={600} />
            </dd>
          </>
        )}
        <dt>{remaining < 0 ? 'Too much' : 'Remaining'}</dt>
        <dd>
          <Text
            span
            inherit
            c={remaining === 0 ? undefined : 'var(--mantine-color-error)'}
            fw={remaining === 0 ? undefined : 600}
          >
            {dollars(Math.abs(remaining))}
          </Text>
        </dd>
        {change !== 0 && (
          <>
            <dt className={classes.large}>{change < 0 ? 'Cash missing' : 'Change'}</dt>
            <dd className={classes.large}>
              <Text span inherit c={change < 0 ? 'var(--mantine-color-error)' : undefined}>
                {dollars(Math.abs(change))}
              </Text>
            </dd>
          </>
        )}
      </dl>
    </Stack>
  );
}

function PaymentFields({
  row,
  index,
  types,
  onChange,
  onRemove,
}: {
  row: PaymentRow;
  index: number;
  types: readonly PaymentType[];
  onChange: (values: Partial<PaymentRow>) => void;
  onRemove: (() => void) | undefined;
}) {
  const type = types.find(({ id }) => id === row.paymentTypeId);
  const isCash = type?.method === 'cash';
  const place = index === 0 ? '' : ` ${index + 1}`;
  const owed = (row.amount ?? 0) + (type ? paymentFee(type, row.amount ?? 0) : 0);
  return (
    <div>
      <div className={classes.row}>
        <Select
          label={`Payment${place}`}
          data={types.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={String(row.paymentTypeId)}
          onChange={(value) => value && onChange({ paymentTypeId: Number(value), tendered: null })}
        />
        <MoneyInput label={`Amount${place}`} cents={row.amount} onChange={(amount) => onChange({ amount })} />
        {isCash ? (
          <MoneyInput
            label={`Cash given${place}`}
            data-autofocus={index === 0 || undefined}
            placeholder={dollars(owed).slice(1)}
            cents={row.tendered}
            onChange={(tendered) => onChange({ tendered })}
          />
        ) : (
          <span />
        )}
        {onRemove && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={`Remove payment${place || ' 1'}`}
            onClick={onRemove}
          >
            <IconTrash size={18} />
          </ActionIcon>
        )}
      </div>
      {isCash && owed > 0 && (
        <Group gap="xs" mt={8} aria-label="Cash given" role="group">
          {cashSuggestions(owed).map((cents) => (
            <Button
              key={cents}
              variant={row.tendered === cents ? 'filled' : 'default'}
              size="compact-sm"
              onClick={() => onChange({ tendered: cents })}
            >
              {dollars(cents)}
            </Button>
          ))}
        </Group>
      )}
    </div>
  );
}
