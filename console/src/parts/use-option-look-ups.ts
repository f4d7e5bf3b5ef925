import { useQueryClient } from '@tanstack/react-query';
import { use, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { isScanCode } from '../scanner/scan-codes.ts';
import { askWithin } from './ask-within.ts';
import { lookUpDeadlineMs } from './find-goods.ts';
import { type LookUpResult, lookUpQueue } from './look-up-queue.ts';
import { MenuSourceContext } from './menu-source.ts';
import type { SaleOption } from './sale-options.ts';

/** A scan or text that did not become a line. It stays until dismissed. */
export interface LookUpNotice {
  readonly id: number;
  readonly text: string;
  readonly reason: 'unknown' | 'several' | 'failed';
}

/** Look-ups of scanned or entered texts. */
export interface OptionLookUps {
  /** Number of look-ups without a result. */
  readonly pending: number;
  readonly notices: readonly LookUpNotice[];
  /** Looks up a code or words. It ends with a call of `onAdd` or with a notice. */
  readonly take: (text: string) => void;
  readonly dismiss: (id: number) => void;
  readonly tryAgain: (notice: LookUpNotice) => void;
  /** Returns ambiguous words to the search; returns whether the search shows them. */
  readonly offerWords: { current: (words: string) => boolean };
}

/** Looks up scanned or typed texts, several at once. Nothing is lost while the service is slow. */
export function useOptionLookUps(onAdd: (option: SaleOption) => void): OptionLookUps {
  const queryClient = useQueryClient();
  const source = use(MenuSourceContext);
  const [pending, setPending] = useState(0);
  const [notices, setNotices] = useState<readonly LookUpNotice[]>([]);
  const offerWords = useRef((_words: string) => false);
  const latest = useRef(onAdd);
  useLayoutEffect(() => {
    latest.current = onAdd;
  });
  const lastId = useRef(0);
  const tell = (result: LookUpResult<readonly SaleOption[]>): void => {
    const { text } = result;
    const found = 'found' in result ? result.found : null;
    // Rendered before the next result: a screen adds to what it shows.
    if (found?.length === 1) {
      flushSync(() => latest.current(found[0]!));
      return;
    }
    if (found && !isScanCode(text) && offerWords.current(text)) return;
    lastId.current += 1;
    const id = lastId.current;
    const reason = found === null ? 'failed' : found.length === 0 ? 'unknown' : 'several';
    setNotices((before) => [...before, { id, text, reason }]);
  };
  const [queue] = useState(() =>
    lookUpQueue({
      lookUp: (text) => source.find(askWithin(queryClient, lookUpDeadlineMs), text),
      tell,
      onPending: setPending,
    }),
  );
  // The same object until something changes: the search is not drawn again with every change of the cart.
  return useMemo(() => {
    const dismiss = (id: number) => setNotices((before) => before.filter((notice) => notice.id !== id));
    return {
      pending,
      notices,
      take: queue.add,
      dismiss,
      tryAgain: ({ id, text }: LookUpNotice) => {
        dismiss(id);
        queue.add(text);
      },
      offerWords,
    };
  }, [pending, notices, queue]);
}
