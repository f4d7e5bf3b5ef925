import { TextInput, type TextInputProps } from '@mantine/core';
import { useSession } from '../session/session.tsx';
import { t } from '../words/words.ts';
import { momentOfShopClock, shopClockAt } from './shop-moment.ts';
import { useTypedDate } from './typed-date.ts';

/**
 * A moment in the shop's time zone; the value is ISO in UTC. `null`: the field is empty. A date without a time, or an
 * incomplete one, is an error and blocks the form.
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
    mistake: t`Enter a complete date and time, with the year`,
    onBlur: props.onBlur,
  });
  return <TextInput max="9999-12-31T23:59" {...props} {...input} type="datetime-local" className="numbers" />;
}
