/** The address of a photo below our own origin: the policy shows no other. Null: it lies elsewhere, or there is none. */
export function photoSource(url: string | null | undefined): string | null {
  if (!url) return null;
  const { pathname } = new URL(url, window.location.origin);
  return pathname.startsWith('/photos/') ? pathname : null;
}
