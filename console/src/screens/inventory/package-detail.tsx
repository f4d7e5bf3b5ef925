import { Alert, Anchor, Button, Group, Skeleton, Table, Text, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { api, dataOf } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { LastDay } from '../../parts/shop-day.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { useLive } from '../../parts/use-live.ts';
import { useCan } from '../../session/session.tsx';
import { PackageForm } from './package-form.tsx';
import { keepPackage, useToldPackage } from './package-query.ts';
import { ReceivePackageDialog } from './receive-package-dialog.tsx';
import { locationsQuery, type Package } from './stock-words.ts';

const tones: Readonly<Partial<Record<Package['status'], Tone>>> = { ready: 'waiting', received: 'good' };

/** One package: where it lies, whether it is sold, what the lab says; received, finished, taken back as never been. */
export function Component() {
  const packageId = Number(useParams().packageId);
  const mayEdit = useCan(['manager', 'inventory']);
  const told = useToldPackage(packageId);
  const first = useFirstEntry(packageId);
  useLive(['inventory', 'inventory-ledger']);
  const label = told?.label ?? first.data?.packageLabel;
  return (
    <Page kind="form">
      <PageHeader
        title={label ? `Package …${label.slice(-7)}` : `Package ${packageId}`}
        actions={mayEdit && <PackageActions packageId={packageId} told={told} />}
      >
        <Anchor component={Link} to="/inventory/packages" size="sm" underline="always">
          Packages
        </Anchor>{' '}
        /{' '}
        <Anchor component={Link} to={`/inventory/ledger?packageId=${packageId}`} size="sm" underline="always">
          Its ledger
        </Anchor>
        {label && <span className="numbers"> / {label}</span>}
      </PageHeader>
      {first.isPending && <Skeleton height={200} radius="md" />}
      {told ? (
        <PackageFacts told={told} />
      ) : (
        first.data !== undefined && (
          <SectionCard title="What is known">
            <Text size="sm">
              {first.data
                ? `${first.data.productName}${first.data.optionName ? ` · ${first.data.optionName}` : ''}, last moved at ${first.data.locationName}.`
                : 'Nothing of it has been received yet.'}
            </Text>
            <Text size="sm" c="dimmed" mt="xs">
              The service shows the details of a package with its answer to a change. Fields that you leave
              empty below stay as they are.
            </Text>
          </SectionCard>
        )
      )}
      {mayEdit && <PackageForm key={told ? 'told' : 'blank'} packageId={packageId} told={told} />}
    </Page>
  );
}

/** The newest change of what is in it, for its label and product. */
function useFirstEntry(packageId: number) {
  return useQuery({
    queryKey: ['inventory-ledger', { packageId }],
    queryFn: async () => {
      const query = { packageId };
      const entries = await dataOf(api.GET('/staff/v1/inventory-ledger', { params: { query } }));
      return entries[0] ?? null;
    },
  });
}

function PackageFacts({ told }: { told: Package }) {
  const locations = useQuery(locationsQuery);
  const nameOf = (id: number) => locations.data?.find((it) => it.id === id)?.name ?? id;
  const option = told.productOptionId === null ? '' : ` (option ${told.productOptionId})`;
  return (
    <SectionCard title="Package">
      <Group gap="xs" mb="sm">
        <StatusBadge status={told.status} tone={tones[told.status] ?? 'neutral'} />
        {told.onHold && <StatusBadge status="on-hold" tone="waiting" label="On hold" />}
        {told.tradeSample && <StatusBadge status="trade-sample" tone="waiting" label="Trade sample" />}
      </Group>
      {told.voidReason && (
        <Alert color="red" mb="sm">
          Void: {told.voidReason}
        </Alert>
      )}
      <Table variant="vertical" layout="fixed" className="numbers">
        <Table.Tbody>
          <Fact name="In it">
            {told.product ? (
              <Anchor component={Link} size="sm" to={`/catalog/products/${told.product.id}`}>
                {told.product.name}
                {option}
              </Anchor>
            ) : (
              (told.externalProductName ?? '–')
            )}
          </Fact>
          <Fact name="At first">{`${told.initialAmount} ${told.unit}`}</Fact>
          <Fact name="Units of stock in one">{told.multiplier}</Fact>
          <Fact name="Cost of a unit">{told.costPerUnit === null ? '–' : `$${told.costPerUnit}`}</Fact>
          <Fact name="Left of it">
            {told.locationInventory
              .map((it) => `${it.amount} at ${nameOf(it.inventoryLocationId)}`)
              .join(', ') || 'Nothing'}
          </Fact>
          <Fact name="Sold until">
            <LastDay day={told.expirationDate} />
          </Fact>
          <Fact name="Received">
            <ShopTime at={told.receivedAt} />
          </Fact>
          <Fact name="Finished">
            <ShopTime at={told.finishedAt} />
          </Fact>
        </Table.Tbody>
      </Table>
    </SectionCard>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th w={200}>{name}</Table.Th>
      <Table.Td>{children}</Table.Td>
    </Table.Tr>
  );
}

function PackageActions({ packageId, told }: { packageId: number; told: Package | undefined }) {
  const [doing, setDoing] = useState<'receive' | 'finish' | 'void' | null>(null);
  const [reason, setReason] = useState('');
  const queryClient = useQueryClient();
  const params = { path: { packageId } };
  const close = () => setDoing(null);
  const keep = (changed: Package) => {
    keepPackage(queryClient, changed);
    for (const key of ['inventory', 'inventory-ledger']) {
      void queryClient.invalidateQueries({ queryKey: [key] });
    }
  };
  const isOver = told?.status === 'finished';
  return (
    <>
      <Button onClick={() => setDoing('receive')} disabled={isOver}>
        Receive
      </Button>
      <Button variant="default" onClick={() => setDoing('finish')} disabled={isOver}>
        Finish
      </Button>
      <Button variant="default" onClick={() => setDoing('void')} disabled={isOver}>
        Void
      </Button>
      {doing === 'receive' && (
        <ReceivePackageDialog packageId={packageId} told={told} onReceived={keep} onClose={close} />
      )}
      <ConfirmDialog
        opened={doing === 'finish'}
        title="Finish this package?"
        action="Finish package"
        onConfirm={async () =>
          keep(await dataOf(api.POST('/staff/v1/packages/{packageId}/finish', { params })))
        }
        onClose={close}
      >
        For a package that is used up: nothing may be left in it.
      </ConfirmDialog>
      <ConfirmDialog
        opened={doing === 'void'}
        title="Void this package?"
        action="Void package"
        isDangerous
        onConfirm={async () =>
          keep(
            await dataOf(
              api.POST('/staff/v1/packages/{packageId}/void', { params, body: { reason: reason.trim() } }),
            ),
          )
        }
        onClose={close}
      >
        For a package that should not have been. Nothing may be in it; its label becomes free for another one.
        <Textarea
          label="Reason"
          required
          mt="md"
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </ConfirmDialog>
    </>
  );
}
