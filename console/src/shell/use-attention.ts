import { useQuery } from '@tanstack/react-query';
import { attentionQuery } from '../parts/attention-query.ts';

/** The paths of sections that are marked, by the kind of what waits there. */
const marks: Readonly<Record<string, string>> = { webhooks: '/integrations', 'ending-keys': '/integrations' };

/** What needs attention: how many kinds, and the paths of sections that are marked for it. */
export function useAttention(): { readonly kinds: number; readonly paths: ReadonlySet<string | undefined> } {
  const items = useQuery(attentionQuery).data?.items ?? [];
  return { kinds: items.length, paths: new Set(items.map(({ kind }) => marks[kind])) };
}
