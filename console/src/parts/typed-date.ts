import { type ComponentPropsWithRef, type ReactNode, useRef, useState } from 'react';
import { useMistakes, useTyped } from './typed-fields.ts';

/** Of what is typed digit by digit a year begins as 0002: no day of a shop or of a person is that old. */
const firstYear = 1900;

/** Whether what stands in an input of dates is half a date, which the browser gives out as none, or one of no such year. */
function isMistaken({ value, validity }: HTMLInputElement): boolean {
  return validity.badInput || (value !== '' && Number(value.slice(0, value.indexOf('-'))) < firstYear);
}

/**
 * For an input of a day or a moment: what is typed stays as it is typed, half of it is no value but a mistake, which keeps
 * the form from being sent. `onRead` is told of what is whole, as the browser has it; `''`: the field is empty.
 */
export function useTypedDate({
  shown,
  onRead,
  error,
  mistake,
  onBlur,
}: {
  shown: string;
  onRead: (text: string) => void;
  error: ReactNode;
  /** What is said of half a date. */
  mistake: string;
  onBlur: ComponentPropsWithRef<'input'>['onBlur'];
}) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useTyped(shown);
  const [isWrong, setIsWrong] = useState(false);
  const look = (): boolean => {
    const isWrongNow = field.current !== null && isMistaken(field.current);
    setIsWrong(isWrongNow);
    return isWrongNow;
  };
  useMistakes(look);
  /** A mistake is shown once one has left the field, and gone as soon as it is put right: also where no event tells. */
  const lookAgain = () => {
    if (isWrong) look();
  };
  return {
    ref: field,
    value: typed ?? shown,
    error: isWrong ? mistake : error,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      setTyped(currentTarget.value);
      lookAgain();
      if (!isMistaken(currentTarget)) onRead(currentTarget.value);
    },
    onKeyUp: lookAgain,
    onBlur: ((event) => {
      if (!look()) setTyped(null);
      onBlur?.(event);
    }) satisfies ComponentPropsWithRef<'input'>['onBlur'],
  };
}
