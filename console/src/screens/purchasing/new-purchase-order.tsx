import { Anchor } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { api, dataOf } from '../../api.ts';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ServerForm } from '../../parts/server-form.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useEdit } from '../../parts/use-edit.ts';
import { t } from '../../words/words.ts';
import { blankPurchase, purchaseBody } from './purchase-draft.ts';
import { PurchaseFields, PurchaseLines } from './purchase-fields.tsx';
import { purchaseOrderQuery } from './purchase-words.ts';

/** Creates a purchase order. */
export function Component() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const edit = useEdit(blankPurchase);
  const create = async () => {
    const { lineItems = [], ...body } = purchaseBody(edit.draft);
    const order = await dataOf(
      api.POST('/staff/v1/purchase-orders', {
        // The service reports missing fields.
        body: { ...body, lineItems } as typeof body & { lineItems: typeof lineItems },
      }),
    );
    queryClient.setQueryData(purchaseOrderQuery(order.id).queryKey, order);
    void queryClient.invalidateQueries({ queryKey: ['purchase-orders'] });
    notifyDone(t`The purchase order is created.`);
    edit.settle();
    await navigate(`/purchasing/${order.id}`);
  };
  return (
    <Page kind="form">
      <PageHeader title={t`New purchase order`}>
        <Anchor component={Link} to="/purchasing" size="sm" underline="always">
          {t`Purchase orders`}
        </Anchor>
      </PageHeader>
      <ServerForm onSubmit={create} onCancel={() => void navigate('/purchasing')} submit={t`Create order`}>
        <PurchaseFields {...edit} />
        <PurchaseLines {...edit} />
      </ServerForm>
    </Page>
  );
}
