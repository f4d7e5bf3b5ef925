import { useQueryClient } from '@tanstack/react-query';
import { api, dataOf, ifUnchanged } from '../../api.ts';
import { SectionCard } from '../../parts/section-card.tsx';
import { ServerForm } from '../../parts/server-form.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useGuardedEdit } from '../../parts/use-guarded-edit.tsx';
import { t } from '../../words/words.ts';
import { OptionRows } from './option-rows.tsx';
import { type OptionDraft, optionBody, optionDraftOf, optionInWords } from './product-draft.ts';
import { contentUnit, type Product, productQuery } from './product-words.ts';

interface OptionSet {
  readonly options: OptionDraft[];
}

const setOf = (product: Product): OptionSet => ({ options: product.options.map(optionDraftOf) });

/** The options of an existing product, saved together and separately from its details. */
export function ProductOptionsForm({ product, mayEdit }: { product: Product; mayEdit: boolean }) {
  const queryClient = useQueryClient();
  const query = productQuery(product.id);
  const edit = useGuardedEdit<Product, OptionSet>({
    saved: product,
    editedOf: setOf,
    save: async ({ options = [] }, updatedAt) => {
      const saved = await dataOf(
        api.PUT('/staff/v1/products/{productId}/options', {
          params: { path: { productId: product.id } },
          headers: ifUnchanged(updatedAt),
          body: { options: options.map(optionBody) },
        }),
      );
      queryClient.setQueryData(query.queryKey, saved);
      return saved;
    },
    load: query.queryFn,
    accept: () => void queryClient.invalidateQueries({ queryKey: ['products'] }),
    shown: (_, value) => ({
      label: t`Options`,
      value: (value as OptionDraft[]).map((option) => <div key={option.key}>{optionInWords(option)}</div>),
    }),
  });
  return (
    <>
      <ServerForm
        onSubmit={async () => {
          if (edit.isDirty) await edit.submit();
        }}
        onDone={() => notifyDone(t`The options are saved.`)}
        onStale={() => {}}
        isReadOnly={!mayEdit}
        submit={t`Save options`}
      >
        <SectionCard
          title={t`Options`}
          hint={t`What customers can buy, in menu order. Removed options are deleted when you save.`}
        >
          <OptionRows
            options={edit.draft.options}
            onChange={(options) => edit.set('options', options)}
            contentUnit={contentUnit[product.primaryCategory.cannabisType]}
          />
        </SectionCard>
      </ServerForm>
      {edit.conflict}
    </>
  );
}
