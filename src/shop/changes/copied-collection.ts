import type { TSchema } from 'typebox';
import type { BoundStatement } from '../../platform/statements/statement.ts';
import type { ShownResource } from './shown-resources.ts';

/** A collection that can be copied whole, and how the slice that owns it lists its ids. */
export interface CopiedCollection {
  /** As the address names it. */
  readonly collection: string;
  /** The id of the operation. */
  readonly id: string;
  /** How its records are shown: also its permission. */
  readonly resource: ShownResource;
  /** The operation with the same records in the same shape. */
  readonly list: string;
  readonly schema: TSchema;
  readonly example: unknown;
  /** Orders have UUIDs, everything else numbers. */
  readonly ids: 'uuid' | 'number';
  /** Ids in ascending order. `after` is null for the first page. */
  select(after: string | null, limit: number): BoundStatement<{ readonly id: string | number }>;
  /** The same of what an integrator placed, where the resource has it. */
  selectOwn?(
    integratorId: number,
    after: string | null,
    limit: number,
  ): BoundStatement<{ readonly id: string | number }>;
}
