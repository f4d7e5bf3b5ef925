export type TextControl = HTMLInputElement | HTMLTextAreaElement;

/** Sets a field's text as if it was typed, so the state behind the field is updated. */
export function typeInto(element: TextControl, text: string): void {
  const type = element instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(type.prototype, 'value')!.set!.call(element, text);
  element.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText' }));
}
