import type { ReactNode } from 'react';
import classes from './page.module.css';

/**
 * The layout of a screen. `list`: as high as the window, and the table scrolls; `form`: limited to a readable line width;
 * otherwise full width.
 */
export function Page({ kind = 'wide', children }: { kind?: 'list' | 'form' | 'wide'; children: ReactNode }) {
  return <div className={`${classes.page} ${classes[kind] ?? ''}`}>{children}</div>;
}
