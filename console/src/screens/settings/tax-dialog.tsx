import { useQuery } from '@tanstack/react-query';
import { api, dataOf, ifUnchanged } from '../../api.ts';
import { useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { SettingDialog } from './setting-dialog.tsx';
import { categoriesQuery } from './setting-lists.ts';
import { type TaxDraft, TaxFields } from './tax-fields.tsx';
import { type Tax, taxFieldInWords } from './tax-words.ts';

const blank: TaxDraft = {
  description: '',
  rate: '',
  basis: null,
  tier: '1',
  type: 'standard',
  included: false,
  encompass: false,
  exemptable: false,
  appliesToFees: false,
  rounding: 'half-up',
  onlyInDeliveryZones: false,
  customerType: 'all',
  excludedProductCategoryIds: [],
  nonExemptableProductCategoryIds: [],
  locality: null,
  ownSource: null,
  startsAt: null,
  endsAt: null,
};

/** Creates or changes a tax. Changing what is charged ends the tax and starts a new one; the service does that. */
export function TaxDialog({ edited, onClose }: { edited: Tax | 'new' | null; onClose: () => void }) {
  const { tz } = useSession().organization;
  const categories = useQuery(categoriesQuery).data ?? [];
  return (
    <SettingDialog<TaxDraft, Tax>
      edited={edited}
      onClose={onClose}
      noun={t`tax`}
      nameOf={({ description }) => description}
      blank={blank}
      create={(body) => dataOf(api.POST('/staff/v1/taxes', { body }))}
      save={(taxId, body, updatedAt) =>
        dataOf(
          api.PATCH('/staff/v1/taxes/{taxId}', {
            params: { path: { taxId } },
            headers: ifUnchanged(updatedAt),
            body,
          }),
        )
      }
      loadAll={() => dataOf(api.GET('/staff/v1/taxes'))}
      listKey="taxes"
      shown={(name, value) => taxFieldInWords(name, value, { categories, tz })}
    >
      {(edit, saved) => <TaxFields {...edit} saved={saved} categories={categories} />}
    </SettingDialog>
  );
}
