/** Whether a dialog is open. One that is closed can be in the page a moment longer, hidden. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"]:not([hidden] *)') !== null;
}
