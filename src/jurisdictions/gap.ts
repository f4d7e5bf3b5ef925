import type { Gap, GapKind } from './jurisdiction.ts';

const gapOf =
  (kind: GapKind) =>
  (text: string): Gap => ({ kind, text });

/** The text was not read for it. */
export const notLookedUp = gapOf('not-looked-up');
/** The text was read, and does not say it. */
export const notFound = gapOf('not-found');
/** Sources contradict each other. */
export const disputed = gapOf('disputed');
/** It is known, and no field of the product can hold it. */
export const notExpressible = gapOf('not-expressible');
/** A city, county or district decides it. */
export const local = gapOf('local');
/** What to know when setting a shop up. */
export const note = gapOf('note');

/** One weak source says it: owners are warned, and nothing is checked or charged. */
export const doubtful = (text: string, source: string): Gap => ({ kind: 'doubtful', text, source });

/** What the kinds are called for people. */
export const gapKindNames: Readonly<Record<GapKind, string>> = {
  'not-looked-up': 'Not looked up',
  'not-found': 'Not found in the text',
  disputed: 'Sources disagree',
  'not-expressible': 'Cannot be set up here',
  local: 'Set locally',
  doubtful: 'Doubtful',
  note: 'Note',
};

/** A gap in one sentence or two, for people. */
export function gapInWords({ kind, text, source }: Gap): string {
  const said = kind === 'note' ? text : `${gapKindNames[kind]}: ${text}`;
  return source === undefined ? said : `${said} Source: ${source}`;
}
