import { onReconnected, suspectConnection } from './connection.ts';
import type { LiveEvent, LiveMessage } from './shared-live.ts';

const pollMs = 15_000;

/**
 * Opens the live stream of the service. Each connection, including the first one, starts with `everything`: data that was read
 * before may lack a change this stream missed. Without a stream, `everything` is sent every 15 seconds and the stream is tried
 * again. Returns the function that closes it.
 */
export function openLiveStream(send: (message: LiveMessage) => void): () => void {
  let stream: EventSource;
  let polling: ReturnType<typeof setInterval> | undefined;

  function poll(): void {
    polling ??= setInterval(() => {
      send('everything');
      // A browser gives up on a stream that was refused.
      if (stream.readyState === EventSource.CLOSED) open();
    }, pollMs);
  }
  function begin(): void {
    clearInterval(polling);
    polling = undefined;
    send('everything');
  }
  function open(): void {
    stream = new EventSource('/staff/v1/live');
    stream.onmessage = ({ data }: MessageEvent<string>) => {
      try {
        send(JSON.parse(data) as LiveEvent);
      } catch {
        // Something newer than this page.
      }
    };
    stream.addEventListener('ready', begin);
    stream.addEventListener('resync', begin);
    stream.onerror = () => {
      poll();
      suspectConnection();
    };
    // Polls until the first message arrives, in case it never does.
    poll();
  }

  open();
  // A broken stream stays open in the browser and reconnects after an outage.
  const stopWaiting = onReconnected(() => {
    stream.close();
    open();
  });
  return () => {
    stopWaiting();
    stream.close();
    clearInterval(polling);
  };
}
