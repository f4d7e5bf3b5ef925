import { useQuery } from '@tanstack/react-query';
import { cashRoundingIn } from '../../../src/engines/offline-pricing/cash-rounding-rules.ts';
import { api, dataOf, type Schema } from '../api.ts';

export type PaymentType = Schema['PaymentTypeSetting'];

/** The usable types; an empty list is a valid result. */
export interface PaymentTypes {
  /** Undefined: not loaded yet. */
  readonly types: readonly PaymentType[] | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** The usable payment types in the order of the settings; deliveries allow fewer. How cash is rounded is what holds here. */
export function usePaymentTypes(orderType: Schema['StaffOrder']['type']): PaymentTypes {
  const types = useQuery({
    queryKey: ['payment-types'],
    queryFn: () => dataOf(api.GET('/staff/v1/payment-types')),
    staleTime: 60_000,
  });
  const shop = useQuery({
    queryKey: ['organization'],
    queryFn: () => dataOf(api.GET('/staff/v1/organization')),
    staleTime: 60_000,
  });
  const { state = '' } = shop.data ?? {};
  return {
    types: types.data
      ?.filter(
        ({ archivedAt, availableDelivery }) =>
          archivedAt === null && (orderType !== 'delivery' || availableDelivery),
      )
      .map((type) =>
        type.method === 'cash' ? { ...type, cashRounding: cashRoundingIn(state, type.cashRounding) } : type,
      ),
    error: types.data === undefined ? types.error : null,
    retry: () => void types.refetch(),
  };
}
