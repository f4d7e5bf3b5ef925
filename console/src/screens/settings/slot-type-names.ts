import { t } from '../../words/words.ts';

/** The order types that have time slots, in words. */
export const slotTypeNames = { pickup: t`Pickup`, delivery: t`Delivery` } as const;
