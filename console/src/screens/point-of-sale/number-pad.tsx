import { Button, SimpleGrid } from '@mantine/core';
import { IconBackspace } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { t } from '../../words/words.ts';

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;

/** A pad of digits for touch. It types at the end of `value`; the field beside it takes a keyboard as well. */
export function NumberPad({
  value,
  onChange,
  hasPoint,
}: {
  value: string;
  onChange: (value: string) => void;
  /** For numbers with decimals. */
  hasPoint: boolean;
}) {
  const type = (character: string) => onChange(`${value}${character}`);
  const key = {
    ...({ variant: 'default', size: 'lg', type: 'button', fz: 20, className: 'numbers' } as const),
    // The field keeps the focus: a keyboard goes on typing there.
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
  };
  return (
    <SimpleGrid cols={3} spacing="xs" role="group" aria-label={t`Number pad`}>
      {digits.map((digit) => (
        <Button key={digit} {...key} onClick={() => type(digit)}>
          {digit}
        </Button>
      ))}
      {hasPoint ? (
        <Button
          {...key}
          aria-label={t`Decimal point`}
          disabled={value.includes('.')}
          onClick={() => type('.')}
        >
          .
        </Button>
      ) : (
        <Button {...key} aria-label={t`Clear`} disabled={value === ''} onClick={() => onChange('')}>
          {t`C`}
        </Button>
      )}
      <Button {...key} onClick={() => type('0')}>
        0
      </Button>
      <Button
        {...key}
        aria-label={t`Delete the last digit`}
        disabled={value === ''}
        onClick={() => onChange(value.slice(0, -1))}
      >
        <IconBackspace size={22} aria-hidden />
      </Button>
    </SimpleGrid>
  );
}
