/** A time slot as people read it: "Friday, March 6, 5:00 PM to 7:00 PM"; null: none. */
export function slotInWords(fromMs: number | null, toMs: number | null, timeZone: string): string | null {
  if (fromMs === null || toMs === null) return null;
  const day = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'long', month: 'long', day: 'numeric' });
  const time = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit' });
  return `${day.format(fromMs)}, ${time.format(fromMs)} to ${time.format(toMs)}`;
}
