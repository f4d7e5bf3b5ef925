import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { useSession } from './session/session.tsx';
import { roleHas } from './session/staff-role.ts';
import { ConsoleShell } from './shell/console-shell.tsx';
import { firstStepsQuery } from './shell/first-steps-query.ts';
import { NoSuchScreen, ScreenFault } from './shell/screen-fault.tsx';
import { getStarted, sections } from './shell/sections.ts';

/** Opens the first section that the role can see; for the owner of a shop that cannot sell yet, the list of what it lacks. */
function FirstScreen() {
  const { role } = useSession().staff;
  const steps = useQuery({ ...firstStepsQuery, enabled: roleHas(role, getStarted.right) });
  if (steps.isLoading) return <Skeleton m="xl" height={32} width={240} />;
  if (steps.data && !steps.data.canSell && !steps.data.hidden) {
    return <Navigate to={getStarted.path} replace />;
  }
  const first = sections.find((it) => it !== getStarted && roleHas(role, it.right));
  return <Navigate to={first?.path ?? '/orders'} replace />;
}

type ScreenModule = { readonly Component: () => React.ReactNode };

/** A screen, loaded when first opened. Its file exports `Component`. */
function screen(path: string, lazy: () => Promise<ScreenModule>, children?: RouteObject[]): RouteObject {
  return { path, lazy, errorElement: <ScreenFault />, ...(children && { children }) };
}

/** All screens of the console; `shell/sections.ts` links to them. */
const screens: RouteObject[] = [
  screen('get-started', () => import('./screens/get-started/get-started.tsx')),
  screen('today', () => import('./screens/today/today.tsx')),
  screen('orders', () => import('./screens/orders/orders-list.tsx')),
  screen('orders/:orderId', () => import('./screens/orders/order-detail.tsx')),
  screen('point-of-sale', () => import('./screens/point-of-sale/point-of-sale.tsx')),
  screen('point-of-sale/limits', () => import('./screens/point-of-sale/limits-left.tsx')),
  screen('attention', () => import('./screens/today/attention-inbox.tsx')),
  screen('my-trip', () => import('./screens/my-trip/my-trip.tsx')),
  screen('queue', () => import('./screens/queue/queue-board.tsx')),
  screen('catalog', () => import('./screens/catalog/product-list.tsx')),
  screen('catalog/products/new', () => import('./screens/catalog/new-product.tsx')),
  screen('catalog/products/:productId', () => import('./screens/catalog/product-detail.tsx')),
  screen('catalog/categories', () => import('./screens/catalog/category-list.tsx')),
  screen('catalog/brands', () => import('./screens/catalog/brand-list.tsx')),
  screen('catalog/tags', () => import('./screens/catalog/tag-list.tsx')),
  screen('catalog/imports', () => import('./screens/catalog/menu-import-list.tsx')),
  screen('catalog/photos', () => import('./screens/catalog/photo-jobs.tsx')),
  screen('inventory', () => import('./screens/inventory/stock-levels.tsx')),
  screen('inventory/ledger', () => import('./screens/inventory/stock-ledger.tsx')),
  screen('inventory/count', () => import('./screens/inventory/stock-count.tsx')),
  screen('inventory/packages', () => import('./screens/inventory/package-list.tsx')),
  screen('inventory/packages/:packageId', () => import('./screens/inventory/package-detail.tsx')),
  screen('inventory/transfers', () => import('./screens/inventory/transfer-import.tsx')),
  screen('inventory/locations', () => import('./screens/inventory/location-list.tsx')),
  screen('purchasing', () => import('./screens/purchasing/purchase-order-list.tsx')),
  screen('purchasing/new', () => import('./screens/purchasing/new-purchase-order.tsx')),
  screen('purchasing/low-stock', () => import('./screens/purchasing/order-low.tsx')),
  screen('purchasing/vendors', () => import('./screens/purchasing/vendor-list.tsx')),
  screen('purchasing/:purchaseOrderId', () => import('./screens/purchasing/purchase-order-detail.tsx')),
  screen('purchasing/:purchaseOrderId/edit', () => import('./screens/purchasing/edit-purchase-order.tsx')),
  screen('purchasing/:purchaseOrderId/receive', () => import('./screens/purchasing/receive-goods.tsx')),
  screen('customers', () => import('./screens/customers/customer-list.tsx')),
  screen('customers/duplicates', () => import('./screens/customers/customer-duplicates.tsx')),
  screen('customers/:customerId', () => import('./screens/customers/customer-detail.tsx')),
  screen('marketing', () => import('./screens/marketing/discount-list.tsx')),
  screen('marketing/discounts/:discountId', () => import('./screens/marketing/discount-editor.tsx')),
  screen('marketing/loyalty', () => import('./screens/marketing/loyalty-settings.tsx')),
  screen('marketing/groups', () => import('./screens/marketing/customer-group-list.tsx')),
  screen('reports', () => import('./screens/reports/sales-report.tsx')),
  screen('reports/margins', () => import('./screens/reports/part-report.tsx')),
  screen('reports/mails', () => import('./screens/reports/report-mail-list.tsx')),
  screen('reports/taxes', () => import('./screens/reports/tax-report.tsx')),
  screen('reports/inventory-value', () => import('./screens/reports/inventory-value-report.tsx')),
  screen('reports/drawers', () => import('./screens/registers/drawer-list.tsx')),
  screen('reports/money', () => import('./screens/money/payment-tasks.tsx')),
  screen('dispatch', () => import('./screens/dispatch/dispatch-board.tsx')),
  screen('gift-cards', () => import('./screens/money/gift-cards.tsx')),
  screen('integrations', () => import('./screens/integrations/integrator-health.tsx')),
  screen('integrations/keys', () => import('./screens/integrations/client-key-list.tsx')),
  screen('integrations/webhooks', () => import('./screens/integrations/webhook-list.tsx')),
  screen(
    'integrations/webhooks/:webhookEndpointId',
    () => import('./screens/integrations/webhook-detail.tsx'),
  ),
  screen('integrations/requests', () => import('./screens/integrations/request-log.tsx')),
  screen('account', () => import('./screens/account/your-sign-in.tsx')),
  screen('settings', () => import('./screens/settings/settings-frame.tsx'), [
    { index: true, element: <Navigate to="organization" replace /> },
    screen('organization', () => import('./screens/settings/organization-profile.tsx')),
    screen('web-shop', () => import('./screens/settings/shop-profile.tsx')),
    screen('taxes', () => import('./screens/settings/taxes.tsx')),
    screen('delivery-zones', () => import('./screens/settings/delivery-zones.tsx')),
    screen('time-slots', () => import('./screens/settings/time-slots.tsx')),
    screen('closed-days', () => import('./screens/settings/closed-days.tsx')),
    screen('payment-types', () => import('./screens/settings/payment-types.tsx')),
    screen('payment-connections', () => import('./screens/settings/payment-connections.tsx')),
    screen('registers', () => import('./screens/registers/register-list.tsx')),
    screen('vehicles', () => import('./screens/dispatch/vehicle-list.tsx')),
    screen('drivers', () => import('./screens/dispatch/driver-list.tsx')),
    screen('offline-sales', () => import('./screens/registers/offline-settings.tsx')),
    screen('purchase-limits', () => import('./screens/settings/purchase-limits.tsx')),
    screen('what-applies', () => import('./screens/settings/applying-rules.tsx')),
    screen('move', () => import('./screens/settings/move.tsx')),
    screen('readiness', () => import('./screens/settings/readiness.tsx')),
    screen('state-reports', () => import('./screens/settings/state-reports.tsx')),
    screen('state-law', () => import('./screens/settings/state-law.tsx')),
    screen('staff', () => import('./screens/settings/staff-members.tsx')),
    screen('sign-in', () => import('./screens/settings/sign-in-rules.tsx')),
    screen('mail', () => import('./screens/settings/mailbox.tsx')),
    screen('audit-log', () => import('./screens/settings/audit-log.tsx')),
  ]),
];

export const router = createBrowserRouter(
  [
    {
      element: <ConsoleShell />,
      errorElement: <ScreenFault />,
      hydrateFallbackElement: <div />,
      children: [
        { index: true, element: <FirstScreen /> },
        ...screens,
        { path: '*', element: <NoSuchScreen /> },
      ],
    },
    {
      ...screen('print/orders/:orderId/:paper', () => import('./screens/orders/order-print.tsx')),
      hydrateFallbackElement: <div />,
    },
    {
      ...screen('print/products/:productId', () => import('./screens/catalog/shelf-labels.tsx')),
      hydrateFallbackElement: <div />,
    },
    {
      ...screen('print/packages/:packageId', () => import('./screens/inventory/package-print.tsx')),
      hydrateFallbackElement: <div />,
    },
    {
      ...screen('customer-display', () => import('./screens/point-of-sale/customer-display.tsx')),
      hydrateFallbackElement: <div />,
    },
    {
      ...screen('print/manifest', () => import('./screens/dispatch/manifest-print.tsx')),
      hydrateFallbackElement: <div />,
    },
    {
      ...screen('print/drawer', () => import('./screens/registers/drawer-print.tsx')),
      hydrateFallbackElement: <div />,
    },
  ],
  { basename: '/console' },
);
