import { ScreenTabs } from '../../parts/screen-tabs.tsx';
import { t } from '../../words/words.ts';

const tabs = [
  { to: '/catalog', title: t`Products` },
  { to: '/catalog/categories', title: t`Categories` },
  { to: '/catalog/brands', title: t`Brands` },
  { to: '/catalog/tags', title: t`Tags` },
  { to: '/catalog/imports', title: t`Imports` },
  { to: '/catalog/photos', title: t`Pending photos` },
] as const;

/** Tabs of the catalog screens. */
export function CatalogTabs() {
  return <ScreenTabs label={t`Menu and catalog`} tabs={tabs} />;
}
