import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { api, dataOf } from '../../api.ts';
import { notifyLoadError } from '../../parts/toasts.tsx';
import type { Customer } from './cart.ts';
import type { Sale } from './saved-sale-gate.tsx';

/** `?customer=5001`: a customer called from the queue becomes the cart's customer; `onCalled` is called with them. */
function useCustomerOfAddress(onCalled: (customer: Customer) => void): void {
  const [parameters, setParameters] = useSearchParams();
  const customerId = Number(parameters.get('customer'));
  const called = useRef(onCalled);
  useEffect(() => {
    called.current = onCalled;
  });
  useEffect(() => {
    if (!customerId) return;
    dataOf(api.GET('/staff/v1/customers/{customerId}', { params: { path: { customerId } } }))
      .then((customer) => called.current(customer))
      .catch(notifyLoadError)
      .finally(() => setParameters({}, { replace: true }));
  }, [customerId, setParameters]);
}

/**
 * The customer called from the queue, or by their license, while the cart holds items of another customer; `call` takes the next
 * one.
 */
export function useCalledCustomer({ current, change }: Pick<Sale, 'current' | 'change'>) {
  const [called, setCalled] = useState<Customer | null>(null);
  const call = (customer: Customer) => {
    const { cart } = current();
    // Items of another customer pass on only after a question.
    if (cart.lines.length > 0 && cart.customer?.id !== customer.id) setCalled(customer);
    else change({ type: 'customer', customer });
  };
  useCustomerOfAddress(call);
  // Items that were scanned before the license are the walk-in's own.
  const identify = (customer: Customer) => {
    if (current().cart.customer === null) change({ type: 'customer', customer });
    else call(customer);
  };
  return { called, identify, close: () => setCalled(null) };
}
