import { Anchor, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Schema } from '../api.ts';
import { useCan } from '../session/session.tsx';
import { t } from '../words/words.ts';
import { EmptyState } from './empty-state.tsx';
import { LoadFailure } from './load-failure.tsx';
import { type PaymentType, usePaymentTypes } from './use-payment-types.ts';

/** Passes the payment types to `children` once loaded; shows what to do when `due` must be paid and there are none. */
export function WithPaymentTypes({
  orderType,
  due,
  children,
}: {
  orderType: Schema['StaffOrder']['type'];
  /** Cents; null: loading. */
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
  const may = useCan('createPaymentType');
  return (
    <EmptyState
      title={t`No payment types`}
      action={
        may && (
          <Anchor component={Link} to="/settings/payment-types">
            {t`Open payment types`}
          </Anchor>
        )
      }
    >
      {may
        ? t`Add one under Settings, Payment types`
        : t`Ask a manager to add one under Settings, Payment types`}
      {orderType === 'delivery' && t`, and allow it for deliveries`}
      {t`. You cannot sell until then.`}
    </EmptyState>
  );
}
