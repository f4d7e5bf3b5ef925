import JsBarcode from 'jsbarcode';
import type { Page } from 'playwright-core';

/** A UPC-A as bars: a text of 0 and 1, one for each module. */
function barsOf(upc: string): string {
  const encoded: { encodings?: readonly { readonly data: string }[] } = {};
  JsBarcode(encoded, upc, { format: 'UPC', flat: true });
  return (encoded.encodings ?? []).map(({ data }) => data).join('');
}

/** Gives the page a camera before a white wall. */
export async function putCamera(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [640, 480];
    const context = canvas.getContext('2d');
    let bars = '';
    const draw = () => {
      context.fillStyle = 'white';
      context.fillRect(0, 0, 640, 480);
      context.fillStyle = 'black';
      [...bars].forEach((bar, at) => bar === '1' && context.fillRect(80 + at * 4, 120, 4, 240));
    };
    draw();
    // A stream has a new picture when something is drawn.
    setInterval(draw, 50);
    window.holdBars = (given) => { bars = given; };
    navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(20);
  })()`);
}

/** Holds a product in front of the camera; null: takes it away. */
export async function hold(page: Page, upc: string | null): Promise<void> {
  await page.evaluate(`window.holdBars(${JSON.stringify(upc === null ? '' : barsOf(upc))})`);
}

/** Why a browser opens no camera: `NotAllowedError`, `NotFoundError`. */
export async function refuseCamera(page: Page, name: string): Promise<void> {
  await page.evaluate(
    `navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', '${name}'); }`,
  );
}
