/** Who has done it, as the service says it of a stock or points ledger. */
export function actorInWords({ kind, name }: { kind: 'staff' | 'key' | 'job'; name: string | null }): string {
  if (kind === 'job') return `Automatic (${name})`;
  return name ?? (kind === 'key' ? 'A client key' : '–');
}
