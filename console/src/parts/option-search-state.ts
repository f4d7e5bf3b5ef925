import { type RefObject, startTransition, useCallback, useEffect, useRef, useState } from 'react';
import type { OptionLookUps } from './use-option-look-ups.ts';

/* What the search for items knows besides its field: it draws after the key that changes it. */

/** What is searched for, and how to search shortly after the last letter. Letters go before the drawing of what is found. */
export function useSearch(): readonly [string, (text: string) => void] {
  const [search, setSearch] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const searchFor = useCallback((text: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => startTransition(() => setSearch(text.trim())), 200);
  }, []);
  return [search, searchFor];
}

/**
 * The option that Enter adds: its position, at once (`current`) and as it is drawn (`highlighted`). A move of it is drawn with the
 * key; what a letter or an addition changes is drawn after it. Nothing is highlighted until the user moves or types: Enter in an
 * empty field adds nothing.
 */
export function useHighlight() {
  const [highlighted, setHighlighted] = useState(-1);
  const latest = useRef(-1);
  const current = useCallback(() => latest.current, []);
  const highlight = useCallback((position: number, { isFeedback = false } = {}) => {
    latest.current = position;
    if (isFeedback) setHighlighted(position);
    else startTransition(() => setHighlighted(position));
  }, []);
  return { current, highlighted, highlight };
}

/** While the field is empty, it takes words that a look-up offers for a search. */
export function useOfferedWords(
  { offerWords }: OptionLookUps,
  field: RefObject<HTMLInputElement | null>,
  onOffer: (words: string) => void,
): void {
  useEffect(() => {
    offerWords.current = (words) => {
      if (field.current?.value !== '') return false;
      onOffer(words);
      return true;
    };
    return () => {
      offerWords.current = () => false;
    };
  }, [offerWords, field, onOffer]);
}
