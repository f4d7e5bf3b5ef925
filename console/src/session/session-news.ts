const name = 'dispensary-session';

/** Tells the other tabs of this browser, which share the session, about a sign-in or sign-out. */
export function tellOtherTabs(): void {
  const channel = new BroadcastChannel(name);
  channel.postMessage('changed');
  channel.close();
}

/** Calls `listener` on a sign-in or sign-out in another tab. Returns the function that stops it. */
export function onSessionNews(listener: () => void): () => void {
  const channel = new BroadcastChannel(name);
  channel.onmessage = listener;
  return () => channel.close();
}
