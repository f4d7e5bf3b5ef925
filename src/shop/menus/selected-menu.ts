import { failure } from '../../kernel/failure.ts';
import type { MenuItem, MenuItems } from './menu-items.ts';
import type { MenuVersions } from './menu-versions.ts';
import { itemsAfter, type MenuQuery, selectItems } from './select-items.ts';

/** What a request asks of a menu besides the products to select. */
interface SelectedMenuQuery extends MenuQuery {
  readonly limit?: number;
  /** The id of a product. */
  readonly startingAfter?: number;
  /** A version, or an entity tag. */
  readonly changedSince?: string;
}

/**
 * The part of a menu that a query asks for, as JSON; undefined: all of it. `menuName` names the menu in `versions`,
 * which have noted this menu last. Fails with INVALID_CURSOR and INVALID_PARAMS.
 */
export function selectedMenu(
  menu: MenuItems,
  { limit, startingAfter, changedSince, ...query }: SelectedMenuQuery,
  versions: MenuVersions,
  menuName: string,
): Buffer | undefined {
  if (changedSince !== undefined && (limit ?? startingAfter) !== undefined) {
    throw failure(
      'INVALID_PARAMS',
      'changedSince answers everything at once: leave out limit and startingAfter.',
    );
  }
  const isWhole = Object.values(query).every((value) => value === undefined);
  const changed =
    changedSince === undefined ? undefined : versions.changedSince(menuName, versionIn(changedSince));
  if (isWhole && changed === undefined && limit === undefined && startingAfter === undefined)
    return undefined;
  const selected = isWhole ? menu.items : selectItems(menu.items, query);
  const { categories, version } = menu;
  const meta = `"categories":${categories},"total":${selected.length},"version":"${version}"`;
  if (changed === undefined) {
    const rest =
      startingAfter === undefined
        ? selected
        : itemsAfter(selected, lastItem(menu, startingAfter), query.sort);
    return page(rest.slice(0, limit), meta);
  }
  const left = new Set(changed);
  for (const { id } of selected) left.delete(id);
  return page(
    selected.filter(({ id }) => changed.has(id)),
    `${meta},"changesOnly":true,"removedProductIds":[${[...left].join(',')}]`,
  );
}

/** The version in an entity tag: callers send the `ETag` of a menu as it came. */
function versionIn(sent: string): string {
  return /^(?:W\/)?"(.*)"$/.exec(sent)?.[1] ?? sent;
}

function lastItem({ items }: MenuItems, productId: number): MenuItem {
  const item = items.find(({ id }) => id === productId);
  if (item === undefined) {
    throw failure('INVALID_CURSOR', 'startingAfter must be the id of a product of this menu');
  }
  return item;
}

const comma = Buffer.from(',');

function page(items: readonly MenuItem[], meta: string): Buffer {
  const products = items.flatMap(({ bytes }, index) => (index === 0 ? [bytes] : [comma, bytes]));
  return Buffer.concat([Buffer.from('{"data":['), ...products, Buffer.from(`],"meta":{${meta}}}`)]);
}
