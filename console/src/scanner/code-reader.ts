import { type CodeFormat, type CodeReader, codeFormats } from './camera-codes.ts';

/** The part of the Barcode Detection API that is used; TypeScript does not know it. */
interface Detector {
  detect(
    source: HTMLVideoElement,
  ): Promise<readonly { readonly format: string; readonly rawValue: string }[]>;
}
interface DetectorClass {
  new (options: { formats: readonly CodeFormat[] }): Detector;
  getSupportedFormats(): Promise<readonly string[]>;
}

/** The browser's own reader if it knows all kinds of codes, otherwise the library, which is loaded now. */
export async function openCodeReader(): Promise<CodeReader> {
  const { BarcodeDetector } = globalThis as { readonly BarcodeDetector?: DetectorClass };
  const known = await BarcodeDetector?.getSupportedFormats().catch(() => []);
  if (
    !BarcodeDetector ||
    !codeFormats.every((format) => (known as readonly string[] | undefined)?.includes(format))
  ) {
    return (await import('./picture-reader.ts')).pictureReader();
  }
  const detector = new BarcodeDetector({ formats: codeFormats });
  return async (video) =>
    (await detector.detect(video)).map(({ format, rawValue }) => ({
      format: format as CodeFormat,
      text: rawValue,
    }));
}
