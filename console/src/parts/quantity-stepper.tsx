import { Button, Group, Text } from '@mantine/core';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { t } from '../words/words.ts';
import { grouped } from './dollars.ts';
import { isFarOff } from './far-off.ts';
import classes from './quantity-stepper.module.css';
import { useMistakes } from './typed-fields.ts';

/**
 * A quantity: buttons for touch, a field for large numbers, in plain elements because the counter draws them with every key. A typed
 * number that is a hundred times off needs confirmation; 0 counts only when the field loses focus, because more digits may follow.
 */
export function QuantityStepper({
  label,
  value,
  onChange,
  onAsking,
  min = 0,
  max = 10_000,
}: {
  /** The accessible name: `Quantity of Moonlit Grove`. */
  label: string;
  value: number;
  onChange: (value: number) => void;
  /** Called with true while a typed number waits for confirmation. */
  onAsking?: (isAsking: boolean) => void;
  min?: number;
  max?: number;
}) {
  const { shown, held, isFar, take, type, field } = useTypedQuantity(value, onChange, onAsking);
  return (
    <div>
      <div className={classes.stepper}>
        <button
          type="button"
          className={classes.button}
          aria-label={t`One less: ${label}`}
          disabled={value <= min}
          onClick={() => take(value - 1)}
        >
          <IconMinus size={16} aria-hidden />
        </button>
        <input
          className={`${classes.field} numbers`}
          inputMode="numeric"
          autoComplete="off"
          aria-label={label}
          aria-invalid={isFar || undefined}
          value={shown}
          {...field}
          onChange={({ currentTarget, nativeEvent }) => {
            const digits = currentTarget.value.replace(/\D/g, '');
            const next = Number(digits);
            if (digits === '') type('');
            // After a scan the number from before its digits is put back, and no more will follow.
            else if ((nativeEvent as InputEvent).inputType === 'insertReplacementText') take(next);
            else if (next >= min && next <= max) type(next);
          }}
          onKeyDown={(event) => {
            field.onKeyDown(event);
            const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
            if (step === undefined) return;
            event.preventDefault();
            type(Math.min(max, Math.max(min, (Number(shown) || 0) + step)));
          }}
          onMouseDown={(event) => {
            // The click itself would set the caret behind the digit, and the next one would be added to it.
            if (document.activeElement === event.currentTarget) return;
            event.preventDefault();
            event.currentTarget.focus();
          }}
        />
        <button
          type="button"
          className={classes.button}
          aria-label={t`One more: ${label}`}
          disabled={value >= max}
          onClick={() => take(value + 1)}
        >
          <IconPlus size={16} aria-hidden />
        </button>
      </div>
      {isFar && <FarOffQuestion label={label} typed={held ?? 0} value={value} onTake={take} />}
    </div>
  );
}

/** The state of the field: what is typed, what waits for confirmation, and what counts. */
function useTypedQuantity(
  value: number,
  onChange: (value: number) => void,
  onAsking: ((isAsking: boolean) => void) | undefined,
) {
  // While typing, an empty field is not a number; the last quantity is shown again when the field loses focus.
  const [isEmpty, setIsEmpty] = useState(false);
  /** The typed number that does not count yet. */
  const [held, setHeld] = useState<number | null>(null);
  /** The quantity before the typing began. */
  const before = useRef(value);
  const isFar = held !== null && held !== 0;
  useMistakes(() => isFar);
  const asking = useRef(onAsking);
  useEffect(() => {
    asking.current = onAsking;
  });
  const isHeld = held !== null;
  useEffect(() => {
    if (!isHeld) return;
    asking.current?.(true);
    return () => asking.current?.(false);
  }, [isHeld]);
  const take = (next: number) => {
    setHeld(null);
    setIsEmpty(false);
    before.current = next;
    if (next !== value) onChange(next);
  };
  const count = (next: number) => {
    if (next !== 0 && !isFarOff(next, before.current)) {
      setHeld(null);
      onChange(next);
    } else if (next !== value) {
      setHeld(next);
      if (next !== 0 && value !== before.current) onChange(before.current);
    } else setHeld(null);
  };
  /** `''`: nothing is left in the field. */
  const type = (next: number | '') => {
    setIsEmpty(next === '');
    if (next === '') setHeld(null);
    else count(next);
  };
  const field = {
    onFocus: ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
      currentTarget.select();
      before.current = value;
    },
    onBlur: () => {
      setIsEmpty(false);
      if (held === 0) take(0);
    },
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key === 'Enter' && held === 0) take(0);
    },
  };
  return { shown: isEmpty ? '' : (held ?? value), held, isFar, take, type, field };
}

function FarOffQuestion({
  label,
  typed,
  value,
  onTake,
}: {
  label: string;
  typed: number;
  value: number;
  onTake: (value: number) => void;
}) {
  return (
    <div role="alert" aria-label={label}>
      <Text size="xs" mt={4}>
        {t`${grouped(String(typed))} instead of ${grouped(String(value))}?`}
      </Text>
      <Group gap={4}>
        <Button size="compact-xs" variant="default" onClick={() => onTake(value)}>
          {t`Keep ${grouped(String(value))}`}
        </Button>
        <Button size="compact-xs" onClick={() => onTake(typed)}>
          {t`Take ${grouped(String(typed))}`}
        </Button>
      </Group>
    </div>
  );
}
