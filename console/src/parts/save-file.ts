/** Downloads a file that was generated or fetched here. */
export function saveFile(content: string | Blob, name: string, type?: string): void {
  const blob = typeof content === 'string' ? new Blob([content], type ? { type } : {}) : content;
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has started by then, so the memory can be freed.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
