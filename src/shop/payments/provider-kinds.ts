import { bankKind } from './bank-provider.ts';
import type { ProviderKind } from './provider.ts';
import { terminalKind } from './terminal-provider.ts';

/** Every kind of provider: another one is a line here and its file. */
export const providerKinds = [terminalKind, bankKind] as const satisfies readonly ProviderKind[];

export const providerIds = ['terminal', 'bank'] as const;
export type ProviderId = (typeof providerIds)[number];

/** The kind with an id; undefined: there is none. */
export function providerKindOf(id: string): ProviderKind | undefined {
  return providerKinds.find((kind) => kind.id === id);
}
