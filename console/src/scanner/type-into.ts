export type TextControl = HTMLInputElement | HTMLTextAreaElement;

/** Puts a text into a field as if it was typed: the state behind the field follows. */
export function typeInto(element: TextControl, text: string): void {
  const type = element instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(type.prototype, 'value')!.set!.call(element, text);
  element.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText' }));
}
