import { ActionIcon, Group, NumberInput } from '@mantine/core';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';

/** How many of something: buttons for fingers, a field for large numbers. */
export function QuantityStepper({
  label,
  value,
  onChange,
  min = 0,
  max = 10_000,
}: {
  /** Of what: `Quantity of Moonlit Grove`. */
  label: string;
  value: number;
  onChange: (value: number) => void;
  min?: number;
  max?: number;
}) {
  // While it is typed anew: nothing in the field is no number, and what counted before is shown again once one leaves it.
  const [isEmpty, setIsEmpty] = useState(false);
  return (
    <Group gap={4} wrap="nowrap">
      <ActionIcon
        variant="default"
        size={32}
        aria-label={`One less: ${label}`}
        disabled={value <= min}
        onClick={() => onChange(value - 1)}
      >
        <IconMinus size={16} />
      </ActionIcon>
      <NumberInput
        aria-label={label}
        value={isEmpty ? '' : value}
        onChange={(next) => {
          setIsEmpty(next === '');
          if (typeof next === 'number') onChange(next);
        }}
        onBlur={() => setIsEmpty(false)}
        min={min}
        max={max}
        allowDecimal={false}
        allowNegative={false}
        clampBehavior="strict"
        hideControls
        size="xs"
        w={48}
        className="numbers"
        styles={{ input: { textAlign: 'center', height: 32 } }}
      />
      <ActionIcon
        variant="default"
        size={32}
        aria-label={`One more: ${label}`}
        disabled={value >= max}
        onClick={() => onChange(value + 1)}
      >
        <IconPlus size={16} />
      </ActionIcon>
    </Group>
  );
}
