import { Anchor, Breadcrumbs, Button, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from 'react-router';
import { api, dataOf, ifUnchanged } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { ServerForm } from '../../parts/server-form.tsx';
import { shopNow } from '../../parts/shop-now.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { type Edit, useEdit } from '../../parts/use-edit.ts';
import { useGuardedEdit } from '../../parts/use-guarded-edit.tsx';
import { useLive } from '../../parts/use-live.ts';
import { RoleGate, useCan } from '../../session/session.tsx';
import { plural, t } from '../../words/words.ts';
import { DiscountConditions } from './discount-conditions.tsx';
import {
  blankDiscount,
  bodyOf,
  type Discount,
  type DiscountDraft,
  discountChanges,
  draftOf,
  stateOf,
  withoutForeignFields,
} from './discount-draft.ts';
import { discountSentence } from './discount-sentence.ts';
import { DiscountTargets, DiscountTerms } from './discount-terms.tsx';
import { DiscountTrigger } from './discount-trigger.tsx';
import classes from './marketing.module.css';
import { shownDiscountField } from './shown-discount-field.ts';
import { TryOnCart } from './try-on-cart.tsx';
import { useTargetNames } from './use-target-names.ts';

function discountQuery(discountId: number) {
  return {
    queryKey: ['discounts', discountId],
    queryFn: () => dataOf(api.GET('/staff/v1/discounts/{discountId}', { params: { path: { discountId } } })),
  };
}

/** A new or saved discount: its form, a summary in plain words, and a test cart. */
export function Component() {
  const { discountId = 'new' } = useParams();
  const id = Number(discountId);
  const isNew = discountId === 'new';
  useLive(['discounts']);
  const saved = useQuery({ ...discountQuery(id), enabled: !isNew });
  return (
    <Page>
      <Breadcrumbs>
        <Anchor component={Link} to="/marketing" size="sm">
          {t`Discounts`}
        </Anchor>
      </Breadcrumbs>
      {isNew && <NewDiscount />}
      {!isNew && !saved.data && <PageHeader title={t`Discount`} />}
      {!isNew && saved.isPending && <Skeleton height={320} radius="md" />}
      {saved.error && !saved.data && <LoadFailure error={saved.error} onRetry={() => saved.refetch()} />}
      {saved.data && <SavedDiscount key={saved.data.id} saved={saved.data} />}
    </Page>
  );
}

function NewDiscount() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const mayEdit = useCan('createDiscount');
  const edit = useEdit(blankDiscount);
  const create = async () => {
    const discount = await dataOf(api.POST('/staff/v1/discounts', { body: bodyOf(edit.draft) }));
    void queryClient.invalidateQueries({ queryKey: ['discounts'] });
    notifyDone(t`${discount.name} is created.`);
    edit.settle();
    await navigate(`/marketing/discounts/${discount.id}`, { replace: true });
  };
  return (
    <>
      <PageHeader title={t`New discount`} />
      <div className={classes.editor}>
        <ServerForm onSubmit={create} isReadOnly={!mayEdit} submit={t`Create discount`}>
          <DiscountFields {...edit} />
        </ServerForm>
        <aside className={classes.aside}>
          <DiscountPreview draft={edit.draft} />
          <TryOnCart draft={edit.draft} />
        </aside>
      </div>
    </>
  );
}

function SavedDiscount({ saved }: { saved: Discount }) {
  const queryClient = useQueryClient();
  const mayEdit = useCan('updateDiscount');
  const query = discountQuery(saved.id);
  const names = useTargetNames([draftOf(saved)]);
  const state = stateOf(saved, shopNow());
  const edit = useGuardedEdit<Discount, DiscountDraft>({
    saved,
    editedOf: draftOf,
    save: (changes, updatedAt) =>
      dataOf(
        api.PATCH('/staff/v1/discounts/{discountId}', {
          params: { path: { discountId: saved.id } },
          body: discountChanges({ ...draftOf(saved), ...changes }, changes),
          headers: ifUnchanged(updatedAt),
        }),
      ),
    load: query.queryFn,
    accept: (present) => {
      queryClient.setQueryData(query.queryKey, present);
      void queryClient.invalidateQueries({ queryKey: ['discounts'] });
    },
    shown: (name, value) => shownDiscountField(name, value, names),
  });
  return (
    <>
      <PageHeader title={saved.name} actions={state !== 'ended' && mayEdit && <EndButton discount={saved} />}>
        <StatusBadge status={state} tone={stateTones[state]} />{' '}
        {plural(saved.uses.total, {
          one: t`Used by one order`,
          other: t`Used by ${saved.uses.total} orders`,
        })}
      </PageHeader>
      <div className={classes.editor}>
        <ServerForm
          onSubmit={edit.submit}
          onDone={() => notifyDone(t`The discount is saved.`)}
          onStale={() => undefined}
          isReadOnly={!mayEdit}
          submit={t`Save discount`}
        >
          <DiscountFields {...edit} />
        </ServerForm>
        <aside className={classes.aside}>
          <DiscountPreview draft={edit.draft} />
          <TryOnCart draft={edit.draft} replaces={saved.id} />
        </aside>
      </div>
      {edit.conflict}
    </>
  );
}

const stateTones = { live: 'good', coming: 'waiting', ended: 'neutral' } as const;

function DiscountFields({ draft, set }: Pick<Edit<DiscountDraft>, 'draft' | 'set'>) {
  const names = useTargetNames([draft]);
  return (
    <>
      <DiscountTerms draft={draft} set={set} />
      <DiscountTargets draft={draft} set={set} names={names} />
      <DiscountConditions draft={draft} set={set} />
      <DiscountTrigger draft={draft} set={set} />
    </>
  );
}

function EndButton({ discount }: { discount: Discount }) {
  const queryClient = useQueryClient();
  const [opened, dialog] = useDisclosure(false);
  const end = async () => {
    await dataOf(
      api.DELETE('/staff/v1/discounts/{discountId}', { params: { path: { discountId: discount.id } } }),
    );
    notifyDone(t`${discount.name} has ended.`);
    void queryClient.invalidateQueries({ queryKey: ['discounts'] });
  };
  return (
    <RoleGate right="endDiscount">
      <Button variant="default" onClick={dialog.open}>
        {t`End now`}
      </Button>
      <ConfirmDialog
        opened={opened}
        title={t`End ${discount.name}`}
        action={t`End now`}
        isDangerous
        onConfirm={end}
        onClose={dialog.close}
      >
        {t`It no longer applies to carts. Orders that used it do not change, and it stays listed as ended.`}
      </ConfirmDialog>
    </RoleGate>
  );
}

/** The discount in plain words, updated while typing. */
function DiscountPreview({ draft }: { draft: DiscountDraft }) {
  const names = useTargetNames([draft]);
  return (
    <SectionCard title={t`In plain words`}>
      <Text className={classes.sentence} aria-live="polite">
        {discountSentence(withoutForeignFields(draft), names)}
      </Text>
    </SectionCard>
  );
}
