/** What became of the payment of an order. */
export interface OrderPaid {
  readonly status: 'paid' | 'waiting' | 'none';
  /** With its fee, in cents. */
  readonly amount: number;
  readonly link: string | null;
}
export declare function orderPayer(settings: {
  readonly baseUrl: string;
  readonly publishableKey: string;
  readonly keys: { readonly consumerKey: string; readonly clientKey: string };
}): (
  orderId: string,
  proof: { readonly origin: string; readonly orderToken?: string; readonly customerToken?: string },
) => Promise<OrderPaid | null>;
