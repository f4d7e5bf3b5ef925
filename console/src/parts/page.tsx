import type { ReactNode } from 'react';
import classes from './page.module.css';

/** A screen. `list`: as high as the window, its table scrolls; `form`: as wide as a line is read; else as wide as it gets. */
export function Page({ kind = 'wide', children }: { kind?: 'list' | 'form' | 'wide'; children: ReactNode }) {
  return <div className={`${classes.page} ${classes[kind] ?? ''}`}>{children}</div>;
}
