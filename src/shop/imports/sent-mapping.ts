import type { PresetName } from './preset-names.ts';

/** A rule as a mapping file has it. */
export interface SentRule {
  readonly field: string;
  readonly convert?: string;
  readonly values?: Readonly<Record<string, string>>;
  readonly otherwise?: string;
  readonly keepOthers?: true;
  readonly blank?: string;
}

/** A mapping as its file has it. */
export interface SentMapping {
  readonly preset: PresetName;
  readonly columns: Readonly<Record<string, string | readonly SentRule[]>>;
  readonly constants?: Readonly<Record<string, string>>;
  readonly leaveOut?: readonly {
    readonly column: string;
    readonly when?: readonly string[];
    readonly unless?: readonly string[];
  }[];
}
