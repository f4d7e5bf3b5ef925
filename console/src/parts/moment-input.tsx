import { TextInput, type TextInputProps } from '@mantine/core';
import { useSession } from '../session/session.tsx';
import { momentOfShopClock, shopClockAt } from './shop-moment.ts';
import { useTypedDate } from './typed-date.ts';

/**
 * A moment, typed by the clock of the shop; its value is ISO in UTC. `null`: the field is empty. A day without a time, or
 * half of either, is no value: the form is not sent with it.
 */
export function MomentInput({
  moment,
  onChange,
  ...props
}: { moment: string | null; onChange: (moment: string | null) => void } & Omit<
  TextInputProps,
  'onChange' | 'value' | 'type'
>) {
  const { tz } = useSession().organization;
  const input = useTypedDate({
    shown: moment === null ? '' : shopClockAt(moment, tz),
    onRead: (text) => onChange(momentOfShopClock(text, tz)),
    error: props.error,
    mistake: 'A whole day, with its year and the time',
    onBlur: props.onBlur,
  });
  return <TextInput max="9999-12-31T23:59" {...props} {...input} type="datetime-local" className="numbers" />;
}
