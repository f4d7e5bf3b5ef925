import { Alert, Button, Progress, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { LoadFailure } from '../../parts/load-failure.tsx';
import classes from '../../parts/phone.module.css';
import { PhoneAmount } from '../../parts/phone-amount.tsx';
import type { List } from '../../parts/use-list.ts';
import { CameraScan } from '../../scanner/camera-scan.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { PackageTag } from './package-tag.tsx';
import { itemName, type StockLevel } from './stock-words.ts';
import type { useCountScans } from './use-count-scans.ts';

/** Lines that are drawn at first; a phone shows four. */
const shownAtOnce = 40;

/** A count on a phone: each scan adds one to its line, which is at hand then, large. */
export function PhoneCount({
  list,
  total,
  counts,
  filled,
  scans,
  controls,
  onCount,
}: {
  /** The lines that the filter leaves. */
  list: List<StockLevel>;
  /** All lines of the location. */
  total: number;
  counts: ReadonlyMap<string, string>;
  /** How many have a number. */
  filled: number;
  scans: Pick<ReturnType<typeof useCountScans>, 'atHand' | 'missed' | 'choices' | 'choose' | 'showAll'>;
  controls: ReactNode;
  onCount: (level: StockLevel, counted: string) => void;
}) {
  const [shown, setShown] = useState(shownAtOnce);
  const { atHand, missed, choices } = scans;
  const rows = (choices ?? list.rows).filter(({ id }) => id !== atHand?.id || choices !== null);
  const amountOf = (level: StockLevel, isLarge: boolean) => (
    <PhoneAmount
      label={labelOf(level)}
      isLarge={isLarge}
      before={level.onHand}
      value={counts.get(level.id) ?? ''}
      onChange={(counted) => {
        if (choices !== null) scans.choose(level);
        onCount(level, counted);
      }}
    />
  );
  return (
    <>
      <CameraScan />
      {missed !== null && (
        <Alert color="red" role="alert">
          {missed}
          {choices !== null && (
            <Button mt="xs" h={44} variant="default" onClick={scans.showAll}>
              {t`Show all lines`}
            </Button>
          )}
        </Alert>
      )}
      {atHand && (
        <section className={classes.atHand} aria-label={t`Scanned last`}>
          <div className={classes.atHandName}>{itemName(atHand)}</div>
          <Line level={atHand} />
          {amountOf(atHand, true)}
        </section>
      )}
      <div className={classes.controls}>{controls}</div>
      <div>
        <Text size="sm" fw={600} className="numbers">
          {t`${filled} of ${list.hasMore ? t`more than ${total}` : total} counted`}
        </Text>
        <Progress mt={4} value={total === 0 ? 0 : (filled * 100) / total} aria-label={t`Counted`} />
      </div>
      {list.error && <LoadFailure error={list.error} onRetry={list.retry} />}
      <ul className={classes.lines} aria-label={t`Lines to count`} aria-busy={list.isLoading}>
        {rows.slice(0, shown).map((level) => (
          <li
            key={level.id}
            className={classes.line}
            data-done={(counts.get(level.id) ?? '') !== '' || undefined}
          >
            <div className={classes.name}>{itemName(level)}</div>
            <Line level={level} />
            {amountOf(level, false)}
          </li>
        ))}
      </ul>
      {!list.isLoading && !list.error && rows.length === 0 && atHand === null && (
        <Text size="sm" c="dimmed">
          {t`No items here.`}
        </Text>
      )}
      {rows.length > shown && (
        <Button variant="default" h={44} onClick={() => setShown(shown + 100)}>
          {t`Show more lines`}
        </Button>
      )}
    </>
  );
}

function Line({ level }: { level: StockLevel }) {
  return (
    <Text size="sm" c="dimmed" className="numbers">
      {t`${level.onHand} on hand`}
      {level.packageLabel !== null && <>{rich`, package ${<PackageTag label={level.packageLabel} />}`}</>}
      {level.brandName && ` · ${level.brandName}`}
    </Text>
  );
}

/** `Counted of Velvet Tide · Eighth, package 1A40…`. */
export function labelOf(level: StockLevel): string {
  return level.packageLabel
    ? t`Counted of ${itemName(level)}, package ${level.packageLabel}`
    : t`Counted of ${itemName(level)}`;
}
