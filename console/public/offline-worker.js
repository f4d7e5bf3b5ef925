/*
 * Keeps the console's page and its files, so that the counter opens while the service cannot be reached (D75). Files are named by
 * their content and never change; the page is asked for first, and kept with its own headers. Nothing else passes here.
 */
const kept = 'console-files';
const pageKey = '/console/point-of-sale';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('message', (event) => event.waitUntil(keepFiles(event.data)));

/** Keeps these files, and drops those of earlier builds. */
async function keepFiles({ keep }) {
  const cache = await caches.open(kept);
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    if (pathname !== pageKey && !keep.includes(pathname)) await cache.delete(request);
  }
  for (const path of keep) if (!(await cache.match(path))) await cache.add(path);
  await cache.put(pageKey, await fetch(pageKey, { cache: 'no-store' }));
}

self.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== self.location.origin) return;
  if (pathname.startsWith('/console/assets/')) event.respondWith(fileOf(event.request));
  else if (mode === 'navigate' && /^\/console(\/|$)/.test(pathname)) event.respondWith(pageOf(event.request));
});

async function fileOf(request) {
  const cache = await caches.open(kept);
  return (await cache.match(new URL(request.url).pathname)) ?? fetch(request);
}

async function pageOf(request) {
  try {
    const answer = await fetch(request);
    if (![502, 503, 504].includes(answer.status)) return answer;
  } catch {
    // Without the service: as it was kept.
  }
  return (await (await caches.open(kept)).match(pageKey)) ?? Response.error();
}
