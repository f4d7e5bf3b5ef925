import { ActionIcon, Group } from '@mantine/core';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import { t } from '../words/words.ts';
import { AmountInput } from './amount-input.tsx';
import { stepped } from './decimal-steps.ts';

/** An amount for thumbs: one less, the number with the pad of digits, one more. `isLarge`: of the line at hand. */
export function PhoneAmount({
  label,
  value,
  before,
  isLarge = false,
  error,
  onChange,
}: {
  /** The accessible name: `Counted of Velvet Tide`. */
  label: string;
  value: string;
  /** The amount in stock or expected. */
  before: string | null;
  isLarge?: boolean;
  error?: string | undefined;
  onChange: (value: string) => void;
}) {
  const size = isLarge ? 56 : 44;
  return (
    <Group gap={8} wrap="nowrap" align="start" justify="flex-end">
      <ActionIcon
        variant="default"
        size={size}
        aria-label={t`One less: ${label}`}
        onClick={() => onChange(stepped(value, -1))}
      >
        <IconMinus size={20} aria-hidden />
      </ActionIcon>
      <AmountInput
        before={before}
        aria-label={label}
        error={error}
        value={value}
        onChange={onChange}
        w={isLarge ? 112 : 80}
        styles={{
          input: { height: size, textAlign: 'center', fontSize: isLarge ? 28 : 18, paddingInline: 4 },
        }}
        enterKeyHint="done"
      />
      <ActionIcon
        variant="default"
        size={size}
        aria-label={t`One more: ${label}`}
        onClick={() => onChange(stepped(value, 1))}
      >
        <IconPlus size={20} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
