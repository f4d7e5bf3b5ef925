import type { SentMapping, SentRule } from './sent-mapping.ts';

/**
 * The exports of the tills of the trade, as data: by which headings one is known, and what its columns mean. Headings are found by
 * name, never by position: people hide and move columns before they export. A mapping file says otherwise where a shop's export differs.
 */
export interface ExportProfile {
  readonly name: string;
  readonly kind:
    | 'products'
    | 'customers'
    | 'sales'
    | 'packages'
    | 'vendors'
    | 'discounts'
    | 'closings'
    | 'state';
  /** All of them are among the headings of such a file, and of no other kind of file. */
  readonly knownBy: readonly string[];
  readonly columns: Readonly<Record<string, string | readonly SentRule[]>>;
  readonly leaveOut?: SentMapping['leaveOut'];
}

export const rule = (field: string, convert: string): readonly SentRule[] => [{ field, convert }];

/** An amount of an old sale. */
export const cents = (field: string) => rule(field, 'old-dollars-to-cents');
