import type { Delivery } from './delivery-board.ts';
import { taskSteps } from './dispatch-desk.ts';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => escapes[sign]!);

export const dispatchPagePolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The list of deliveries, each with a form for driver and step. `problem`: why the last change was not made. */
export function dispatchPage(
  deliveries: readonly Delivery[],
  drivers: readonly string[],
  problem: string | null = null,
): string {
  const count = deliveries.length === 1 ? 'One delivery' : `${deliveries.length} deliveries`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${count}</title><link rel="stylesheet" href="/dispatch.css">
<script type="module" src="/dispatch.mjs"></script></head>
<body><main><h1>${count} under way</h1>
${problem === null ? '' : `<p class="problem" role="alert">${escaped(problem)}</p>`}
<datalist id="drivers">${drivers.map((name) => `<option value="${escaped(name)}"></option>`).join('')}</datalist>
<ul>${deliveries.map(deliveryItem).join('\n')}</ul></main></body></html>`;
}

function deliveryItem(delivery: Delivery): string {
  const { customer, phone, address, goods, status, stop, driver, task, totalCents } = delivery;
  const dollars = `$${Math.trunc(totalCents / 100)}.${String(totalCents % 100).padStart(2, '0')}`;
  return `<li class="${task}"><div><h2>${escaped(address)}</h2>
<p>${escaped([customer, phone].filter(Boolean).join(' · '))}</p><p class="soft">${escaped(goods)} · ${dollars} · order ${status}</p></div>
${stop === null ? courierForm(delivery) : `<p>On a trip of the shop: ${escaped(driver ?? '')}, stop ${stop}, ${task}</p>`}</li>`;
}

function courierForm({ orderId, driver, task }: Delivery): string {
  const steps = taskSteps
    .map((step) => `<option ${step === task ? 'selected' : ''}>${step}</option>`)
    .join('');
  return `<form method="post" action="/deliveries/${encodeURIComponent(orderId)}">
<label>Driver <input name="driver" list="drivers" maxlength="200" value="${escaped(driver ?? '')}"></label>
<label>Delivery <select name="status">${steps}</select></label><button>Save</button></form>`;
}

/**
 * Shows the list as it is now, every 20 seconds. Not while a form is in use: what is typed and not saved would be lost, and a page
 * that loads itself anew takes its place away from people who have it read to them.
 */
export const dispatchScript = `
let isEdited = false;
document.addEventListener('input', () => { isEdited = true; });
setInterval(async () => {
  const isInUse = isEdited || document.activeElement?.closest('form');
  if (isInUse || document.hidden || document.querySelector('.problem')) return;
  const reply = await fetch('/').catch(() => null);
  if (!reply?.ok) return;
  const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
  const [shown, now] = [document.querySelector('main'), page.querySelector('main')];
  if (shown.innerHTML === now.innerHTML) return;
  shown.replaceWith(now);
  document.title = page.title;
}, 20_000);
`;

export const dispatchStyle = `
:root { color-scheme: light dark; font: 1.05rem/1.5 system-ui, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2rem 1rem; }
h1 { font-size: 2rem; letter-spacing: -0.02em; } h2 { margin: 0; font-size: 1.15rem; } p { margin: 0.2rem 0; }
ul { padding: 0; list-style: none; }
li { display: flex; flex-wrap: wrap; gap: 1rem 2rem; align-items: end; padding: 1.2rem 0 1.2rem 1.2rem; border-left: 6px solid #c46a1b; margin: 0 0 1rem; }
li > div { flex: 1 1 20rem; } li.assigned, li.active { border-color: #2b7a52; } li.failed { border-color: #b3261e; }
form { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: end; } label { display: grid; font-size: 0.9rem; }
input, select, button { height: 2.75rem; box-sizing: border-box; padding: 0 0.9rem; border: 1px solid #8889; border-radius: 0.6rem; font: inherit; }
button { background: #1c5a3d; color: #fff; border: 0; font-weight: 600; cursor: pointer; }
.soft { opacity: 0.8; font-size: 0.95rem; } .problem { padding: 0.8rem 1rem; border-radius: 0.6rem; background: #b3261e; color: #fff; }
`;
