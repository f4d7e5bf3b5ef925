/** The path of a photo on our own origin; the policy allows no other. Null: no photo, or on another host. */
export function photoSource(url: string | null | undefined): string | null {
  if (!url) return null;
  const { pathname } = new URL(url, window.location.origin);
  return pathname.startsWith('/photos/') ? pathname : null;
}
