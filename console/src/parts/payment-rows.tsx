import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useLayoutEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { t } from '../words/words.ts';
import { ConfirmFigure } from './confirm-figure.tsx';
import { dollars } from './dollars.ts';
import { GiftCardField } from './gift-card-field.tsx';
import { Money } from './money.tsx';
import { MoneyInput } from './money-input.tsx';
import { cashSuggestions } from './payment-fee.ts';
import classes from './payment-rows.module.css';
import { isMuchCash, owedOf, type PaymentRow, type PaymentSums, sumsOf } from './payment-sums.ts';
import { TenderButtons } from './tender-buttons.tsx';
import type { PaymentType } from './use-payment-types.ts';

/** The payments of an order, each with its type and, for cash, the amount given. Shows the remainder and the change. */
export function PaymentRows({
  due,
  rows,
  onChange,
  types,
}: {
  /** Cents before payment fees; null: the price is loading. */
  due: number | null;
  rows: readonly PaymentRow[];
  onChange: (rows: readonly PaymentRow[]) => void;
  types: readonly PaymentType[];
}) {
  const sums = sumsOf(due ?? 0, rows, types);
  const { remaining } = sums;
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
          owed={owedOf(row, rows, types)}
          onChange={(values) => set(row.key, values)}
          onRemove={rows.length > 1 ? () => onChange(rows.filter(({ key }) => key !== row.key)) : undefined}
        />
      ))}
      <Group justify="space-between">
        <Button variant="subtle" leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
          {t`Add a payment`}
        </Button>
        {due !== null && rows.length === 1 && remaining !== 0 && (
          <Button variant="subtle" onClick={() => set(rows[0]!.key, { amount: due })}>
            {t`Pay in full with this`}
          </Button>
        )}
      </Group>
      {due === null ? (
        <Text size="sm" c="dimmed" role="status">
          {t`Pricing …`}
        </Text>
      ) : (
        <Sums due={due} sums={sums} />
      )}
    </Stack>
  );
}

function Sums({ due, sums: { remaining, fees, rounding, change } }: { due: number; sums: PaymentSums }) {
  return (
    <dl className={`${classes.sums} numbers`} aria-live="polite">
      <dt>{t`To pay`}</dt>
      <dd>
        <Money cents={due} />
      </dd>
      {fees > 0 && (
        <>
          <dt>{t`Payment fees`}</dt>
          <dd>
            <Money cents={fees} />
          </dd>
          <dt>{t`With fees`}</dt>
          <dd>
            <Money cents={due + fees} fw={600} />
          </dd>
        </>
      )}
      {rounding !== 0 && (
        <>
          <dt>{t`Cash rounding`}</dt>
          <dd>
            <Money cents={rounding} />
          </dd>
          <dt>{t`To pay, rounded`}</dt>
          <dd>
            <Money cents={due + fees + rounding} fw={600} />
          </dd>
        </>
      )}
      <dt>{remaining < 0 ? t`Overpaid` : t`Remaining`}</dt>
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
          <dt className={classes.large}>{change < 0 ? t`Cash short` : t`Change`}</dt>
          <dd className={classes.large}>
            <Text span inherit c={change < 0 ? 'var(--mantine-color-error)' : undefined}>
              {dollars(Math.abs(change))}
            </Text>
          </dd>
        </>
      )}
    </dl>
  );
}

function focusNext(fields: HTMLElement | null): void {
  fields?.querySelector<HTMLElement>('[data-goes-on]')?.focus();
}

function PaymentFields({
  row,
  index,
  types,
  owed,
  onChange,
  onRemove,
}: {
  row: PaymentRow;
  index: number;
  types: readonly PaymentType[];
  /** Cents, with the fee, cash rounded. */
  owed: number;
  onChange: (values: Partial<PaymentRow>) => void;
  onRemove: (() => void) | undefined;
}) {
  const type = types.find(({ id }) => id === row.paymentTypeId);
  const isCash = type?.method === 'cash';
  const place = index === 0 ? '' : ` ${index + 1}`;
  const fields = useRef<HTMLDivElement>(null);
  /** Moves the focus off the button before the next key, so that Enter pays: the button would take it as another click. */
  const changeAndGoOn = (values: Partial<PaymentRow>) => {
    flushSync(() => onChange(values));
    focusNext(fields.current);
  };
  // At once, before the next key: the dialog itself moves the focus a moment later.
  useLayoutEffect(() => {
    if (index === 0) focusNext(fields.current);
  }, [index]);
  return (
    <div ref={fields}>
      <TenderButtons
        label={t`Payment${place}`}
        types={types}
        chosenId={row.paymentTypeId}
        onChoose={(paymentTypeId) =>
          changeAndGoOn(paymentTypeId === row.paymentTypeId ? {} : { paymentTypeId, tendered: null })
        }
      />
      <div className={classes.row}>
        <MoneyInput
          label={t`Amount${place}`}
          size="md"
          data-goes-on={(!isCash && !type?.takesGiftCards) || undefined}
          data-autofocus={(index === 0 && !isCash) || undefined}
          cents={row.amount}
          onChange={(amount) => onChange({ amount })}
        />
        {isCash ? (
          <MoneyInput
            label={t`Cash received${place}`}
            size="md"
            data-goes-on
            data-autofocus={index === 0 || undefined}
            placeholder={dollars(owed).slice(1)}
            {...{ cents: row.tendered, onChange: (tendered: number | null) => onChange({ tendered }) }}
          />
        ) : (
          !type?.takesGiftCards && <span />
        )}
        {type?.takesGiftCards && (
          <GiftCardField
            code={row.giftCard ?? ''}
            onCode={(giftCard) => onChange({ giftCard })}
            onBalance={(amount) => (row.amount === null || row.amount > amount) && onChange({ amount })}
          />
        )}
        {onRemove && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={44}
            aria-label={t`Remove payment${place || ' 1'}`}
            onClick={onRemove}
          >
            <IconTrash size={18} />
          </ActionIcon>
        )}
      </div>
      {isCash && owed > 0 && (
        <CashSuggestions
          owed={owed}
          given={row.tendered}
          onGive={(tendered) => changeAndGoOn({ tendered })}
        />
      )}
      {isCash && row.amount !== null && row.tendered !== null && isMuchCash(row.tendered, owed) && (
        <div style={{ marginTop: 8 }}>
          <ConfirmFigure
            question={t`${dollars(row.tendered)} in cash for ${dollars(owed)}?`}
            yes={t`Yes, ${dollars(row.tendered)} was given`}
            isConfirmed={row.confirmed === row.tendered}
            onConfirm={(isConfirmed) => onChange({ confirmed: isConfirmed ? row.tendered! : undefined })}
          />
        </div>
      )}
    </div>
  );
}

/** Sums of notes that cover it, and the exact amount, to touch. */
function CashSuggestions({
  owed,
  given,
  onGive,
}: {
  owed: number;
  given: number | null;
  onGive: (cents: number) => void;
}) {
  return (
    <fieldset className={`bare ${classes.given}`} aria-label={t`Cash received`}>
      {cashSuggestions(owed).map((cents) => (
        <Button
          key={cents}
          variant={given === cents ? 'filled' : 'default'}
          size="md"
          px="xs"
          onClick={() => onGive(cents)}
        >
          {dollars(cents)}
        </Button>
      ))}
    </fieldset>
  );
}
