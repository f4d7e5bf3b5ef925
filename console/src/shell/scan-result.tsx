import { Alert, Button, Group, Modal, Skeleton, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { api, dataOf } from '../api.ts';
import { allPages } from '../parts/all-pages.ts';
import { askWithin } from '../parts/ask-within.ts';
import { customerName } from '../parts/customer-picker.tsx';
import { findGoods, lookUpDeadlineMs } from '../parts/find-goods.ts';
import { LicenseCard, obstacleOfLicense, type ScannedHolder } from '../parts/license-card.tsx';
import { holderOf } from '../parts/license-holder.ts';
import { LoadFailure } from '../parts/load-failure.tsx';
import { notifyDone, notifyError } from '../parts/toasts.tsx';
import { WhoseLicense } from '../parts/whose-license.tsx';
import { faultInWords, type Scan } from '../scanner/understand-scan.ts';
import { useCan } from '../session/session.tsx';
import { t } from '../words/words.ts';

/** What a scan stands for: an order or a product is opened, a license is shown with what can be done, an unknown code is offered. */
export function ScanResult({ scan, onClose }: { scan: Scan; onClose: () => void }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const found = useQuery({
    queryKey: ['scan', freshOf(scan)],
    queryFn: () => resultOf(scan, askWithin(queryClient, lookUpDeadlineMs)),
    // What a license says is not kept longer than it is shown; a second scan asks again.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const address = found.data && 'address' in found.data ? found.data.address : null;
  useEffect(() => {
    if (address === null) return;
    onClose();
    void navigate(address);
  }, [address, navigate, onClose]);
  if (address !== null) return null;
  return (
    <Modal opened onClose={onClose} title={titles[scan.kind]} size="lg">
      {found.isPending && <Skeleton height={96} />}
      {found.error && <LoadFailure error={found.error} onRetry={() => found.refetch()} />}
      {found.data && 'holder' in found.data && <Holder scanned={found.data} onClose={onClose} />}
      {found.data && 'problem' in found.data && (
        <Problem problem={found.data.problem} code={found.data.newCode} onClose={onClose} />
      )}
    </Modal>
  );
}

const titles: Readonly<Record<Scan['kind'], string>> = {
  product: t`Scanned code`,
  package: t`Scanned package`,
  order: t`Scanned order`,
  'offline-sale': t`Scanned order`,
  license: t`Driver's license`,
  'unreadable-license': t`Driver's license`,
  other: t`Scanned code`,
};

const scanNumbers = new WeakMap<Scan, number>();
let scanCount = 0;

/** A number for each scan: nothing of a license becomes a key of the cache. */
function freshOf(scan: Scan): number {
  const known = scanNumbers.get(scan);
  if (known !== undefined) return known;
  scanCount += 1;
  scanNumbers.set(scan, scanCount);
  return scanCount;
}

type Result =
  | ScannedHolder
  | { readonly address: string }
  | { readonly problem: string; readonly newCode: string | null };

async function resultOf(scan: Scan, ask: ReturnType<typeof askWithin>): Promise<Result> {
  switch (scan.kind) {
    case 'license':
      return holderOf(scan.license);
    case 'unreadable-license':
      return { problem: faultInWords(scan.fault), newCode: null };
    case 'order': {
      const query = { search: String(scan.number) };
      const orders = await dataOf(api.GET('/staff/v1/orders', { params: { query } }));
      const order = orders.find(({ number }) => number === scan.number);
      // At the till the receipt of a sale brings goods back.
      const isReturn =
        window.location.pathname.endsWith('/point-of-sale') && order?.allowedActions.includes('return');
      return order
        ? { address: isReturn ? `/point-of-sale?return=${order.id}` : `/orders/${order.id}` }
        : { problem: t`This shop has no order ${scan.number}.`, newCode: null };
    }
    case 'offline-sale':
      return orderOfOfflineSale(scan);
    case 'product':
    case 'package':
    case 'other': {
      const [option] = scan.kind === 'other' ? [] : await findGoods(ask, scan.code);
      if (option) return { address: `/catalog/products/${option.productId}` };
      const isWrong = scan.kind === 'product' && !scan.isSound;
      return {
        problem: isWrong
          ? t`Unknown code ${scan.code}: its check digit is wrong. Scan it again.`
          : t`Unknown code ${scan.code}: no item on the menu has it.`,
        newCode: scan.kind === 'product' && scan.isSound ? scan.code : null,
      };
    }
  }
}

/** The register's sales, the latest first: what is brought back was mostly sold lately. */
async function orderOfOfflineSale({
  registerId,
  saleNumber,
}: Extract<Scan, { readonly kind: 'offline-sale' }>): Promise<Result> {
  const isIt = ({ number }: { readonly number: string }) => number === saleNumber;
  const sales = await allPages(
    (startingAfter) =>
      dataOf(api.GET('/staff/v1/offline-sales', { params: { query: { registerId, startingAfter } } })),
    (page) => page.some(isIt),
  );
  const sale = sales.find(isIt);
  return sale
    ? { address: `/orders/${sale.orderId}` }
    : {
        problem: t`No order of the offline sale ${saleNumber} is here. Its register may not have sent it yet.`,
        newCode: null,
      };
}

function Problem({ problem, code, onClose }: { problem: string; code: string | null; onClose: () => void }) {
  const canCreate = useCan('staffCreateProduct');
  return (
    <>
      <Alert color="red" role="alert">
        {problem}
      </Alert>
      <Group justify="flex-end" mt="lg">
        {code !== null && canCreate && (
          <Button
            component={Link}
            to={`/catalog/products/new?upc=${code}`}
            variant="default"
            onClick={onClose}
          >
            {t`Create product`}
          </Button>
        )}
        <Button onClick={onClose} data-autofocus>
          {t`Close`}
        </Button>
      </Group>
    </>
  );
}

function Holder({ scanned: asked, onClose }: { scanned: ScannedHolder; onClose: () => void }) {
  const [scanned, setScanned] = useState(asked);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { customer } = scanned.holder;
  const isRefused = obstacleOfLicense(scanned) !== null;
  const canSell = useCan('staffPlaceOrder');
  useEffect(() => void queryClient.invalidateQueries({ queryKey: ['customers'] }), [queryClient]);
  const go = (address: string) => {
    onClose();
    void navigate(address);
  };
  const checkIn = async (customerId: number) => {
    try {
      const entry = await dataOf(api.POST('/staff/v1/instore-queues/intake', { body: { customerId } }));
      notifyDone(t`${customerName(entry)} is checked in.`);
      void queryClient.invalidateQueries({ queryKey: ['instore-queues'] });
      onClose();
    } catch (error) {
      notifyError(error);
    }
  };
  return (
    <>
      <LicenseCard scanned={scanned} />
      <WhoseLicense scanned={scanned} onKnown={setScanned} />
      <Group justify="flex-end" mt="lg">
        {customer === null ? (
          <Button onClick={onClose} data-autofocus>
            {t`Close`}
          </Button>
        ) : (
          <>
            <Button variant="default" onClick={() => go(`/customers/${customer.id}`)}>
              {t`Open profile`}
            </Button>
            <Button variant="default" disabled={isRefused} onClick={() => checkIn(customer.id)}>
              {t`Check in`}
            </Button>
            {canSell && (
              <Button
                disabled={isRefused}
                data-autofocus
                onClick={() => go(`/point-of-sale?customer=${customer.id}`)}
              >
                {t`Sell`}
              </Button>
            )}
          </>
        )}
      </Group>
      {customer === null && (
        <Text size="sm" c="dimmed" mt="xs">
          {t`A patient with a medical card may be younger: add the card to their profile first.`}
        </Text>
      )}
    </>
  );
}
