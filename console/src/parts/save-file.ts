/** Hands a file that was made or fetched here to the browser's downloads. */
export function saveFile(content: string | Blob, name: string, type?: string): void {
  const blob = typeof content === 'string' ? new Blob([content], type ? { type } : {}) : content;
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has begun by then; the memory is not needed any more.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
