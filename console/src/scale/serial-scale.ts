/** The kind of scale of this device, which is opened again by itself. */
export const scaleStorageKey = 'counter-scale';

/** Whether this device has a serial scale: its first port is then no receipt printer. */
export const hasSerialScale = (): boolean => globalThis.localStorage?.getItem(scaleStorageKey) === 'serial';
