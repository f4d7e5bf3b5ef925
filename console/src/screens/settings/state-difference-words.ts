import type { Schema } from '../../api.ts';
import { t } from '../../words/words.ts';

type Difference = Schema['StateDifference'];

/** What differs, in the words of the counter. */
export const differenceWords: Readonly<Record<Difference['kind'], string>> = {
  'voided-at-state': t`The receipt was voided on the state's website.`,
  'changed-at-state': t`The receipt at the state says something else than the sale.`,
  'not-at-state': t`The state had accepted it, and no longer shows it.`,
  'not-ours': t`This shop has not reported this receipt, or the state has it twice.`,
  'trip-voided-at-state': t`The trip was voided on the state's website.`,
  'trip-changed-at-state': t`The trip at the state says something else than what happened on it.`,
  'receipt-differs': t`Receipts or trips that differ explain it: settle them first.`,
  'adjusted-at-state': t`A person adjusted the package on the state's website.`,
  'more-at-state': t`The state has more than is in stock here.`,
  'less-at-state': t`The state has less than is in stock here.`,
  'ended-at-state': t`The package is finished at the state, and in stock here.`,
  'absent-at-state': t`The license has no such package at the state.`,
  'not-accepted': t`It is in stock here, and its transfer is not accepted. Accept it on the state's website.`,
  'not-received': t`It is accepted at the state, and not received here. Receive it here.`,
  'not-here': t`The state has this package, and it is unknown here. Receive it here, or adjust it there.`,
  'unit-differs': t`The state counts the package in another unit.`,
};

/** What happened to a package. */
export const historyWords: Readonly<Record<Difference['history'][number]['what'], string>> = {
  received: t`Received`,
  taken: t`Sold`,
  'given-back': t`Released`,
  returned: t`Returned`,
  wasted: t`Wasted`,
  adjusted: t`Adjusted`,
  counted: t`Counted`,
  moved: t`Moved`,
  'adjusted-at-state': t`Adjusted on the state's website`,
  'report-open': t`Report under way`,
  reported: t`Reported`,
};
