import { Button, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, ifUnchanged } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { ServerForm } from '../../parts/server-form.tsx';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { useGuardedEdit } from '../../parts/use-guarded-edit.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { t } from '../../words/words.ts';
import {
  detailsOf,
  PackageDetailFields,
  type PackageDetails,
  ReasonField,
  shownDetail,
} from './package-fields.tsx';
import { keepPackage, packageQuery } from './package-query.ts';
import type { Package } from './stock-words.ts';

/**
 * Changes the details of a package, as an edit of the version that was read. A sale in the meantime, which also changes the
 * package, causes no conflict.
 */
export function PackageForm({ saved }: { saved: Package }) {
  const queryClient = useQueryClient();
  const params = { path: { packageId: saved.id } };
  const edit = useGuardedEdit<Package, PackageDetails>({
    saved,
    editedOf: detailsOf,
    save: (body, updatedAt) =>
      dataOf(api.PATCH('/staff/v1/packages/{packageId}', { params, body, headers: ifUnchanged(updatedAt) })),
    load: packageQuery(saved.id).queryFn,
    accept: (present) => keepPackage(queryClient, present),
    shown: shownDetail,
  });
  // One button changes one field, so it cannot overwrite other changes.
  const mark = useWrite({
    mutationFn: (body: Partial<PackageDetails>) =>
      dataOf(api.PATCH('/staff/v1/packages/{packageId}', { params, body })),
    onSuccess: (present) => keepPackage(queryClient, present),
    onError: notifyError,
  });
  const [isHolding, setHolding] = useState(false);
  return (
    <>
      {isHolding && (
        <HoldDialog
          onHold={async (holdReason) =>
            keepPackage(
              queryClient,
              await dataOf(
                api.PATCH('/staff/v1/packages/{packageId}', { params, body: { onHold: true, holdReason } }),
              ),
            )
          }
          onClose={() => setHolding(false)}
        />
      )}
      <SectionCard
        title={t`Sale`}
        hint={t`A package on hold is not for sale. A trade sample is never for sale.`}
      >
        <Group gap="sm">
          {marks
            .filter(({ change }) => saved[change.name] !== change.value)
            .map(({ label, change }) => (
              <Button
                key={label}
                variant="default"
                size="compact-md"
                loading={mark.isPending}
                onClick={() =>
                  change.name === 'onHold' && change.value
                    ? setHolding(true)
                    : mark.mutate({ [change.name]: change.value })
                }
              >
                {label}
              </Button>
            ))}
        </Group>
      </SectionCard>
      <ServerForm
        onSubmit={async () => {
          if (edit.isDirty) await edit.submit();
        }}
        onDone={() => notifyDone(t`The package is saved.`)}
        onStale={() => undefined}
        submit={t`Save details`}
      >
        <SectionCard title={t`Dates, lab results, origin`}>
          <PackageDetailFields {...edit} />
        </SectionCard>
      </ServerForm>
      {edit.conflict}
    </>
  );
}

function HoldDialog({
  onHold,
  onClose,
}: {
  onHold: (reason: string) => Promise<unknown>;
  onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  return (
    <ConfirmDialog
      opened
      title={t`Put this package on hold?`}
      action={t`Put on hold`}
      keep={t`Cancel`}
      isReady={reason.trim() !== ''}
      onConfirm={() => onHold(reason.trim())}
      onClose={onClose}
    >
      {t`It is not sold until the hold is released. Orders that hold goods of it cannot be handed over.`}
      <ReasonField reason={reason} onChange={setReason} />
    </ConfirmDialog>
  );
}

const marks = [
  { label: t`Put on hold`, change: { name: 'onHold', value: true } },
  { label: t`Release hold`, change: { name: 'onHold', value: false } },
  { label: t`Mark as trade sample`, change: { name: 'tradeSample', value: true } },
  { label: t`Unmark as trade sample`, change: { name: 'tradeSample', value: false } },
] as const;
