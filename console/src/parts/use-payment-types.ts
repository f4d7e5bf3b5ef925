import { useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../api.ts';

export type PaymentType = Schema['PaymentTypeSetting'];

/** The payment types that can be used, in the order of the settings; deliveries have fewer. */
export function usePaymentTypes(orderType: 'delivery' | 'pickup' | 'in-store'): readonly PaymentType[] {
  const types = useQuery({
    queryKey: ['payment-types'],
    queryFn: () => dataOf(api.GET('/staff/v1/payment-types')),
    staleTime: 60_000,
  });
  return (types.data ?? []).filter(
    ({ archivedAt, availableDelivery }) =>
      archivedAt === null && (orderType !== 'delivery' || availableDelivery),
  );
}
