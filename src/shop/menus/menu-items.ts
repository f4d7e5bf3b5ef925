import { createHash } from 'node:crypto';
import { plainText } from '../../kernel/plain-text.ts';

/** The products of one menu in its order, each as the menu's JSON shows it. */
export interface MenuItems {
  /** Made of everything that the menu shows: equal menus have the same version, in every process. */
  readonly version: string;
  /** The categories of the organization, as JSON. */
  readonly categories: string;
  readonly items: readonly MenuItem[];
}

/** A product of a menu, with the facts that queries ask for (D68). */
export interface MenuItem {
  readonly id: number;
  /** The product as JSON: a part of the menu's bytes. */
  readonly bytes: Buffer;
  readonly name: string;
  readonly createdAtMs: number;
  readonly category: NamedThing;
  /** Null: without a brand. */
  readonly brand: NamedThing | null;
  readonly strainType: string;
  readonly tags: readonly NamedThing[];
  /** What one unit of each option costs, in cents. */
  readonly prices: readonly number[];
  readonly isOnSale: boolean;
  readonly inStock: boolean;
  /** See `searchTextOf`. */
  readonly searchText: string;
}

export interface NamedThing {
  readonly id: number;
  readonly name: string;
}

/** A short digest of contents. */
export function versionOf(contents: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content).update('\0');
  return hash.digest('base64url').slice(0, 27);
}

/** Texts as searches compare them: in lower case, without accents. */
export function searchTextOf(texts: readonly string[]): string {
  return texts.map(plainText).join('\n');
}
