import { type ComponentPropsWithRef, type ReactNode, useRef, useState } from 'react';
import { useMistakes, useTyped } from './typed-fields.ts';

/** While typing digit by digit, a year starts as 0002, and a scanner types years such as 9145: neither is plausible. */
const [firstYear, lastYear] = [1900, 2199];

/** Whether the date input holds an incomplete date, which the browser reports as empty, or an implausible year. */
function isMistaken({ value, validity }: HTMLInputElement): boolean {
  const year = Number(value.slice(0, value.indexOf('-')));
  return validity.badInput || (value !== '' && (year < firstYear || year > lastYear));
}

/**
 * For a date or date-time input: keeps the typed text; an incomplete date is an error that blocks the form. `onRead` gets
 * complete values in the browser's format; `''`: the field is empty.
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
  /** The error message for an incomplete date. */
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
  /** An error shows once the field loses focus and disappears once corrected, also when no event reports it. */
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
