import { Anchor, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Schema } from '../api.ts';
import { useCan } from '../session/session.tsx';
import { EmptyState } from './empty-state.tsx';
import { LoadFailure } from './load-failure.tsx';
import { type PaymentType, usePaymentTypes } from './use-payment-types.ts';

/** Gives `children` the payment types once they are there; says what to do when `due` is to be paid and there are none. */
export function WithPaymentTypes({
  orderType,
  due,
  children,
}: {
  orderType: Schema['StaffOrder']['type'];
  /** Cents; null: it is being fetched. */
  due: number | null;
  children: (types: readonly PaymentType[]) => ReactNode;
}) {
  const { types, error, retry } = usePaymentTypes(orderType);
  if (error) return <LoadFailure error={error} onRetry={retry} />;
  if (types === undefined || (types.length === 0 && due === null)) return <Skeleton height={200} />;
  if (types.length === 0 && due !== 0) return <NoPaymentTypes orderType={orderType} />;
  return children(types);
}

function NoPaymentTypes({ orderType }: { orderType: Schema['StaffOrder']['type'] }) {
  const may = useCan(['manager']);
  return (
    <EmptyState
      title="There is no payment type to pay with"
      action={
        may && (
          <Anchor component={Link} to="/settings/payment-types">
            Open the payment types
          </Anchor>
        )
      }
    >
      {may ? 'Add one' : 'Ask a manager to add one'} under Settings, Payment types
      {orderType === 'delivery' && ', and let it be used for deliveries'}. Nothing can be sold until then.
    </EmptyState>
  );
}
