import { ActionIcon, Alert, Badge, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiFailure, api, dataOf, type Schema } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { useOwnRegister } from '../../parts/own-register.ts';
import { useDialogFocus } from '../../parts/server-form.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { notifyDone, notifyError, notifyRefusal } from '../../parts/toasts.tsx';
import { useLive } from '../../parts/use-live.ts';
import { useWrite } from '../../parts/use-write.ts';
import { useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { customerQuery } from '../customers/customer-query.ts';
import { registersQuery } from '../registers/registers-query.ts';
import { type Cart, emptyCart } from './cart.ts';
import { parkedCartsQuery } from './parked-carts-query.ts';
import { cartOf, readSaved, savedText } from './saved-sale.ts';
import type { Sale } from './saved-sale-gate.tsx';

type Parked = Schema['ParkedCart'];

/** Parks the cart under a name, and takes up one that this or another register of the location has parked. */
export function ParkedCarts({ saved, onClose }: { saved: Sale; onClose: () => void }) {
  const { cart, sale } = saved;
  const carts = useQuery(parkedCartsQuery);
  const locationId = useOwnLocation();
  useLive(['parked-carts']);
  const here = (carts.data ?? []).filter(({ inventoryLocationId }) => inventoryLocationId === locationId);
  const isSelling = sale !== null && (sale.isSent || sale.placed !== null);
  return (
    <Modal opened onClose={onClose} title={t`Sales on hold`} size="lg">
      <Stack>
        {isSelling && (
          <Alert color="yellow">{t`The sale of this cart has begun. Finish or discard it first.`}</Alert>
        )}
        {cart.lines.length > 0 && !isSelling && locationId !== null && (
          <ParkForm saved={saved} locationId={locationId} onParked={onClose} />
        )}
        {carts.error && <LoadFailure error={carts.error} onRetry={() => carts.refetch()} />}
        {carts.data && here.length === 0 && (
          <Text c="dimmed">{t`No sale is on hold here. Sales stay on hold for a day.`}</Text>
        )}
        {here.length > 0 && (
          <ul aria-label={t`Sales on hold`} style={{ listStyle: 'none', margin: 0, padding: 0 }}>
            {here.map((parked) => (
              <ParkedRow
                key={parked.id}
                parked={parked}
                saved={saved}
                locationId={locationId}
                isDisabled={isSelling}
                onTaken={onClose}
              />
            ))}
          </ul>
        )}
      </Stack>
    </Modal>
  );
}

/** The location of this device's register, else where the shop sells in store; null: not known yet. */
function useOwnLocation(): number | null {
  const { organization } = useSession();
  const [ownId] = useOwnRegister(organization.id);
  const registers = useQuery(registersQuery);
  const settings = useQuery({
    queryKey: ['organization'],
    queryFn: () => dataOf(api.GET('/staff/v1/organization')),
    staleTime: 60_000,
  });
  const own = registers.data?.find(({ id }) => id === ownId);
  if (ownId !== null && registers.data === undefined) return null;
  return own?.inventoryLocationId ?? settings.data?.locationsByOrderType['in-store'][0] ?? null;
}

/** Sends the cart, without personal data: of its customer only the id. */
async function park(cart: Cart, inventoryLocationId: number, name: string): Promise<number> {
  const itemCount = cart.lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const body = { inventoryLocationId, name, itemCount, content: savedText(cart, null) };
  return (await dataOf(api.POST('/staff/v1/parked-carts', { body }))).id;
}

function ParkForm({
  saved,
  locationId,
  onParked,
}: {
  saved: Sale;
  locationId: number;
  onParked: () => void;
}) {
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const form = useRef<HTMLFormElement>(null);
  // The place of the shop may be known later than the dialog is open.
  useDialogFocus(form);
  const parking = useWrite({
    mutationFn: () => park(saved.cart, locationId, name.trim()),
    onSuccess: (parkedCartId) => {
      const readAgain = () => void queryClient.invalidateQueries({ queryKey: ['parked-carts'] });
      const { cart } = saved;
      const takeBack = async () => {
        if (saved.current().cart.lines.length > 0) {
          return notifyRefusal(t`Finish the sale that was begun since, or hold it.`, t`Still on hold`);
        }
        const params = { path: { parkedCartId } };
        await dataOf(api.POST('/staff/v1/parked-carts/{parkedCartId}/take-up', { params }));
        saved.replace(cart);
        readAgain();
      };
      readAgain();
      saved.replace(emptyCart);
      notifyDone(t`The sale is on hold as “${name.trim()}”.`, () => void takeBack().catch(notifyError));
      onParked();
    },
    onError: notifyError,
  });
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') parking.mutate();
      }}
    >
      <Group align="flex-end" wrap="nowrap">
        <TextInput
          label={t`Hold the sale as`}
          placeholder={t`Green scarf`}
          data-autofocus
          maxLength={100}
          style={{ flex: 1 }}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" disabled={name.trim() === ''} loading={parking.isPending}>
          {t`Hold`}
        </Button>
      </Group>
    </form>
  );
}

function ParkedRow({
  parked,
  saved,
  locationId,
  isDisabled,
  onTaken,
}: {
  parked: Parked;
  saved: Sale;
  locationId: number | null;
  isDisabled: boolean;
  onTaken: () => void;
}) {
  const queryClient = useQueryClient();
  const params = { path: { parkedCartId: parked.id } };
  const readAgain = () => void queryClient.invalidateQueries({ queryKey: ['parked-carts'] });
  const taking = useWrite({
    mutationFn: async () => {
      const { cart } = saved;
      if (cart.lines.length > 0 && locationId !== null) {
        // It is in one place at every moment: parked, if the other one cannot be had.
        await park(cart, locationId, t`Set aside for ${parked.name}`.slice(0, 100));
        saved.replace(emptyCart);
      }
      const { content } = await dataOf(api.POST('/staff/v1/parked-carts/{parkedCartId}/take-up', { params }));
      const kept = readSaved(content);
      if (kept === null) throw new Error('The cart was parked by another version of the console.');
      saved.replace(cartOf(kept.cart, null));
      return kept.cart.customerId;
    },
    onSuccess: async (customerId) => {
      readAgain();
      onTaken();
      if (customerId === null) return;
      const customer = await queryClient.fetchQuery(customerQuery(customerId)).catch(() => null);
      if (customer !== null && customer.erasedAt === null) saved.change({ type: 'customer', customer });
      else notifyRefusal(t`Choose the customer again.`, t`The customer of the cart no longer exists`);
    },
    onError: (error) => {
      readAgain();
      if (error instanceof ApiFailure && error.code === 'PARKED_CART_NOT_FOUND') {
        notifyRefusal(t`Another register resumed it, or it has expired.`, t`“${parked.name}” is gone`);
      } else notifyError(error);
    },
  });
  const discarding = useWrite({
    mutationFn: async () => {
      await api.DELETE('/staff/v1/parked-carts/{parkedCartId}', { params });
    },
    onSuccess: readAgain,
    onError: notifyError,
  });
  const { firstName, lastName } = parked.parkedBy;
  return (
    <li style={{ borderBottom: '1px solid var(--shell-hairline)', padding: '8px 0' }}>
      <Group justify="space-between" wrap="nowrap">
        <div style={{ minWidth: 0 }}>
          <Group gap="xs" wrap="nowrap">
            <Text fw={600} truncate>
              {parked.name}
            </Text>
            <Badge variant="light">{parked.itemCount}</Badge>
          </Group>
          <Text size="xs" c="dimmed">
            {firstName} {lastName}, <ShopTime at={parked.parkedAt} />
          </Text>
        </div>
        <Group gap="xs" wrap="nowrap">
          <Button
            variant="default"
            aria-label={t`Resume ${parked.name}`}
            disabled={isDisabled}
            loading={taking.isPending}
            onClick={() => taking.mutate()}
          >
            {t`Resume`}
          </Button>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={44}
            aria-label={t`Discard ${parked.name}`}
            onClick={() => discarding.mutate()}
          >
            <IconTrash size={18} />
          </ActionIcon>
        </Group>
      </Group>
    </li>
  );
}
