import { MultiSelect } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, ifUnchanged } from '../../api.ts';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { SectionCard } from '../../parts/section-card.tsx';
import { notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { t } from '../../words/words.ts';
import { tagsQuery } from './product-words.ts';

/** The tags of a product, saved when one is added or removed. */
export function ProductTagsCard({ productId, mayEdit }: { productId: number; mayEdit: boolean }) {
  const queryClient = useQueryClient();
  const tags = useQuery(tagsQuery);
  const all = tags.data ?? [];
  const present = all.filter(({ productIds }) => productIds.includes(productId)).map(({ id }) => String(id));
  const change = useWrite({
    about: (chosen) => chosen,
    mutationFn: async (chosen: readonly string[]) => {
      for (const tag of all) {
        const has = tag.productIds.includes(productId);
        if (has === chosen.includes(String(tag.id))) continue;
        const others = tag.productIds.filter((id) => id !== productId);
        await dataOf(
          api.PATCH('/staff/v1/tags/{tagId}', {
            params: { path: { tagId: tag.id } },
            // The whole list is sent, so a change by another person must not be overwritten.
            headers: ifUnchanged(tag.updatedAt),
            body: { productIds: has ? others : [...others, productId] },
          }),
        );
      }
    },
    onError: notifyError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['tags'] }),
  });
  return (
    <SectionCard title={t`Tags`}>
      <MultiSelect
        aria-label={t`Tags`}
        placeholder={present.length === 0 ? t`None` : undefined}
        searchable
        hidePickedOptions
        disabled={!mayEdit || tags.isPending}
        data={choicesOr(
          all.map(({ id, name }) => ({ value: String(id), label: name })),
          tags,
          createHints.tags,
        )}
        value={change.isPending ? [...change.variables] : present}
        onChange={(chosen) => change.mutate(chosen)}
      />
    </SectionCard>
  );
}
