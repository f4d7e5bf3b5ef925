import { Modal, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, ifUnchanged } from '../../api.ts';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { MoneyInput } from '../../parts/money-input.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { type Edit, useEdit } from '../../parts/use-edit.ts';
import { useGuardedEdit } from '../../parts/use-guarded-edit.tsx';
import { t } from '../../words/words.ts';
import { GoodsPicker } from './goods-picker.tsx';
import { optionNamesQuery } from './option-names.ts';
import {
  blankReward,
  type Reward,
  type RewardDraft,
  rewardBody,
  rewardDraftOf,
  rewardInWords,
} from './reward-draft.ts';

const types: { value: Reward['type']; label: string }[] = [
  { value: 'flat', label: t`An amount off` },
  { value: 'percent', label: t`A percent off` },
  { value: 'cash-back', label: t`Cash back per point` },
  { value: 'free-product', label: t`A free product` },
];

/** Creates or changes a reward. */
export function RewardDialog({ reward, onClose }: { reward: Reward | null; onClose: () => void }) {
  const queryClient = useQueryClient();
  const onDone = () => {
    void queryClient.invalidateQueries({ queryKey: ['loyalty-rewards'] });
    notifyDone(t`The reward is saved.`);
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={reward ? t`Edit reward` : t`New reward`} size="lg">
      {reward ? (
        <ChangeReward saved={reward} onDone={onDone} onClose={onClose} />
      ) : (
        <NewReward onDone={onDone} onClose={onClose} />
      )}
    </Modal>
  );
}

interface FormProps {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function NewReward({ onDone, onClose }: FormProps) {
  const edit = useEdit(blankReward);
  const create = () => dataOf(api.POST('/staff/v1/loyalty-rewards', { body: rewardBody(edit.draft) }));
  return (
    <ServerForm onSubmit={create} onDone={onDone} onCancel={onClose} submit={t`Create reward`}>
      <RewardFields {...edit} />
    </ServerForm>
  );
}

function ChangeReward({ saved, onDone, onClose }: FormProps & { saved: Reward }) {
  const params = { path: { loyaltyRewardId: saved.id } };
  const edit = useGuardedEdit<Reward, RewardDraft>({
    saved,
    editedOf: rewardDraftOf,
    save: (changes, updatedAt) =>
      dataOf(
        api.PATCH('/staff/v1/loyalty-rewards/{loyaltyRewardId}', {
          params,
          body: rewardChanges({ ...rewardDraftOf(saved), ...changes }, changes),
          headers: ifUnchanged(updatedAt),
        }),
      ),
    load: () => dataOf(api.GET('/staff/v1/loyalty-rewards/{loyaltyRewardId}', { params })),
    // The record that was taken from another person's edit also counts as saved.
    accept: onDone,
    shown: (name, value) => ({ label: labels[name], value: String(value ?? '–') }),
  });
  return (
    <>
      <ServerForm onSubmit={edit.submit} onStale={() => undefined} onCancel={onClose} submit={t`Save reward`}>
        <RewardFields {...edit} />
      </ServerForm>
      {edit.conflict}
    </>
  );
}

/** The changed fields; another type also changes the fields that belong to it. */
function rewardChanges(draft: RewardDraft, changes: Partial<RewardDraft>) {
  const body = rewardBody(draft);
  if (changes.type !== undefined) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => name in changes));
}

const labels: Readonly<Record<keyof RewardDraft, string>> = {
  name: t`Name`,
  type: t`Type`,
  pointsRequirement: t`Points`,
  discountAmount: t`Value`,
  productOptionId: t`Free product`,
};

function RewardFields({ draft, set }: Pick<Edit<RewardDraft>, 'draft' | 'set'>) {
  const ids = draft.productOptionId === null ? [] : [draft.productOptionId];
  const names = useQuery({ ...optionNamesQuery(ids), enabled: ids.length > 0 });
  const nameOf = (id: number) => names.data?.get(id) ?? t`option #${id}`;
  return (
    <>
      <Field path="name">
        {(error) => (
          <TextInput
            label={t`Name`}
            description={t`Customers see it`}
            data-autofocus
            error={error}
            value={draft.name}
            onChange={(event) => set('name', event.currentTarget.value)}
          />
        )}
      </Field>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Field path="type">
          {(error) => (
            <Select
              label={t`Type`}
              error={error}
              data={types}
              value={draft.type}
              onChange={(type) => {
                set('type', type as Reward['type']);
                set('discountAmount', '');
              }}
            />
          )}
        </Field>
        <Field path="pointsRequirement">
          {(error) => (
            <DecimalInput
              label={draft.type === 'cash-back' ? t`Minimum points` : t`Points`}
              error={error}
              value={draft.pointsRequirement}
              onChange={(value) => set('pointsRequirement', value)}
            />
          )}
        </Field>
        <WorthField draft={draft} set={set} nameOf={nameOf} />
      </SimpleGrid>
      <Text size="sm" c="dimmed" aria-live="polite">
        {draft.type === 'cash-back'
          ? t`For ${draft.pointsRequirement || '…'} points or more: ${rewardInWords(draft, nameOf)}.`
          : t`For ${draft.pointsRequirement || '…'} points: ${rewardInWords(draft, nameOf)}.`}
      </Text>
    </>
  );
}

function WorthField({
  draft,
  set,
  nameOf,
}: Pick<Edit<RewardDraft>, 'draft' | 'set'> & { nameOf: (id: number) => string }) {
  const { type, discountAmount, productOptionId } = draft;
  if (type === 'free-product') {
    return (
      <Field path="productOptionId">
        {(error) => (
          <GoodsPicker
            of="options"
            label={t`Free product`}
            ids={productOptionId === null ? [] : [productOptionId]}
            nameOf={nameOf}
            error={error}
            onChange={(chosen) => set('productOptionId', chosen.at(-1) ?? null)}
          />
        )}
      </Field>
    );
  }
  return (
    <Field path="discountAmount">
      {(error) =>
        type === 'flat' ? (
          <MoneyInput
            key="flat"
            label={t`Amount off`}
            error={error}
            cents={discountAmount === '' ? null : Number(discountAmount)}
            onChange={(cents) => set('discountAmount', cents === null ? '' : String(cents))}
          />
        ) : (
          <DecimalInput
            key={type}
            label={type === 'percent' ? t`Percent off` : t`Cents per point`}
            rightSection={type === 'percent' ? '%' : '¢'}
            error={error}
            value={discountAmount}
            onChange={(value) => set('discountAmount', value)}
          />
        )
      }
    </Field>
  );
}
