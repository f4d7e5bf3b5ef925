import { docsStyle } from '../../platform/http/docs-frame.ts';

/** The stylesheet of the guides, and of the bar on the other pages. */
export const guidesStyle = `${docsStyle}
.guide { margin: 0; background: var(--ground); color: var(--text); font: 17px/1.6 system-ui, sans-serif; }
.guide main { max-width: 46rem; margin: 0 auto; padding: 24px 16px 96px; overflow-wrap: break-word; }
.guide h1 { font-size: 32px; line-height: 1.2; margin: 8px 0 16px; }
.guide h2 { font-size: 22px; line-height: 1.3; margin: 40px 0 8px; }
.guide p, .guide ul, .guide ol { margin: 0 0 16px; }
.guide li { margin: 4px 0; }
.guide a { color: var(--link); }
.guide a:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.guide code { font: 0.88em/1.5 ui-monospace, monospace; background: var(--panel); border-radius: 4px; padding: 2px 4px; }
.guide pre { margin: 0 0 16px; padding: 16px; overflow-x: auto; background: var(--panel); border: 1px solid var(--line);
  border-radius: 8px; }
.guide pre code { padding: 0; background: none; overflow-wrap: normal; }
.guide .wide { overflow-x: auto; margin: 0 0 16px; }
.guide table { border-collapse: collapse; min-width: 100%; font-size: 15px; }
.guide th, .guide td { text-align: left; vertical-align: top; padding: 8px; border-bottom: 1px solid var(--line); }
.guide .list { list-style: none; padding: 0; }
.guide .list li { padding: 12px 0; border-bottom: 1px solid var(--line); }
.guide .list a { font-weight: 600; }
.guide .list span { display: block; color: var(--soft); }
`;
