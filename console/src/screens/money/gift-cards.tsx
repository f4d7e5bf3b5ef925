import { Alert, Button, Group, Modal, Select, Stack, Table, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { dollars } from '../../parts/dollars.ts';
import { Money } from '../../parts/money.tsx';
import { MoneyInput } from '../../parts/money-input.tsx';
import { atOwnRegister } from '../../parts/own-register.ts';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { usePaymentTypes } from '../../parts/use-payment-types.ts';
import { useWrite } from '../../parts/use-write.ts';
import { useScans } from '../../scanner/use-scans.ts';
import { useCan } from '../../session/session.tsx';
import { t } from '../../words/words.ts';

type GiftCard = Schema['GiftCard'];
type Asked = 'sell' | 'load' | 'cash-out';

const entryInWords: Readonly<Record<Schema['GiftCardEntry']['kind'], string>> = {
  issued: t`Sold`,
  loaded: t`Loaded`,
  spent: t`Spent`,
  'given-back': t`Sale voided`,
  refunded: t`Refund`,
  'refund-voided': t`Refund taken back`,
  'cashed-out': t`Paid out in cash`,
};

/** Gift cards at the counter: sell one, scan one, load it, pay its rest out; and what is owed on all of them. */
export function Component() {
  const [card, setCard] = useState<GiftCard | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [code, setCode] = useState('');
  const [sold, setSold] = useState<string | null>(null);
  const find = useWrite({
    mutationFn: (wanted: string) => dataOf(api.POST('/staff/v1/gift-cards/find', { body: { code: wanted } })),
    onSuccess: setCard,
    onError: notifyError,
  });
  useScans((scanned) => {
    setCode(scanned);
    find.mutate(scanned);
  });
  return (
    <Page>
      <PageHeader
        title={t`Gift cards`}
        actions={<Button onClick={() => setAsked('sell')}>{t`Sell a gift card`}</Button>}
      >
        {t`Prepaid value that does not expire.`}
      </PageHeader>
      {sold !== null && (
        <Alert title={t`The code of the new card`} withCloseButton onClose={() => setSold(null)}>
          <Text ff="monospace" fz="xl">
            {sold}
          </Text>
          {t`It is shown only once: print it or write it on the card.`}
        </Alert>
      )}
      <SectionCard title={t`Find a card`}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            find.mutate(code);
          }}
        >
          <Group align="end">
            <TextInput
              flex={1}
              label={t`Code of the gift card`}
              description={t`Scan it or type it`}
              autoComplete="off"
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
            <Button type="submit" loading={find.isPending} disabled={code.trim() === ''}>
              {t`Find`}
            </Button>
          </Group>
        </form>
      </SectionCard>
      {card !== null && <CardFound card={card} onAsk={setAsked} />}
      <Owed />
      {asked !== null && (
        <CardDialog
          asked={asked}
          card={card}
          onClose={() => setAsked(null)}
          onDone={(after, newCode) => {
            setCard(after);
            setSold(newCode);
          }}
        />
      )}
    </Page>
  );
}

function CardFound({ card, onAsk }: { card: GiftCard; onAsk: (asked: Asked) => void }) {
  const mayPayOut = useCan('cashOutGiftCard');
  const entries = useQuery({
    queryKey: ['gift-cards', card.id, card.updatedAt],
    queryFn: () =>
      dataOf(
        api.GET('/staff/v1/gift-cards/{giftCardId}/entries', { params: { path: { giftCardId: card.id } } }),
      ),
  });
  return (
    <SectionCard title={t`Card ending in ${card.lastFour}`}>
      <Stack>
        <Text fz={28} fw={650} className="numbers">
          <Money cents={card.balance} />
        </Text>
        <Group>
          <Button variant="default" onClick={() => onAsk('load')}>
            {t`Load`}
          </Button>
          {mayPayOut && card.balance > 0 && (
            <Button variant="default" onClick={() => onAsk('cash-out')}>
              {t`Pay out in cash`}
            </Button>
          )}
        </Group>
        <Table aria-label={t`Card activity`}>
          <Table.Tbody>
            {entries.data?.map(({ id, kind, amount, createdAt }) => (
              <Table.Tr key={id}>
                <Table.Td>{entryInWords[kind]}</Table.Td>
                <Table.Td>
                  <ShopTime at={createdAt} />
                </Table.Td>
                <Table.Td ta="end">
                  <Money cents={amount} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Stack>
    </SectionCard>
  );
}

/** What the shop owes to holders of cards, and as store credit. */
function Owed() {
  const may = useCan('reportGiftCards');
  const { data } = useQuery({
    queryKey: ['gift-cards', 'owed'],
    queryFn: () => dataOf(api.GET('/staff/v1/reports/gift-cards')),
    enabled: may,
  });
  if (!data) return null;
  const rows = [
    [t`Owed before today`, data.owedBefore],
    [t`Sold and loaded`, data.issued + data.loaded],
    [t`Spent`, data.spent + data.givenBack],
    [t`Refunds`, data.refunded + data.refundVoided],
    [t`Paid out in cash`, data.cashedOut],
    [t`Owed now`, data.owed],
    [t`Store credit`, data.storeCredit],
  ] as const;
  return (
    <SectionCard title={t`What the shop owes`} hint={t`Value on cards is money the shop owes, not income.`}>
      <Table aria-label={t`What the shop owes`}>
        <Table.Tbody>
          {rows.map(([label, cents]) => (
            <Table.Tr key={label}>
              <Table.Th>{label}</Table.Th>
              <Table.Td ta="end">
                <Money cents={cents} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </SectionCard>
  );
}

const titles: Readonly<Record<Asked, string>> = {
  sell: t`Sell a gift card`,
  load: t`Load the card`,
  'cash-out': t`Pay out in cash`,
};

function CardDialog({
  asked,
  card,
  onClose,
  onDone,
}: {
  asked: Asked;
  card: GiftCard | null;
  onClose: () => void;
  onDone: (card: GiftCard, code: string | null) => void;
}) {
  const queryClient = useQueryClient();
  const { types, error: typesError } = usePaymentTypes('in-store');
  const usable = (types ?? []).filter(
    ({ method, takesGiftCards }) =>
      !takesGiftCards && method !== 'processor' && (asked !== 'cash-out' || method === 'cash'),
  );
  const [typeId, setTypeId] = useState<string | null>(null);
  const [amount, setAmount] = useState<number | null>(null);
  const [code, setCode] = useState('');
  const { registerId } = atOwnRegister();
  const paymentTypeId = Number(typeId ?? usable[0]?.id);
  const send = async () => {
    const place = { paymentTypeId, registerId: registerId! };
    const paid = { ...place, amount: amount ?? 0 };
    const path = { giftCardId: card?.id ?? 0 };
    if (asked === 'sell') {
      const body = { ...paid, ...(code.trim() !== '' && { code: code.trim() }) };
      const made = await dataOf(api.POST('/staff/v1/gift-cards', { body }));
      onDone(made, code.trim() === '' ? made.code : null);
    } else if (asked === 'load') {
      const params = { path };
      onDone(await dataOf(api.POST('/staff/v1/gift-cards/{giftCardId}/load', { params, body: paid })), null);
    } else {
      const params = { path };
      const body = place;
      onDone(await dataOf(api.POST('/staff/v1/gift-cards/{giftCardId}/cash-out', { params, body })), null);
    }
    void queryClient.invalidateQueries({ queryKey: ['gift-cards'] });
    notifyDone(t`The gift card is updated.`);
  };
  return (
    <Modal opened onClose={onClose} title={titles[asked]}>
      <ServerForm
        submit={titles[asked]}
        onSubmit={send}
        onDone={onClose}
        onCancel={onClose}
        isReady={registerId !== undefined && usable.length > 0 && (asked === 'cash-out' || (amount ?? 0) > 0)}
      >
        {registerId === undefined && (
          <Text size="sm">{t`Choose this device's register first: the money goes into its drawer.`}</Text>
        )}
        {asked === 'sell' && (
          <Field path="code">
            {(error) => (
              <TextInput
                label={t`Code of a printed card`}
                description={t`Leave empty to make a new code`}
                autoComplete="off"
                error={error}
                value={code}
                onChange={(event) => setCode(event.currentTarget.value)}
              />
            )}
          </Field>
        )}
        {asked === 'cash-out' ? (
          <Text>{t`The drawer pays ${dollars(card?.balance ?? 0)}.`}</Text>
        ) : (
          <Field path="amount">
            {(error) => <MoneyInput label={t`Amount`} error={error} cents={amount} onChange={setAmount} />}
          </Field>
        )}
        <Field path="paymentTypeId">
          {(error) => (
            <Select
              label={t`Paid with`}
              error={error}
              allowDeselect={false}
              data={choicesOr(
                usable.map(({ id, name }) => ({ value: String(id), label: name })),
                { data: types, error: typesError },
                createHints.paymentTypes,
              )}
              value={typeId ?? (usable[0] ? String(usable[0].id) : null)}
              onChange={setTypeId}
            />
          )}
        </Field>
      </ServerForm>
    </Modal>
  );
}
