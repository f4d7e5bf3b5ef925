type Menu = { readonly shop: object; readonly products: readonly object[] };
export const productFeeds: Readonly<
  Record<string, { readonly type: string; readonly write: (menu: Menu, origin: string) => string }>
>;
export function searchEngineFeed(menu: Menu, origin: string): string;
export function catalogFeed(menu: Menu, origin: string): string;
export function marketplaceFeed(menu: Menu, origin: string): string;
