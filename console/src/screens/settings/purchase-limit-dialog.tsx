import { api, dataOf, ifUnchanged } from '../../api.ts';
import { t } from '../../words/words.ts';
import { LimitFields } from './limit-fields.tsx';
import { countsInWords, type LimitDraft, type OwnRule } from './limit-words.ts';
import { localityInWords, ownSourceInWords } from './locality-fields.tsx';
import { SettingDialog } from './setting-dialog.tsx';

const blank: LimitDraft = {
  name: '',
  customerType: 'all',
  cannabisType: 'non-concentrated',
  limit: '',
  unit: 'g',
  window: 'transaction',
  windowDays: null,
  counts: [
    {
      ...{ cannabisType: 'non-concentrated', amount: null, unit: null, countsAs: null },
      ...{ countsAsUnit: null, of: 'content' },
    },
  ],
  locality: null,
  ownSource: null,
  startsOn: null,
  endsOn: null,
};

/** Creates or changes one of the shop's own limits. */
export function PurchaseLimitDialog({
  edited,
  onClose,
}: {
  edited: OwnRule | 'new' | null;
  onClose: () => void;
}) {
  return (
    <SettingDialog<LimitDraft, OwnRule>
      edited={edited}
      onClose={onClose}
      noun={t`purchase limit`}
      nameOf={({ name }) => name}
      blank={blank}
      create={(body) => dataOf(api.POST('/staff/v1/purchase-limit-rules', { body }))}
      save={(purchaseLimitRuleId, body, updatedAt) =>
        dataOf(
          api.PATCH('/staff/v1/purchase-limit-rules/{purchaseLimitRuleId}', {
            params: { path: { purchaseLimitRuleId } },
            headers: ifUnchanged(updatedAt),
            body,
          }),
        )
      }
      loadAll={async () =>
        (await dataOf(api.GET('/staff/v1/purchase-limit-rules'))).filter(
          (rule): rule is typeof rule & OwnRule => rule.source === 'organization',
        )
      }
      listKey="purchase-limit-rules"
      shown={shown}
    >
      {(edit) => <LimitFields {...edit} />}
    </SettingDialog>
  );
}

const labels: Partial<Record<keyof OwnRule, string>> = {
  name: t`Name`,
  customerType: t`Customers`,
  cannabisType: t`Counted as`,
  limit: t`Maximum`,
  unit: t`Unit`,
  window: t`Period`,
  windowDays: t`Days`,
  counts: t`Counts`,
  locality: t`Applies in`,
  ownSource: t`Legal source`,
  startsOn: t`First day`,
  endsOn: t`Last day`,
};

function shown(name: keyof OwnRule, value: OwnRule[keyof OwnRule]) {
  const label = labels[name] ?? name;
  if (name === 'locality') return { label, value: localityInWords(value as OwnRule['locality']) };
  if (name === 'ownSource') return { label, value: ownSourceInWords(value as OwnRule['ownSource']) };
  if (Array.isArray(value)) return { label, value: countsInWords(value) };
  return { label, value: typeof value === 'object' ? '–' : value };
}
