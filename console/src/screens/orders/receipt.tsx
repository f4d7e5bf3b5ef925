import { useQueries, useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api.ts';
import { Money } from '../../parts/money.tsx';
import { phoneInWords } from '../../parts/phone-in-words.ts';
import { PriceTotals } from '../../parts/price-totals.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { sentence } from '../../parts/status-badge.tsx';
import { potencyInWords } from '../../printing/label-words.ts';
import { orderCodeOf } from '../../scanner/understand-scan.ts';
import { QrCode } from '../../session/qr-code.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { productQuery } from '../catalog/product-words.ts';
import { OrderBarcode } from './order-barcode.tsx';
import { intentsQuery } from './order-intents.tsx';
import classes from './order-print.module.css';
import {
  chargedLines,
  customerOf,
  exchangeRows,
  givenTo,
  type Order,
  orderTitle,
  packageLabels,
  paymentLines,
  returnRows,
  staffName,
  takenPayments,
} from './order-words.ts';

/** The customer's receipt. */
export function Receipt({ order }: { order: Order }) {
  const potencyOf = usePotency(order);
  const { data: intents = [] } = useQuery(intentsQuery(order.id));
  return (
    <article className={`${classes.sheet} ${classes.receipt}`}>
      <ShopHead />
      <p className={classes.small} style={{ textAlign: 'center', margin: 0 }}>
        <strong>{orderTitle(order)}</strong> · {sentence(order.type)} · {sentence(order.status)}
        <br />
        <ShopTime at={order.fulfilledAt ?? order.createdAt} style="full" />
        <br />
        {customerOf(order)}
        {order.boughtBy && t` · bought by ${order.boughtBy.name}`}
        {staffName(order.fulfilledBy) && t` · served by ${staffName(order.fulfilledBy)}`}
      </p>
      <hr className={classes.rule} />
      <table className={classes.lines}>
        <tbody>
          {order.lineItems.map((line) => (
            <tr key={line.id}>
              <td>
                {line.quantity} × {line.productName}, {line.optionName}
                {givenTo(order, line.optionId) && (
                  <div className={classes.small}>
                    {rich`${givenTo(order, line.optionId)?.words}: ${<Money cents={line.unitPrice} />} each`}
                  </div>
                )}
                {potencyOf(line) && <div className={classes.small}>{potencyOf(line)}</div>}
                {packageLabels(line).map((label) => (
                  <div key={label} className={classes.small}>
                    {t`Package ${label}`}
                  </div>
                ))}
                {line.discounts.map((discount) => (
                  <div key={discount.discountId} className={classes.small}>
                    {discount.description}: <Money cents={-discount.amountUsed} />
                  </div>
                ))}
              </td>
              <td data-align="end">
                <Money cents={line.finalPrice} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <hr className={classes.rule} />
      <PriceTotals amounts={order} />
      {order.exchange && <ExchangeRows exchange={order.exchange} />}
      {order.payments.length > 0 && (
        <>
          <hr className={classes.rule} />
          <table className={classes.lines}>
            <tbody>
              {takenPayments(order)
                .flatMap(paymentLines)
                .concat(chargedLines(intents))
                .map(({ key, label, cents }) => (
                  <tr key={key}>
                    <td>{label}</td>
                    <td data-align="end">
                      <Money cents={cents} />
                    </td>
                  </tr>
                ))}
              {returnRows(order).map(({ key, label, cents }) => (
                <tr key={key}>
                  <td>{label}</td>
                  <td data-align="end">{cents !== null && <Money cents={cents} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      <LimitsUsed orderId={order.id} />
      {order.number !== null && (
        <>
          <OrderBarcode number={order.number} />
          <div style={{ textAlign: 'center', marginTop: 8 }}>
            <QrCode text={orderCodeOf(order.number)} label={t`QR code of order ${order.number}`} size={112} />
          </div>
        </>
      )}
      <p className={classes.small} style={{ textAlign: 'center', marginTop: 24 }}>
        {t`Thank you.`}
      </p>
    </article>
  );
}

/** What the label of cannabis says of its strength. */
function usePotency({ lineItems }: Order): (line: Order['lineItems'][number]) => string {
  const isCannabis = ({ primaryCategory }: Order['lineItems'][number]) =>
    primaryCategory.cannabisType !== 'none';
  const ids = [...new Set(lineItems.filter(isCannabis).map(({ productId }) => productId))];
  const products = useQueries({ queries: ids.map((id) => productQuery(id)) });
  return ({ productId, optionId }) => {
    const product = products.find(({ data }) => data?.id === productId)?.data;
    return product
      ? potencyInWords(
          product,
          product.options.find(({ id }) => id === optionId),
        )
      : '';
  };
}

/** What came back for these goods, and what was left to pay or to give back. */
function ExchangeRows({ exchange }: { exchange: NonNullable<Order['exchange']> }) {
  return (
    <table className={classes.lines}>
      <caption className={classes.small}>
        {t`Goods that came back, of order ${exchange.orderNumber ?? ''}`}
      </caption>
      <tbody>
        {exchangeRows(exchange).map(({ key, label, cents }) => (
          <tr key={key}>
            <td>{label}</td>
            <td data-align="end">{cents !== null && <Money cents={cents} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What the order uses of the purchase limits; nothing without cannabis. */
function LimitsUsed({ orderId }: { orderId: string }) {
  const { data } = useQuery({
    queryKey: ['orders', orderId, 'limits-used'],
    queryFn: () =>
      dataOf(api.GET('/staff/v1/orders/{orderId}/limits-used', { params: { path: { orderId } } })),
  });
  if (!data || data.limits.length === 0) return null;
  return (
    <>
      <hr className={classes.rule} />
      <table className={classes.lines}>
        <caption className={classes.small}>{t`Purchase limits used`}</caption>
        <tbody>
          {data.limits.map(({ name, used, limit, unit }) => (
            <tr key={name}>
              <td>{name}</td>
              <td data-align="end">
                {t`${used} of ${limit}`}
                {unit !== 'count' && ` ${unit}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** The shop's name, address and license. */
export function ShopHead() {
  const settings = useQuery({
    queryKey: ['organization'],
    queryFn: () => dataOf(api.GET('/staff/v1/organization')),
    staleTime: 60_000,
  });
  const profile = useQuery({
    queryKey: ['shop-profile'],
    queryFn: () => dataOf(api.GET('/staff/v1/shop-profile')),
    staleTime: 60_000,
  });
  const shop = settings.data;
  const address = profile.data?.address;
  return (
    <header className={classes.head}>
      <h1 style={{ fontSize: 20, margin: 0 }}>{shop?.name}</h1>
      <p className={classes.small}>
        {[shop?.customerPhone && phoneInWords(shop.customerPhone), shop?.customerEmail]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {address && (
        <p className={classes.small}>
          {[address.street1, address.street2].filter(Boolean).join(', ')}
          <br />
          {address.city}, {shop?.state} {address.postalCode}
        </p>
      )}
      {shop?.licenseNumber && <p className={classes.small}>{t`License ${shop.licenseNumber}`}</p>}
    </header>
  );
}
