import { Alert, Anchor, Button, Group, Skeleton, Table } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { api, dataOf } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { LastDay } from '../../parts/shop-day.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { isByGram } from '../../parts/stock-item-picker.tsx';
import { useLive } from '../../parts/use-live.ts';
import { useCan } from '../../session/session.tsx';
import { said, t } from '../../words/words.ts';
import { ReasonField } from './package-fields.tsx';
import { PackageForm } from './package-form.tsx';
import { keepPackage, packageQuery } from './package-query.ts';
import { PackageState } from './package-state.tsx';
import { ReceivePackageDialog, useReceiveDraft } from './receive-package-dialog.tsx';
import { isRejectedPackage, itemName, locationsQuery, type Package, stockUnitOf } from './stock-words.ts';

/** One package: location, sale status, lab results; receive, finish and void it. */
export function Component() {
  const packageId = Number(useParams().packageId);
  const mayEdit = useCan('changePackage');
  const { data: saved, error, isPending, refetch } = useQuery(packageQuery(packageId));
  useLive(['inventory', 'inventory-ledger', 'packages']);
  return (
    <Page kind="form">
      <PageHeader
        title={saved ? t`Package …${saved.label.slice(-7)}` : t`Package`}
        actions={
          saved && (
            <>
              <Button component={Link} to={`/print/packages/${packageId}`} variant="default">
                {t`Label`}
              </Button>
              {mayEdit && <PackageActions key={saved.id} saved={saved} />}
            </>
          )
        }
      >
        <Anchor component={Link} to="/inventory/packages" size="sm" underline="always">
          {t`Packages`}
        </Anchor>{' '}
        /{' '}
        <Anchor component={Link} to={`/inventory/ledger?packageId=${packageId}`} size="sm" underline="always">
          {t`Package ledger`}
        </Anchor>
        {saved && <span className="numbers"> / {saved.label}</span>}
      </PageHeader>
      {isPending && <Skeleton height={320} radius="md" />}
      {error && !saved && <LoadFailure error={error} onRetry={() => refetch()} />}
      {saved && <PackageFacts saved={saved} />}
      {saved && mayEdit && <PackageForm key={saved.id} saved={saved} />}
    </Page>
  );
}

/** The name of the option in the package, from its newest stock change. */
function useOptionName({ id: packageId, productOptionId }: Package): string | null {
  const entries = useQuery({
    queryKey: ['inventory-ledger', { packageId }],
    queryFn: () => dataOf(api.GET('/staff/v1/inventory-ledger', { params: { query: { packageId } } })),
    enabled: productOptionId !== null,
  });
  return entries.data?.[0]?.optionName ?? null;
}

function PackageFacts({ saved }: { saved: Package }) {
  const locations = useQuery(locationsQuery);
  const nameOf = (id: number) => locations.data?.find((it) => it.id === id)?.name ?? id;
  const optionName = useOptionName(saved);
  const stockUnit = stockUnitOf(saved);
  return (
    <SectionCard title={t`Package`}>
      <Group gap="xs" mb="sm">
        <PackageState {...saved} />
        {saved.onHold && <StatusBadge status="on-hold" tone="waiting" label={t`On hold`} />}
        {saved.tradeSample && <StatusBadge status="trade-sample" tone="waiting" label={t`Trade sample`} />}
      </Group>
      {saved.onHold && saved.holdReason && (
        <Alert color="yellow" mb="sm">
          {t`On hold: ${saved.holdReason}`}
        </Alert>
      )}
      {saved.voidReason && (
        <Alert color="red" mb="sm">
          {isRejectedPackage(saved) ? t`Rejected: ${saved.voidReason}` : t`Void: ${saved.voidReason}`}
        </Alert>
      )}
      <Table variant="vertical" layout="fixed" className="numbers">
        <Table.Tbody>
          <Fact name={t`Product`}>
            {saved.product ? (
              <Anchor component={Link} size="sm" to={`/catalog/products/${saved.product.id}`}>
                {itemName({ productName: saved.product.name, optionName })}
              </Anchor>
            ) : (
              (saved.externalProductName ?? '–')
            )}
          </Fact>
          <Fact name={t`Initial amount`}>{`${saved.initialAmount} ${said(saved.unit).toLowerCase()}`}</Fact>
          <Fact name={t`Stock units per package unit`}>{`${saved.multiplier} ${stockUnit}`}</Fact>
          <Fact name={saved.product && isByGram(saved.product) ? t`Cost per gram` : t`Cost per unit`}>
            {saved.costPerUnit === null ? '–' : `$${saved.costPerUnit}`}
          </Fact>
          <Fact name={t`Remaining`}>
            {saved.locationInventory
              .map((it) => t`${`${it.amount} ${stockUnit}`.trim()} at ${nameOf(it.inventoryLocationId)}`)
              .join(', ') || t`None`}
          </Fact>
          <Fact name={t`On sale until`}>
            <LastDay day={saved.expirationDate} />
          </Fact>
          <Fact name={t`Received`}>
            <ShopTime at={saved.receivedAt} />
          </Fact>
          <Fact name={t`Finished`}>
            <ShopTime at={saved.finishedAt} />
          </Fact>
        </Table.Tbody>
      </Table>
    </SectionCard>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th w={{ base: '45%', sm: 200 }}>{name}</Table.Th>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{children}</Table.Td>
    </Table.Tr>
  );
}

function PackageActions({ saved }: { saved: Package }) {
  const draft = useReceiveDraft(saved);
  // What was typed before a reload is shown again.
  const [doing, setDoing] = useState<'receive' | 'reject' | 'finish' | 'void' | null>(
    draft.keptAt !== null && saved.receivedAt === null ? 'receive' : null,
  );
  const [reason, setReason] = useState('');
  const queryClient = useQueryClient();
  const params = { path: { packageId: saved.id } };
  const close = () => setDoing(null);
  const keep = (changed: Package) => keepPackage(queryClient, changed);
  const isOver = saved.status === 'finished' || isRejectedPackage(saved);
  return (
    <>
      <Button
        variant={saved.receivedAt ? 'default' : 'filled'}
        onClick={() => setDoing('receive')}
        disabled={isOver}
      >
        {t`Receive`}
      </Button>
      {saved.status === 'ready' && (
        <Button variant="default" onClick={() => setDoing('reject')}>
          {t`Reject`}
        </Button>
      )}
      <Button variant="default" onClick={() => setDoing('finish')} disabled={isOver}>
        {t`Finish`}
      </Button>
      <Button variant="default" onClick={() => setDoing('void')} disabled={isOver}>
        {t`Void`}
      </Button>
      {doing === 'receive' && (
        <ReceivePackageDialog saved={saved} draft={draft} onReceived={keep} onClose={close} />
      )}
      <ConfirmDialog
        opened={doing === 'finish'}
        title={t`Finish this package?`}
        action={t`Finish package`}
        onConfirm={async () =>
          keep(await dataOf(api.POST('/staff/v1/packages/{packageId}/finish', { params })))
        }
        onClose={close}
      >
        {t`Use this for an empty package. It must have no stock left.`}
      </ConfirmDialog>
      <ConfirmDialog
        opened={doing === 'reject'}
        title={t`Reject this package?`}
        action={t`Reject package`}
        isDangerous
        isReady={reason.trim() !== ''}
        onConfirm={async () =>
          keep(
            await dataOf(
              api.POST('/staff/v1/packages/{packageId}/reject', { params, body: { reason: reason.trim() } }),
            ),
          )
        }
        onClose={close}
      >
        {t`It goes back to its shipper and is never in stock. Reject it in the state system, too.`}
        <ReasonField reason={reason} onChange={setReason} />
      </ConfirmDialog>
      <ConfirmDialog
        opened={doing === 'void'}
        title={t`Void this package?`}
        action={t`Void package`}
        isDangerous
        isReady={reason.trim() !== ''}
        onConfirm={async () =>
          keep(
            await dataOf(
              api.POST('/staff/v1/packages/{packageId}/void', { params, body: { reason: reason.trim() } }),
            ),
          )
        }
        onClose={close}
      >
        {t`Use this for a package created by mistake. It must have no stock. Its label can be used again.`}
        <ReasonField reason={reason} onChange={setReason} />
      </ConfirmDialog>
    </>
  );
}
