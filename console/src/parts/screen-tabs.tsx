import { NavLink } from 'react-router';
import classes from './screen-tabs.module.css';

/** One of several related screens. */
interface ScreenTab {
  readonly to: string;
  readonly title: string;
}

/** Links between the screens of a section; the current one is marked. */
export function ScreenTabs({ label, tabs }: { label: string; tabs: readonly ScreenTab[] }) {
  return (
    <nav aria-label={label} className={classes.tabs}>
      {tabs.map(({ to, title }) => (
        <NavLink key={to} to={to} end className={classes.tab}>
          {title}
        </NavLink>
      ))}
    </nav>
  );
}
