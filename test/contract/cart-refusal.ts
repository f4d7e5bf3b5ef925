import type { ShopSettings, TestShop } from '../harness/test-shop.ts';
import type { Refusal, Stage } from './refusal.ts';

/** Fields of a body. */
export type Changes = Readonly<Record<string, unknown>>;

/** A refusal of a cart, for previews and orders. */
export interface CartRefusal extends Omit<Refusal, 'endpointId' | 'arrange'> {
  /** By default the home's; settings make a separate shop. */
  readonly shop?: ShopSettings;
  readonly type?: 'delivery' | 'pickup';
  readonly postalCode?: string;
  /** Changes a valid body, and prepares other facts. */
  change?(shop: TestShop, stage: Stage): Changes | Promise<Changes>;
}
