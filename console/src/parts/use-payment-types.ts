import { useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../api.ts';

export type PaymentType = Schema['PaymentTypeSetting'];

/** As asked for: none that can be used is an answer too. */
export interface PaymentTypes {
  /** Undefined: they are not there yet. */
  readonly types: readonly PaymentType[] | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** The payment types that can be used, in the order of the settings; deliveries have fewer. */
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
