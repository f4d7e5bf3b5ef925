import { Select } from '@mantine/core';
import { DayInput } from '../../parts/day-input.tsx';
import { businessDayAt } from '../../parts/shop-moment.ts';
import { shopNow } from '../../parts/shop-now.ts';
import { useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { usualRanges } from './report-days.ts';

/** The filter of a list by business days: a usual range, any two days, or all. */
export function DaysFilter({
  labels,
  from,
  to,
  onChange,
}: {
  labels: { readonly days: string; readonly from: string; readonly to: string };
  from: string | undefined;
  to: string | undefined;
  onChange: (changes: { from?: string | null; to?: string | null }) => void;
}) {
  const { organization } = useSession();
  const usual = usualRanges(businessDayAt(shopNow(), organization));
  const present = usual.find(({ range }) => range.from === from && range.to === to)?.name;
  const isDated = from !== undefined || to !== undefined;
  const isCustom = isDated && !present;
  return (
    <>
      <Select
        aria-label={labels.days}
        w={156}
        data={[
          { value: '', label: t`All dates` },
          ...[...usual.map(({ name }) => name), ...(isCustom ? [t`Custom range`] : [])].map((name) => ({
            value: name,
            label: name,
          })),
        ]}
        value={isDated ? (present ?? t`Custom range`) : ''}
        onChange={(name) => {
          const chosen = usual.find((it) => it.name === name);
          if (chosen) onChange({ ...chosen.range });
          else if (name === '') onChange({ from: null, to: null });
        }}
      />
      {isDated && (
        <>
          <DayInput
            aria-label={labels.from}
            w={152}
            day={from ?? null}
            onChange={(day) => onChange({ from: day, ...(day && to && day > to && { to: day }) })}
          />
          <DayInput
            aria-label={labels.to}
            w={152}
            day={to ?? null}
            onChange={(day) => onChange({ to: day, ...(day && from && day < from && { from: day }) })}
          />
        </>
      )}
    </>
  );
}
