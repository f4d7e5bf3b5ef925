import { Kbd } from '@mantine/core';
import { lazy, type ReactNode, type RefObject, Suspense, useCallback, useState } from 'react';
import { isDialogOpen } from '../../parts/open-dialog.ts';
import { OptionSearch } from '../../parts/option-search.tsx';
import type { SaleOption } from '../../parts/sale-options.ts';
import type { ScreenKey } from '../../parts/screen-keys.ts';
import { notifyDone } from '../../parts/toasts.tsx';
import { type OptionLookUps, useOptionLookUps } from '../../parts/use-option-look-ups.ts';
import { sayOfScan } from '../../scanner/scanner.ts';
import { t } from '../../words/words.ts';
import { type Cart, type CartChange, weightInCart } from './cart.ts';
import classes from './point-of-sale.module.css';

/* What the usual counter and the one of a register that is alone have in common: the goods, and how they come into the cart. */

const WeighDialog = lazy(async () => ({ default: (await import('./weigh-form.tsx')).WeighDialog }));

/** Puts chosen and scanned goods into the cart, loose ones once they are weighed in a dialog (`weighing`). */
export function useGoods(cart: Cart, change: (change: CartChange) => void, onClose: () => void) {
  const [weighed, setWeighed] = useState<SaleOption | null>(null);
  const add = useCallback(
    (option: SaleOption) => (option.loose ? setWeighed(option) : change({ type: 'add', option })),
    [change],
  );
  const lookUps = useOptionLookUps((option) => {
    if (option.loose) return setWeighed(option);
    change({ type: 'add', option });
    sayOfScan(t`${option.productName}, ${option.optionName} is in the cart.`);
    // The dialog covers the cart.
    if (isDialogOpen()) notifyDone(t`${option.productName} is in the cart.`);
  });
  const weighing = weighed && (
    <Suspense>
      <WeighDialog
        option={weighed}
        present={weightInCart(cart, weighed)}
        onTake={(weight, jar) => change({ type: 'weigh-more', option: weighed, weight, jar })}
        onClose={() => {
          setWeighed(null);
          onClose();
        }}
      />
    </Suspense>
  );
  return { add, lookUps, weighing };
}

/** The goods beside the cart. */
export function CounterFloor({
  search,
  beside,
  lookUps,
  keys,
  onAdd,
  panel,
}: {
  search: RefObject<HTMLInputElement | null>;
  /** Stands beside the search; the same element each time. */
  beside?: ReactNode;
  lookUps: OptionLookUps;
  keys: readonly ScreenKey[];
  onAdd: (option: SaleOption) => void;
  /** The cart. */
  panel: ReactNode;
}) {
  return (
    <div className={classes.counter}>
      <div className={classes.left}>
        <div className={classes.search}>
          <OptionSearch
            beside={beside}
            withCategories
            withPictures
            stockFor="in-store"
            inputRef={search}
            lookUps={lookUps}
            onAdd={onAdd}
          />
        </div>
        <KeyHints keys={keys} />
      </div>
      {panel}
    </div>
  );
}

/** The keys that a sale needs most; `?` lists all. Only where there is a keyboard. */
function KeyHints({ keys }: { keys: readonly ScreenKey[] }) {
  return (
    <div className={classes.keys} aria-hidden>
      {keys
        .filter(({ key }) => key.startsWith('F'))
        .map(({ key, meaning }) => (
          <span key={key}>
            <Kbd size="xs">{key}</Kbd> {meaning}
          </span>
        ))}
      <span>
        <Kbd size="xs">?</Kbd> {t`All keys`}
      </span>
    </div>
  );
}

/** The lines whose typed quantity is not confirmed. */
export function useUnconfirmedQuantities() {
  const [asking, setAsking] = useState<ReadonlySet<number>>(new Set());
  return {
    isAny: asking.size > 0,
    onAsking: useCallback(
      (optionId: number, isAsking: boolean) =>
        setAsking((before) => new Set([...before, optionId].filter((id) => isAsking || id !== optionId))),
      [],
    ),
  };
}
