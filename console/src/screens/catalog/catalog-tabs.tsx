import { ScreenTabs } from '../../parts/screen-tabs.tsx';

const tabs = [
  { to: '/catalog', title: 'Products' },
  { to: '/catalog/categories', title: 'Categories' },
  { to: '/catalog/brands', title: 'Brands' },
  { to: '/catalog/tags', title: 'Tags' },
  { to: '/catalog/imports', title: 'Imports' },
  { to: '/catalog/photos', title: 'Pending photos' },
] as const;

/** Tabs of the catalog screens. */
export function CatalogTabs() {
  return <ScreenTabs label="Menu and catalog" tabs={tabs} />;
}
