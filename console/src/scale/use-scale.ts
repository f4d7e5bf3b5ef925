import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../parts/load-failure.tsx';
import { readScaleLine, readScaleReport, type ScaleReading } from './scale-reading.ts';
import { scaleStorageKey } from './serial-scale.ts';

/* Scales that the browser reaches by itself (Web Serial, WebHID): Chromium on pages with TLS. A scale that is a keyboard needs none of this. */

/** The parts of the browser's interfaces that are used; TypeScript does not have them. */
interface HidDevice {
  readonly productName: string;
  readonly opened: boolean;
  open(): Promise<void>;
  close(): Promise<void>;
  addEventListener(type: 'inputreport', listener: (event: { readonly data: DataView }) => void): void;
}

interface ScalePort {
  readonly readable: ReadableStream<Uint8Array> | null;
  readonly writable: WritableStream<Uint8Array> | null;
  open(options: { readonly baudRate: number }): Promise<void>;
  close(): Promise<void>;
}

interface ScaleBrowser {
  readonly hid?: {
    getDevices(): Promise<readonly HidDevice[]>;
    requestDevice(asked: {
      readonly filters: readonly { readonly usagePage: number }[];
    }): Promise<readonly HidDevice[]>;
  };
  readonly serial?: {
    getPorts(): Promise<readonly ScalePort[]>;
    requestPort(): Promise<ScalePort>;
  };
}

export type ScaleKind = 'hid' | 'serial';

/** Weighing devices in the HID usage tables. */
const usagePage = 0x8d;
/** What counter scales are set to when they come. */
const baudRate = 9600;
/** Weights again and again: of MT-SICS and A&D, and of Ohaus. Others refuse it and send by themselves. */
const sendAlways = 'SIR\r\nCP\r\n';
const browser = (): ScaleBrowser => navigator as unknown as ScaleBrowser;

type OnReading = (reading: ScaleReading | null) => void;

/** Opens the scale; resolves to how it is closed, or to null where none is known and none may be asked for. */
async function openScale(
  kind: ScaleKind,
  mayAsk: boolean,
  onReading: OnReading,
): Promise<(() => void) | null> {
  const { hid, serial } = browser();
  if (kind === 'hid') {
    const [known] = (await hid?.getDevices()) ?? [];
    const device =
      known ?? (mayAsk ? (await hid?.requestDevice({ filters: [{ usagePage }] }))?.[0] : undefined);
    if (device === undefined) return null;
    if (!device.opened) await device.open();
    device.addEventListener('inputreport', ({ data }) => onReading(readScaleReport(data)));
    return () => void device.close();
  }
  const ports = (await serial?.getPorts()) ?? [];
  const port = mayAsk ? await serial?.requestPort() : ports[0];
  if (port === undefined) return null;
  await port.open({ baudRate });
  const reader = port.readable?.getReader();
  const writer = port.writable?.getWriter();
  await writer?.write(new TextEncoder().encode(sendAlways));
  writer?.releaseLock();
  void readLines(reader, (line) => onReading(readScaleLine(line)));
  return () => void reader?.cancel().then(() => port.close());
}

async function readLines(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  onLine: (line: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
    if (done) return reader?.releaseLock();
    const lines = `${rest}${decoder.decode(value, { stream: true })}`.split(/[\r\n]+/);
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') onLine(line);
  }
}

/** The weight on the scale of this device while a dialog weighs. */
export function useScale() {
  const [reading, setReading] = useState<ScaleReading | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const close = useRef<(() => void) | null>(null);
  const kinds = (['hid', 'serial'] as const).filter((kind) => browser()[kind] !== undefined);
  const open = async (kind: ScaleKind, mayAsk: boolean) => {
    try {
      close.current = await openScale(kind, mayAsk, setReading);
      if (close.current === null) return;
      localStorage.setItem(scaleStorageKey, kind);
      setOpen(true);
      setError(null);
    } catch (failed) {
      // Who closes the browser's choice chose nothing.
      if ((failed as Error).name !== 'NotFoundError') setError(messageOf(failed as Error));
    }
  };
  const openKnown = useRef(open);
  useEffect(() => {
    const kind = localStorage.getItem(scaleStorageKey);
    if (kind === 'hid' || kind === 'serial') void openKnown.current(kind, false);
    return () => close.current?.();
  }, []);
  return { reading, isOpen, error, kinds, connect: (kind: ScaleKind) => open(kind, true) };
}
