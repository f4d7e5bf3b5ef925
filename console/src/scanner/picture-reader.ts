import {
  BarcodeFormat,
  BinaryBitmap,
  DecodeHintType,
  HybridBinarizer,
  MultiFormatReader,
  RGBLuminanceSource,
} from '@zxing/library';
import type { CodeFormat, CodeReader } from './camera-codes.ts';

const formats: ReadonlyMap<BarcodeFormat, CodeFormat> = new Map([
  [BarcodeFormat.EAN_13, 'ean_13'],
  [BarcodeFormat.EAN_8, 'ean_8'],
  [BarcodeFormat.UPC_A, 'upc_a'],
  [BarcodeFormat.UPC_E, 'upc_e'],
  [BarcodeFormat.CODE_128, 'code_128'],
  [BarcodeFormat.QR_CODE, 'qr_code'],
  [BarcodeFormat.PDF_417, 'pdf417'],
  [BarcodeFormat.DATA_MATRIX, 'data_matrix'],
]);

/** Enough for the narrow bars of a driver's license; larger pictures take longer. */
const sidePixelsMax = 1_280;

/** Reads codes in plain JavaScript, for browsers without a detector of their own. Every other picture is turned by 90°. */
export function pictureReader(): CodeReader {
  const reader = new MultiFormatReader();
  reader.setHints(
    new Map<DecodeHintType, unknown>([
      [DecodeHintType.POSSIBLE_FORMATS, [...formats.keys()]],
      [DecodeHintType.TRY_HARDER, true],
    ]),
  );
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  let isTurned = false;

  return async (video) => {
    isTurned = !isTurned;
    const scale = Math.min(1, sidePixelsMax / Math.max(video.videoWidth, video.videoHeight));
    const [width, height] = [Math.round(video.videoWidth * scale), Math.round(video.videoHeight * scale)];
    if (width === 0 || height === 0) return [];
    [canvas.width, canvas.height] = isTurned ? [height, width] : [width, height];
    if (isTurned) context.setTransform(0, 1, -1, 0, height, 0);
    context.drawImage(video, 0, 0, width, height);
    const gray = grayOf(context.getImageData(0, 0, canvas.width, canvas.height).data);
    const source = new RGBLuminanceSource(gray, canvas.width, canvas.height);
    try {
      const result = reader.decodeWithState(new BinaryBitmap(new HybridBinarizer(source)));
      const format = formats.get(result.getBarcodeFormat());
      return format === undefined ? [] : [{ format, text: result.getText() }];
    } catch {
      // Nothing was found, or what was found has a wrong check.
      return [];
    } finally {
      reader.reset();
    }
  };
}

/** The brightness of each pixel. */
function grayOf(pixels: Uint8ClampedArray): Uint8ClampedArray {
  const gray = new Uint8ClampedArray(pixels.length / 4);
  for (let index = 0; index < gray.length; index += 1) {
    const at = index * 4;
    gray[index] = (pixels[at]! * 77 + pixels[at + 1]! * 151 + pixels[at + 2]! * 28) >> 8;
  }
  return gray;
}
