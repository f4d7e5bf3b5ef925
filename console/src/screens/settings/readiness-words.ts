import type { Schema } from '../../api.ts';
import { t } from '../../words/words.ts';

type Standing = Schema['Readiness']['lines'][number]['standing'];

/** How a shop meets a duty, for people. */
export const standingNames: Readonly<Record<Standing, string>> = {
  enforced: t`Enforced`,
  recorded: t`Recorded`,
  'by-hand': t`By hand`,
  missing: t`Missing`,
  unknown: t`Unknown`,
};

export const standingColors: Readonly<Record<Standing, string>> = {
  enforced: 'teal',
  recorded: 'teal',
  'by-hand': 'blue',
  missing: 'red',
  unknown: 'yellow',
};
