import { createElement, Fragment, type ReactNode } from 'react';
import { translated } from './words.ts';

/** A text with elements, in the order of the page's language: rich`Opened ${<ShopTime at={at} />} by ${name}`. */
export function rich(texts: TemplateStringsArray, ...values: readonly ReactNode[]): ReactNode {
  // Every other part is the number of a place.
  const parts = translated(texts).split(/\{(\d)\}/);
  return createElement(Fragment, null, ...parts.map((part, at) => (at % 2 ? values[Number(part)] : part)));
}
