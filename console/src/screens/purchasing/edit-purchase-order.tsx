import { Anchor, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from 'react-router';
import { api, dataOf, ifUnchanged } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ServerForm } from '../../parts/server-form.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useGuardedEdit } from '../../parts/use-guarded-edit.tsx';
import { t } from '../../words/words.ts';
import {
  type LineDraft,
  type PurchaseDraft,
  purchaseBody,
  purchaseDraftOf,
  purchaseLabel,
} from './purchase-draft.ts';
import { PurchaseFields, PurchaseLines } from './purchase-fields.tsx';
import { orderName, type PurchaseOrder, purchaseOrderQuery, vendorsQuery } from './purchase-words.ts';

/** Changes an open purchase order. */
export function Component() {
  const purchaseOrderId = Number(useParams().purchaseOrderId);
  const order = useQuery(purchaseOrderQuery(purchaseOrderId));
  return (
    <Page kind="form">
      <PageHeader title={order.data ? t`Edit ${orderName(order.data)}` : t`Edit purchase order`}>
        <Anchor component={Link} to={`/purchasing/${purchaseOrderId}`} size="sm" underline="always">
          {t`Back to the order`}
        </Anchor>
      </PageHeader>
      {order.isPending && <Skeleton height={400} radius="md" />}
      {order.error && !order.data && <LoadFailure error={order.error} onRetry={() => order.refetch()} />}
      {order.data && <EditForm order={order.data} />}
    </Page>
  );
}

function EditForm({ order }: { order: PurchaseOrder }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const vendors = useQuery(vendorsQuery);
  const query = purchaseOrderQuery(order.id);
  const leave = () => void navigate(`/purchasing/${order.id}`);
  const edit = useGuardedEdit<PurchaseOrder, PurchaseDraft>({
    saved: order,
    editedOf: purchaseDraftOf,
    save: (changes, updatedAt) =>
      dataOf(
        api.PUT('/staff/v1/purchase-orders/{purchaseOrderId}', {
          params: { path: { purchaseOrderId: order.id } },
          headers: ifUnchanged(updatedAt),
          body: purchaseBody(changes),
        }),
      ),
    load: query.queryFn,
    accept: (present) => {
      queryClient.setQueryData(query.queryKey, present);
      void queryClient.invalidateQueries({ queryKey: ['purchase-orders'] });
    },
    shown: (name, value) => ({
      label: purchaseLabel(name),
      value:
        name === 'lineItems'
          ? (value as LineDraft[]).map((line) => (
              <div
                key={line.key}
              >{t`${line.amount} × ${line.item?.label ?? '?'} at $${line.costPerUnit}`}</div>
            ))
          : name === 'inventoryVendorId'
            ? (vendors.data?.find(({ id }) => id === value)?.name ?? String(value))
            : name === 'shippingHandlingFee'
              ? dollars(value as number)
              : String(value ?? '–'),
    }),
  });
  return (
    <>
      <ServerForm
        onSubmit={async () => {
          if (edit.isDirty) await edit.submit();
        }}
        onDone={() => {
          notifyDone(t`The order is saved.`);
          leave();
        }}
        onStale={() => {}}
        onCancel={leave}
      >
        <PurchaseFields {...edit} />
        <PurchaseLines {...edit} />
      </ServerForm>
      {edit.conflict}
    </>
  );
}
