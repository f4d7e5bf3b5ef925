import { t } from '../words/words.ts';

/* The back camera of a phone or tablet, and its light. Pictures stay on the device. */

/** Whether the browser offers cameras: only on secure pages (HTTPS, or this machine). */
export function hasCameras(): boolean {
  return typeof navigator.mediaDevices?.getUserMedia === 'function';
}

/** Opens the back camera, or the only one. */
export function openCamera(): Promise<MediaStream> {
  return navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: { ideal: 'environment' }, width: { ideal: 1_280 }, height: { ideal: 720 } },
  });
}

/** Why no camera opened, and what to do. */
export function cameraFaultInWords(error: unknown): string {
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
      return t`The camera is blocked. Allow it for this page in the browser's settings, then try again.`;
    case 'NotFoundError':
    case 'OverconstrainedError':
      return t`This device has no camera. Type the code, or use a barcode scanner.`;
    case 'NotReadableError':
    case 'AbortError':
      return t`Another app is using the camera. Close it, then try again.`;
    default:
      return t`The camera did not start. Try again, or type the code.`;
  }
}

/** TypeScript does not know the light of a camera. */
type Lit = MediaTrackCapabilities & { readonly torch?: boolean };

/** The light beside the camera; null: there is none. */
export function torchOf(stream: MediaStream): ((isOn: boolean) => Promise<void>) | null {
  const [track] = stream.getVideoTracks();
  const { torch } = (track?.getCapabilities?.() ?? {}) as Lit;
  if (!track || !torch) return null;
  return (isOn) => track.applyConstraints({ advanced: [{ torch: isOn } as MediaTrackConstraintSet] });
}

export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
