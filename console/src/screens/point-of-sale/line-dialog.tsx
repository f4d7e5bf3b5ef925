import { Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { centsOf, dollars } from '../../parts/dollars.ts';
import { isFarOff } from '../../parts/far-off.ts';
import { t } from '../../words/words.ts';
import { type CartChange, type CartLine, givenInWords } from './cart.ts';
import { quantityOf, unitsOfWeight, weightOf } from './line-numbers.ts';
import { NumberPad } from './number-pad.tsx';
import { WeighForm } from './weigh-form.tsx';

type Mode = 'quantity' | 'weight' | 'percent' | 'amount' | 'price';

/**
 * The numbers of a line with a pad for touch: its quantity, its weight where the product is sold by weight, and for those who
 * may, the price of a unit. Prices and what is taken off have a reason.
 */
export function LineDialog({
  line,
  isAlone,
  onChange,
  onClose,
}: {
  line: CartLine;
  /** The service cannot be reached: prices by hand are only taken back. */
  isAlone: boolean;
  onChange: (change: CartChange) => void;
  onClose: () => void;
}) {
  const { option } = line;
  const { weight } = line;
  const [mode, setMode] = useState<Mode>(weight === undefined ? 'quantity' : 'weight');
  const isByWeight = option.unit === 'gram' && option.inventoryType === 'product' && option.amount > 0;
  const modes = [
    ...(weight === undefined ? [{ value: 'quantity', label: t`Quantity` }] : []),
    ...(isByWeight || weight !== undefined ? [{ value: 'weight', label: t`Weight` }] : []),
    ...(isAlone
      ? []
      : [
          { value: 'percent', label: t`% off` },
          { value: 'amount', label: t`$ off` },
        ]),
    // Who may not set it alone needs a manager's PIN.
    ...(isAlone && !line.given ? [] : [{ value: 'price', label: t`Price` }]),
  ];
  return (
    <Modal opened onClose={onClose} title={`${option.productName}, ${option.optionName}`} size="sm">
      <Stack>
        <SegmentedControl
          aria-label={t`What to type`}
          fullWidth
          data={modes}
          value={mode}
          onChange={(next) => setMode(next as Mode)}
        />
        {option.loose && weight !== undefined && mode === 'weight' ? (
          <WeighForm
            option={option}
            jar={line.parts?.length === 1 ? line.parts[0] : undefined}
            note={t`Now ${t`${weight} g`}`}
            verb={t`Apply`}
            onTake={(grams, jar) => {
              onChange({ type: 'weigh', option, weight: grams, jar });
              onClose();
            }}
          />
        ) : mode === 'quantity' || mode === 'weight' ? (
          <CountForm key={mode} line={line} mode={mode} onChange={onChange} onClose={onClose} />
        ) : (
          <PriceForm key={mode} line={line} way={mode} onChange={onChange} onClose={onClose} />
        )}
      </Stack>
    </Modal>
  );
}

type FormProps = {
  readonly line: CartLine;
  readonly onChange: (change: CartChange) => void;
  readonly onClose: () => void;
};

/** A quantity in units, or in grams that make whole units. A far larger one asks once more. */
function CountForm({ line, mode, onChange, onClose }: FormProps & { mode: 'quantity' | 'weight' }) {
  const { option, quantity } = line;
  const isWeight = mode === 'weight';
  const [typed, setTyped] = useState('');
  const [isAsked, setIsAsked] = useState(false);
  const units = isWeight ? unitsOfWeight(typed, option.amount) : quantityOf(typed);
  const needsAsking = units !== null && isFarOff(units, quantity) && !isAsked;
  const field = useFocusAtOnce();
  const present = isWeight ? t`${weightOf(quantity, option.amount)} g` : String(quantity);
  const take = () => {
    if (units === null) return;
    if (needsAsking) return setIsAsked(true);
    onChange({ type: 'quantity', optionId: option.productOptionId, quantity: units });
    onClose();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        take();
      }}
    >
      <Stack>
        <TextInput
          ref={field}
          label={isWeight ? t`Grams` : t`Quantity`}
          description={t`Now ${present}`}
          data-autofocus
          inputMode="none"
          autoComplete="off"
          size="lg"
          className="numbers"
          value={typed}
          error={typed !== '' && units === null ? wrongInWords(isWeight, option.amount) : undefined}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setIsAsked(false);
          }}
        />
        <NumberPad
          value={typed}
          hasPoint={isWeight}
          onChange={(next) => {
            setTyped(next);
            setIsAsked(false);
          }}
        />
        <Button type="submit" size="md" disabled={units === null}>
          {takeInWords(units, quantity, isAsked, isWeight ? t`${typed} g` : null)}
        </Button>
      </Stack>
    </form>
  );
}

function wrongInWords(isWeight: boolean, amount: number): string {
  return isWeight
    ? t`Sold in steps of ${amount} g, up to 10,000 of them`
    : t`Enter a whole number up to 10,000`;
}

function takeInWords(units: number | null, before: number, isAsked: boolean, grams: string | null): string {
  if (units === null) return t`Apply`;
  const taken = grams === null ? String(units) : t`${grams}, that is ${units}`;
  return isAsked ? t`Yes, ${taken} instead of ${before}` : t`Apply ${taken}`;
}

/** The field of a form that a tab has opened: digits go there, not to the tab. */
function useFocusAtOnce() {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return field;
}

const ways = {
  price: { label: t`Price of one`, section: '$', example: t`Enter an amount such as 12.50` },
  amount: { label: t`Off each`, section: '$', example: t`Enter an amount such as 2.50` },
  percent: { label: t`Percent off`, section: '%', example: t`Enter a percent up to 100` },
} as const;
type Way = keyof typeof ways;

/** The price of a unit by hand, or what is taken off it, with the reason; or again the price of the menu. */
function PriceForm({ line, way, onChange, onClose }: FormProps & { way: Way }) {
  const { option, given } = line;
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState(given?.reason ?? '');
  const field = useFocusAtOnce();
  const value = typed === '' ? null : givenOf(way, typed);
  const set = (price: CartLine['given']) => {
    onChange({ type: 'price', optionId: option.productOptionId, given: price });
    onClose();
  };
  const isReady = value !== null && reason.trim() !== '';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) set({ ...value, reason: reason.trim() });
      }}
    >
      <Stack>
        <TextInput
          ref={field}
          label={ways[way].label}
          description={t`On the menu ${dollars(option.price)}${given ? t`, now ${givenInWords(given)}` : ''}`}
          data-autofocus
          inputMode="none"
          autoComplete="off"
          size="lg"
          leftSection={ways[way].section}
          className="numbers"
          value={typed}
          error={typed !== '' && value === null ? ways[way].example : undefined}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <NumberPad value={typed} hasPoint onChange={setTyped} />
        <TextInput
          label={t`Reason`}
          required
          description={t`Saved with the order and in the audit log`}
          maxLength={200}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Group grow>
          {given && (
            <Button variant="default" size="md" onClick={() => set(undefined)}>
              {t`Menu price`}
            </Button>
          )}
          <Button type="submit" size="md" disabled={!isReady}>
            {value === null ? t`Apply` : takenInWords(value)}
          </Button>
        </Group>
        <Text size="xs" c="dimmed">
          {t`It counts toward your role's discount limit.`}
        </Text>
      </Stack>
    </form>
  );
}

type Given = { unitPrice: number } | { amount: number } | { percent: string };

/** What is typed as the cart has it; null: nothing valid. */
function givenOf(way: Way, typed: string): Given | null {
  if (way === 'percent') {
    const text = typed.trim();
    const isPercent = /^\d{1,3}(\.\d{1,6})?$/.test(text) && Number(text) > 0 && Number(text) <= 100;
    return isPercent ? { percent: text } : null;
  }
  const cents = centsOf(typed);
  if (cents === null || cents < 0) return null;
  if (way === 'price') return { unitPrice: cents };
  return cents === 0 ? null : { amount: cents };
}

function takenInWords(value: Given): string {
  if ('unitPrice' in value) return t`Set ${dollars(value.unitPrice)}`;
  return 'percent' in value ? t`Take ${value.percent}% off` : t`Take ${dollars(value.amount)} off`;
}
