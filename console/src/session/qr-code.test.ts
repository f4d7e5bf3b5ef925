import { MantineProvider } from '@mantine/core';
import {
  BinaryBitmap,
  DecodeHintType,
  HybridBinarizer,
  QRCodeReader,
  RGBLuminanceSource,
} from '@zxing/library';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { LinkToPay } from '../screens/point-of-sale/link-to-pay.tsx';
import { QrCode } from './qr-code.tsx';

const pixelsPerModule = 4;

/** Paints the picture as a browser does, its rectangle and then its squares, and reads it with the decoder of camera scans. */
function textDrawn(markup: string): string {
  const side = Number(/viewBox="0 0 (\d+) \1"/.exec(markup)![1]);
  expect(markup).toContain(`<rect width="${side}" height="${side}" fill="#fff">`);
  const [, path] = /<path d="([^"]+)" fill="#000">/.exec(markup)!;
  const squares = path!.split(/(?<=z)/);
  const width = side * pixelsPerModule;
  const gray = new Uint8ClampedArray(width * width).fill(255);
  for (const square of squares) {
    const [, x, y] = /^M(\d+) (\d+)h1v1h-1z$/.exec(square)!.map(Number);
    for (let row = 0; row < pixelsPerModule; row += 1) {
      const at = (y! * pixelsPerModule + row) * width + x! * pixelsPerModule;
      gray.fill(0, at, at + pixelsPerModule);
    }
  }
  const source = new RGBLuminanceSource(gray, width, width);
  // A picture that is not seen askew.
  const hints = new Map([[DecodeHintType.PURE_BARCODE, true]]);
  return new QRCodeReader().decode(new BinaryBitmap(new HybridBinarizer(source)), hints).getText();
}

test.each([
  ['a short link', 'https://pay.example.com/l/8Zr4TnWb2'],
  ['a link with a question', 'http://127.0.0.1:43117/links/0b2d6f1c-4a7e-4c39?amount=41.30&order=A1093'],
  [
    'the longest link that a payment has',
    `https://pay.example.com/${'aZ09-_~%2F'.repeat(198)}`.slice(0, 2_000),
  ],
  ['letters beyond ASCII', 'otpauth://totp/Café Quay:theo@example.com?secret=JBSWY3DPEHPK3PXP'],
])('a decoder reads exactly what a QR code was made of: %s', (_, text) => {
  expect(textDrawn(renderToStaticMarkup(createElement(QrCode, { text, label: 'QR code' })))).toBe(text);
});

test('the picture that a customer scans at the till leads to the link of the payment, which stands below it', () => {
  const link = 'https://pay.example.com/l/Q7m2x9?lang=es&order=4003';
  const shown = renderToStaticMarkup(
    createElement(MantineProvider, { env: 'test' }, createElement(LinkToPay, { link })),
  );
  expect(textDrawn(shown)).toBe(link);
  expect(shown).toContain(`>${link.replaceAll('&', '&amp;')}<`);
});
