import { TextInput, type TextInputProps } from '@mantine/core';
import { useSession } from '../session/session.tsx';
import { momentOfShopClock, shopClockAt } from './shop-moment.ts';

/** A moment, typed by the clock of the shop; its value is ISO in UTC. `null`: the field is empty. */
export function MomentInput({
  moment,
  onChange,
  ...props
}: { moment: string | null; onChange: (moment: string | null) => void } & Omit<
  TextInputProps,
  'onChange' | 'value' | 'type'
>) {
  const { tz } = useSession().organization;
  return (
    <TextInput
      {...props}
      type="datetime-local"
      className="numbers"
      value={moment === null ? '' : shopClockAt(moment, tz)}
      onChange={(event) => onChange(momentOfShopClock(event.currentTarget.value, tz))}
    />
  );
}
