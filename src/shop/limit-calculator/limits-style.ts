/** The stylesheet of the page, beside the one of all documents. */
export const limitsStyle = `* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif;
  overflow-wrap: break-word; }
main { margin: 0 auto; padding: 24px 16px 64px; max-width: 1040px; }
h1 { font-size: 28px; line-height: 1.2; margin: 0 0 8px; }
h2 { font-size: 20px; margin: 32px 0 8px; }
p { margin: 0 0 8px; }
main a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
form { margin-top: 16px; padding: 16px; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; }
.choices { display: grid; grid-template-columns: repeat(auto-fit, minmax(220px, 1fr)); gap: 16px; }
label { display: block; font-weight: 600; }
select, input { width: 100%; min-height: 44px; padding: 8px; font: inherit; color: var(--text); background: var(--ground);
  border: 1px solid var(--field); border-radius: 4px; }
[aria-invalid="true"] { border-color: var(--bad); border-width: 2px; }
button { min-height: 44px; margin-top: 16px; padding: 8px 24px; font: inherit; font-weight: 600; color: var(--on-link);
  background: var(--link); border: 0; border-radius: 4px; cursor: pointer; }
table { width: 100%; border-collapse: collapse; margin-top: 16px; }
caption { text-align: left; font-weight: 600; padding-bottom: 4px; }
th, td { padding: 8px; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
tbody th { font-weight: 600; }
td p, th p { margin: 0; font-weight: 400; }
td .next { margin-top: 8px; }
.limits { table-layout: fixed; }
.limits th:nth-child(1) { width: 22%; } .limits th:nth-child(2) { width: 13%; } .limits th:nth-child(3) { width: 18%; }
.limits th:nth-child(4) { width: 20%; }
.number { font-variant-numeric: tabular-nums; }
.soft { color: var(--soft); font-size: 14px; font-weight: 400; }
.good { color: var(--good); font-weight: 600; }
.bad, .error { color: var(--bad); font-weight: 600; }
.error { font-size: 14px; margin: 4px 0 0; }
.verdict { font-size: 20px; }
@media (max-width: 640px) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { display: block; padding: 8px 0; border-bottom: 1px solid var(--line); }
  tbody th, .limits tbody th:nth-child(1), td { display: block; width: auto; padding: 4px 0; border: 0; }
  td[data-head]::before { content: attr(data-head); display: block; color: var(--soft); font-size: 14px; }
}
`;
