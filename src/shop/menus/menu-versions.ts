import { LRUCache } from 'lru-cache';
import type { MenuItem, MenuItems } from './menu-items.ts';

const menusMax = 1000;
/** A version that is further back is answered with the whole menu. */
const stepsMax = 200;

/** What differs between two versions that followed each other. */
interface Step {
  readonly from: string;
  readonly productIds: readonly number[];
}

interface History {
  readonly latest: MenuItems;
  /** Oldest first. */
  readonly steps: readonly Step[];
}

/**
 * Remembers which products differ between the versions of a menu that this process has sent, so that a caller who has
 * one of them gets only the difference (`changedSince`). A version that is not known here, for example of another
 * process, costs the caller a whole menu and nothing else.
 */
export class MenuVersions {
  readonly #histories = new LRUCache<string, History>({ max: menusMax });

  /** Takes note of the version that is about to be sent. */
  note(menuName: string, menu: MenuItems): void {
    const history = this.#histories.get(menuName);
    if (history === undefined) {
      this.#histories.set(menuName, { latest: menu, steps: [] });
      return;
    }
    const { latest, steps } = history;
    if (latest.version === menu.version) return;
    const step = { from: latest.version, productIds: differingProducts(latest, menu) };
    this.#histories.set(menuName, { latest: menu, steps: [...steps.slice(1 - stepsMax), step] });
  }

  /**
   * The ids of the products that differ between a version and the one that was noted last, also those that the menu no
   * longer shows. Undefined: the version is not known.
   */
  changedSince(menuName: string, version: string): ReadonlySet<number> | undefined {
    const history = this.#histories.get(menuName);
    if (history === undefined) return undefined;
    if (history.latest.version === version) return new Set();
    const at = history.steps.findLastIndex(({ from }) => from === version);
    return at < 0 ? undefined : new Set(history.steps.slice(at).flatMap(({ productIds }) => productIds));
  }
}

function differingProducts(before: MenuItems, after: MenuItems): number[] {
  const left = new Map<number, MenuItem>(before.items.map((item) => [item.id, item]));
  const differing: number[] = [];
  for (const item of after.items) {
    if (left.get(item.id)?.bytes.equals(item.bytes) !== true) differing.push(item.id);
    left.delete(item.id);
  }
  return [...differing, ...left.keys()];
}
