import { Barcode } from '../../parts/barcode.tsx';
import { orderCodeOf } from '../../scanner/understand-scan.ts';
import { t } from '../../words/words.ts';

/** The order's number as a barcode: a scan of it opens the order. */
export function OrderBarcode({ number }: { number: number }) {
  return <Barcode text={orderCodeOf(number)} label={t`Barcode of order ${number}`} />;
}
