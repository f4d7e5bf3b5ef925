import { useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../api.ts';

export type PaymentType = Schema['PaymentTypeSetting'];

/** The usable types; an empty list is a valid result. */
export interface PaymentTypes {
  /** Undefined: not loaded yet. */
  readonly types: readonly PaymentType[] | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** The usable payment types in the order of the settings; deliveries allow fewer. */
export function usePaymentTypes(orderType: Schema['StaffOrder']['type']): PaymentTypes {
  const types = useQuery({
    queryKey: ['payment-types'],
    queryFn: () => dataOf(api.GET('/staff/v1/payment-types')),
    staleTime: 60_000,
  });
  return {
    types: types.data?.filter(
      ({ archivedAt, availableDelivery }) =>
        archivedAt === null && (orderType !== 'delivery' || availableDelivery),
    ),
    error: types.data === undefined ? types.error : null,
    retry: () => void types.refetch(),
  };
}
