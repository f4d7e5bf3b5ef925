/* Receipt printers that the browser reaches by itself (ESC/POS over WebUSB or Web Serial): Chromium on pages with TLS. */

import { hasSerialScale } from '../scale/serial-scale.ts';

/** The parts of the browser's interfaces that are used; TypeScript does not have them. */
export interface UsbDevice {
  readonly configuration: {
    readonly interfaces: readonly {
      readonly interfaceNumber: number;
      readonly alternate: {
        readonly interfaceClass: number;
        readonly endpoints: readonly { readonly direction: 'in' | 'out'; readonly endpointNumber: number }[];
      };
    }[];
  } | null;
  open(): Promise<void>;
  selectConfiguration(value: number): Promise<void>;
  claimInterface(interfaceNumber: number): Promise<void>;
  transferOut(endpointNumber: number, data: Uint8Array): Promise<{ readonly status?: string }>;
  close(): Promise<void>;
}

export interface SerialPort {
  readonly writable: WritableStream<Uint8Array> | null;
  open(options: { readonly baudRate: number }): Promise<void>;
  close(): Promise<void>;
}

export interface PrinterBrowser {
  readonly usb?: {
    getDevices(): Promise<readonly UsbDevice[]>;
    requestDevice(asked: { readonly filters: readonly { readonly classCode: number }[] }): Promise<UsbDevice>;
  };
  readonly serial?: {
    getPorts(): Promise<readonly SerialPort[]>;
    requestPort(): Promise<SerialPort>;
  };
}

export type PrinterKind = 'usb' | 'serial';

export const printerNames: Readonly<Record<PrinterKind, string>> = { usb: 'USB', serial: 'serial' };

/** The class of printers in USB. */
const printerClass = 7;
/** Small enough for the buffers of old printers. */
const bytesPerTransfer = 4096;
/** What receipt printers are set to when they come. */
const baudRate = 9600;

/** The kinds that this browser can reach. */
export function printerKinds(browser: PrinterBrowser): readonly PrinterKind[] {
  return (['usb', 'serial'] as const).filter((kind) => browser[kind] !== undefined);
}

/**
 * Sends the bytes to the printer that was allowed before; asks for one, if `mayAsk` (only upon a click). Resolves to whether there
 * was one. Fails as the browser does, and when the printer does not take the bytes.
 */
export async function printBytes(
  browser: PrinterBrowser,
  kind: PrinterKind,
  bytes: Uint8Array,
  { mayAsk }: { readonly mayAsk: boolean },
): Promise<boolean> {
  if (kind === 'usb') {
    const known = (await browser.usb?.getDevices())?.find((device) => printerPartOf(device) !== null);
    const ask = () => browser.usb?.requestDevice({ filters: [{ classCode: printerClass }] });
    const device = known ?? (mayAsk ? await ask() : undefined);
    if (device === undefined) return false;
    await sendByUsb(device, bytes);
    return true;
  }
  // The first port of a device with a serial scale is the scale's.
  const known = ((await browser.serial?.getPorts()) ?? [])[hasSerialScale() ? 1 : 0];
  const port = known ?? (mayAsk ? await browser.serial?.requestPort() : undefined);
  if (port === undefined) return false;
  await sendBySerial(port, bytes);
  return true;
}

function printerPartOf({ configuration }: UsbDevice) {
  for (const { interfaceNumber, alternate } of configuration?.interfaces ?? []) {
    const out = alternate.endpoints.find(({ direction }) => direction === 'out');
    if (alternate.interfaceClass === printerClass && out) {
      return { interfaceNumber, endpointNumber: out.endpointNumber };
    }
  }
  return null;
}

async function sendByUsb(device: UsbDevice, bytes: Uint8Array): Promise<void> {
  await device.open();
  try {
    if (device.configuration === null) await device.selectConfiguration(1);
    const part = printerPartOf(device);
    if (part === null) throw new Error('This device is not a printer.');
    await device.claimInterface(part.interfaceNumber);
    for (let from = 0; from < bytes.length; from += bytesPerTransfer) {
      const { status } = await device.transferOut(
        part.endpointNumber,
        bytes.slice(from, from + bytesPerTransfer),
      );
      if (status !== undefined && status !== 'ok') throw new Error(`The printer answers ${status}.`);
    }
  } finally {
    await device.close();
  }
}

async function sendBySerial(port: SerialPort, bytes: Uint8Array): Promise<void> {
  await port.open({ baudRate });
  try {
    const writer = port.writable?.getWriter();
    if (writer === undefined) throw new Error('The printer takes nothing.');
    await writer.write(bytes);
    await writer.close();
  } finally {
    await port.close();
  }
}
