import { Barcode } from '../../parts/barcode.tsx';
import { orderCodeOf } from '../../scanner/understand-scan.ts';

/** The order's number as a barcode: a scan of it opens the order. */
export function OrderBarcode({ number }: { number: number }) {
  return <Barcode text={orderCodeOf(number)} label={`Barcode of order ${number}`} />;
}
