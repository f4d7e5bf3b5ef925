import { Text, type TextProps } from '@mantine/core';
import { dollars } from './dollars.ts';

/** An amount in cents, shown as dollars; `null` shows a dash. */
export function Money({ cents, ...props }: { cents: number | null | undefined } & TextProps) {
  return (
    <Text span inherit {...props} className="numbers">
      {cents === null || cents === undefined ? '–' : dollars(cents)}
    </Text>
  );
}
