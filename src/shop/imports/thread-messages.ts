import type { ItemsAsked } from './menu-reader.ts';
import type { PresetName } from './preset-names.ts';
import type { SentMapping } from './sent-mapping.ts';

/** What a reading thread is asked; it answers each question once. */
export type Question =
  | { readonly ask: 'open'; readonly name: string; readonly content: Uint8Array }
  | { readonly ask: 'outline' | 'next' }
  | { readonly ask: 'guess'; readonly preset: PresetName | null }
  | { readonly ask: 'begin'; readonly mapping: SentMapping | null; readonly asked: ItemsAsked };

/** `close` has no answer: the thread forgets the file. */
export type Message = Question | 'close';

export type Answer =
  | { readonly value: unknown }
  | {
      readonly problem: {
        readonly isUnreadable: boolean;
        /** The stack overflowed, or a text became longer than one can be. */
        readonly isTooDeep: boolean;
        readonly name: string;
        readonly message: string;
        readonly stack: string;
      };
    };
