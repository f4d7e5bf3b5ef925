import { t } from '../words/words.ts';

/** The name of the actor in a stock or points ledger entry. */
export function actorInWords({ kind, name }: { kind: 'staff' | 'key' | 'job'; name: string | null }): string {
  if (kind === 'job') return t`Automatic (${name})`;
  return name ?? (kind === 'key' ? t`A client key` : '–');
}
