import { api, dataOf } from '../../api.ts';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { t } from '../../words/words.ts';

/** Mails the receipt of an order to its customer; again, if it was mailed before. */
export function useMailReceipt(orderId: string, onDone?: () => void) {
  return useWrite({
    mutationFn: () =>
      dataOf(api.POST('/staff/v1/orders/{orderId}/send-receipt', { params: { path: { orderId } } })),
    onSuccess: ({ recipient }) => {
      notifyDone(t`The receipt goes to ${recipient}.`);
      onDone?.();
    },
    onError: notifyError,
  });
}
