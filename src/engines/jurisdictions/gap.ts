import type { Gap, GapKind } from './jurisdiction.ts';

const gapOf =
  (kind: GapKind) =>
  (text: string): Gap => ({ kind, text });

/** The text was not searched for it. */
export const notLookedUp = gapOf('not-looked-up');
/** The text was searched and does not contain it. */
export const notFound = gapOf('not-found');
/** Sources contradict each other. */
export const disputed = gapOf('disputed');
/** It is known, but no field of the product can hold it. */
export const notExpressible = gapOf('not-expressible');
/** A city, county or district decides it. */
export const local = gapOf('local');
/** Advice for setting up a shop. */
export const note = gapOf('note');

/** Only one weak source says so: owners are warned; it is neither checked nor charged. */
export const doubtful = (text: string, source: string): Gap => ({ kind: 'doubtful', text, source });

/** The names of the kinds, for people. */
const gapKindNames: Readonly<Record<GapKind, string>> = {
  'not-looked-up': 'Not looked up',
  'not-found': 'Not found in the text',
  disputed: 'Sources disagree',
  'not-expressible': 'Cannot be set up here',
  local: 'Set locally',
  doubtful: 'Doubtful',
  note: 'Note',
};

/** A gap in one or two sentences, for people. */
export function gapInWords({ kind, text, source }: Gap): string {
  const said = kind === 'note' ? text : `${gapKindNames[kind]}: ${text}`;
  return source === undefined ? said : `${said} Source: ${source}`;
}
