import { Text, type TextProps } from '@mantine/core';
import { dollars } from './dollars.ts';

/** An amount in cents, as dollars. `null` is a dash: there is none. */
export function Money({ cents, ...props }: { cents: number | null | undefined } & TextProps) {
  return (
    <Text span inherit {...props} className="numbers">
      {cents === null || cents === undefined ? '–' : dollars(cents)}
    </Text>
  );
}
