import { phoneInWords } from '../../parts/phone-in-words.ts';
import { ShopTime } from '../../parts/shop-time.tsx';
import { sentence } from '../../parts/status-badge.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { OrderBarcode } from './order-barcode.tsx';
import classes from './order-print.module.css';
import { customerOf, type Order, orderTitle, unitsInWords, unitsOf } from './order-words.ts';
import { ShopHead } from './receipt.tsx';

/** The items to pack with their packages and the address; a checkbox per line. */
export function PackingSlip({ order }: { order: Order }) {
  const { address, customer } = order;
  return (
    <article className={classes.sheet}>
      <ShopHead />
      <h2 style={{ fontSize: 18, margin: 0 }}>{orderTitle(order)}</h2>
      <p className={classes.small} style={{ margin: 0 }}>
        {rich`${sentence(order.type)}, placed ${<ShopTime at={order.createdAt} style="full" />}, ${unitsInWords(unitsOf(order))}`}
      </p>
      <div className={classes.parties}>
        <section>
          <h2>{t`For`}</h2>
          <p>{customerOf(order)}</p>
          {customer.phone && <p>{phoneInWords(customer.phone)}</p>}
        </section>
        {address && (
          <section>
            <h2>{t`Deliver to`}</h2>
            <p>{[address.street1, address.street2].filter(Boolean).join(', ')}</p>
            <p>
              {address.city}, {address.state} {address.postalCode}
            </p>
            {order.dispatchTask?.driverName && <p>{t`Driver: ${order.dispatchTask.driverName}`}</p>}
          </section>
        )}
      </div>
      <table className={classes.lines}>
        <thead>
          <tr>
            <th scope="col">
              <span className="unseen">{t`Packed`}</span>
            </th>
            <th scope="col">{t`Item`}</th>
            <th scope="col">{t`Package`}</th>
            <th scope="col" data-align="end">
              {t`Quantity`}
            </th>
          </tr>
        </thead>
        <tbody>
          {order.lineItems.map((line) => (
            <tr key={line.id}>
              <td>
                <span className={classes.box} />
              </td>
              <td>
                <strong>{line.productName}</strong>, {line.optionName}
                {line.productBrand && <div className={classes.small}>{line.productBrand}</div>}
              </td>
              <td className={classes.label}>
                {line.fulfillAs.map(({ pkg }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: stock without a package has no unique key
                  <div key={index}>{pkg?.label ?? '–'}</div>
                ))}
              </td>
              <td data-align="end">{line.quantity}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {order.deliveryNotes && (
        <>
          <hr className={classes.rule} />
          <p style={{ whiteSpace: 'pre-wrap' }}>{order.deliveryNotes}</p>
        </>
      )}
      {order.number !== null && <OrderBarcode number={order.number} />}
    </article>
  );
}
