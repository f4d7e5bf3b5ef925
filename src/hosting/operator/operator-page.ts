import { docsStyle, mark } from '../../platform/http/docs-frame.ts';
import { pageHeaders } from '../../platform/http/page-headers.ts';
import { deskLimits, operatorPath } from './operator-requests.ts';
import { operatorScript } from './operator-script.ts';

/** Only its own script and style, no form that leaves the page, and no frame around it. */
const policy = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"],
  ...['img-src data:', "form-action 'none'"],
];

const style = `${docsStyle}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; padding: 12px 16px; border-bottom: 1px solid var(--line); }
header svg { flex: none; width: 28px; height: 28px; }
header span { color: var(--soft); }
main { margin: 0 auto; padding: 24px 16px 64px; max-width: 1200px; }
h1 { font-size: 28px; line-height: 1.2; margin: 0 0 8px; }
h2 { font-size: 20px; line-height: 1.3; margin: 0 0 8px; }
p { margin: 0 0 8px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
label { display: block; margin-top: 16px; font-weight: 600; }
label small { display: block; margin-bottom: 6px; font-size: 14px; font-weight: 400; color: var(--soft); }
input { width: 100%; min-height: 44px; padding: 8px; font: inherit; font-weight: 400; color: var(--text); background: var(--ground);
  border: 1px solid var(--field); border-radius: 4px; }
button { min-height: 44px; padding: 8px 16px; font: inherit; font-weight: 600; color: var(--on-link); background: var(--link);
  border: 1px solid var(--link); border-radius: 4px; cursor: pointer; }
button:disabled { opacity: .6; cursor: wait; }
.actions button, #out, #back, #importBack, #importStop { color: var(--link); background: transparent; }
.actions button.delete { color: var(--bad); border-color: var(--bad); }
button.danger { color: var(--ground); background: var(--bad); border-color: var(--bad); }
.card { max-width: 440px; padding: 24px; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; }
.card button { margin-top: 16px; width: 100%; }
.bar { display: flex; flex-wrap: wrap; gap: 16px; align-items: end; justify-content: space-between; }
.bar label { flex: 1 1 240px; max-width: 400px; margin-top: 8px; }
.soft { color: var(--soft); }
.error { color: var(--bad); font-weight: 600; margin: 12px 0 0; }
.error:empty { display: none; }
#done { min-height: 24px; margin-top: 16px; color: var(--good); font-weight: 600; }
table { width: 100%; border-collapse: collapse; margin-top: 8px; }
th, td { padding: 8px; text-align: left; vertical-align: middle; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-size: 14px; }
td { font-variant-numeric: tabular-nums; }
.actions { display: flex; flex-wrap: wrap; gap: 8px; }
.standing { display: inline-block; padding: 0 8px; border: 1px solid currentcolor; border-radius: 999px; font-size: 14px; font-weight: 600;
  white-space: nowrap; }
.trades { color: var(--good); } .stands { color: var(--soft); } .ends { color: var(--bad); }
dialog { width: min(520px, calc(100vw - 32px)); padding: 24px; color: var(--text); background: var(--ground); border: 1px solid var(--line);
  border-radius: 8px; }
dialog::backdrop { background: rgb(0 0 0 / 50%); }
progress { width: 100%; height: 12px; accent-color: var(--link); }
#lines { margin: 16px 0; padding-left: 20px; }
#lines li { margin-bottom: 8px; }
.choices { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 24px; }
@media (max-width: 800px) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { display: block; padding: 12px 0; border-bottom: 1px solid var(--line); }
  tbody th, td { display: block; padding: 2px 0; border: 0; }
  tbody th { font-size: 18px; }
  td[data-head]::before { content: attr(data-head) ': '; color: var(--soft); font-size: 14px; }
  td.actions { display: flex; padding-top: 8px; }
  .actions button, .choices button { flex: 1 1 auto; }
}
`;

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Operator</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${operatorPath}/style.css">
<script src="${operatorPath}/script.js" defer></script>
</head>
<body>
<header>${mark}<strong>Dispensary Commerce</strong><span>Operator</span></header>
<main>
<section id="signIn" class="card">
<h1>Operator</h1>
<p>This page suspends, exports, imports and deletes whole organizations of this deployment.</p>
<form id="signInForm">
<label>Your name <small>The audit log of the organization says who did it</small>
<input id="by" required maxlength="80" autocomplete="name"></label>
<label>Key <small>OPERATOR_KEY of this deployment</small>
<input id="key" type="password" required maxlength="256" autocomplete="off" spellcheck="false"></label>
<p id="refused" class="error" role="alert"></p>
<button id="enter">Sign in</button>
</form>
<noscript><p class="error">The page needs scripts.</p></noscript>
</section>
<section id="desk" hidden>
<div class="bar"><div><h1>Organizations</h1><p class="soft">Signed in as <b id="who"></b></p></div>
<div class="actions"><button id="import" type="button">Import</button><button id="out" type="button">Sign out</button></div></div>
<div class="bar"><label>Find by name or id <input id="sought" type="search" autocomplete="off"></label>
<p id="count" class="soft" role="status"></p></div>
<p id="done" role="status"></p>
<table>
<thead><tr><th scope="col">Name</th><th scope="col">Id</th><th scope="col">State</th><th scope="col">Standing</th>
<th scope="col">Since</th><th scope="col">Deleted at</th><th scope="col">Actions</th></tr></thead>
<tbody id="rows"></tbody>
</table>
<p id="none" class="soft" hidden>No organization has this name or id.</p>
</section>
</main>
<dialog id="dialog" aria-labelledby="title">
<form id="dialogForm">
<h2 id="title"></h2>
<p id="text"></p>
<label hidden>Reason <small>For the audit log</small><input id="reason" maxlength="200" autocomplete="off"></label>
<label hidden>Days until it is deleted <small>0 to 365</small><input id="afterDays" type="number" min="0" max="365" step="1"></label>
<label hidden>Its name <small>Type <b id="asked"></b>, so that no other one is meant</small>
<input id="name" autocomplete="off" spellcheck="false"></label>
<p id="failed" class="error" role="alert"></p>
<div class="choices"><button id="do"></button><button id="back" type="button">Back</button></div>
</form>
</dialog>
<dialog id="importDialog" aria-labelledby="importTitle">
<h2 id="importTitle" tabindex="-1">Import an organization</h2>
<form id="importForm">
<p>Takes in the file of an export, of up to ${deskLimits.archiveBytes / 1_073_741_824} GB; the command takes larger ones. The organization comes in
whole and suspended, or not at all. Its keys are made anew and shown once.</p>
<label>Archive <small>organization-….tar, or .tar.age if it is encrypted</small><input id="archive" type="file" required></label>
<label>Reason <small>For the audit log</small><input id="importReason" required maxlength="200" autocomplete="off"></label>
<label>Private key or passphrase <small>Only if the archive is encrypted, and not with BACKUP_PASSPHRASE of this deployment</small>
<input id="archiveKey" type="password" maxlength="1000" autocomplete="off" spellcheck="false"></label>
<p id="importFailed" class="error" role="alert"></p>
<div class="choices"><button>Import it</button><button id="importBack" type="button">Back</button></div>
</form>
<div id="importing" hidden>
<p id="sent" role="status"></p>
<progress id="sentShare" max="1" aria-label="Sent"></progress>
<div class="choices"><button id="importStop" type="button">Stop</button></div>
</div>
<div id="imported" hidden>
<p id="note">Note the keys now: they are not shown again.</p>
<ul id="lines"></ul>
<button id="noted" type="button">I have noted the keys</button>
</div>
</dialog>
</body>
</html>
`;

/** The files of the page, by path. They say nothing of the deployment, and are sent without a key. */
export const operatorFiles: Readonly<
  Record<string, { readonly text: string; readonly headers: Readonly<Record<string, string>> }>
> = {
  [operatorPath]: {
    text: page,
    headers: pageHeaders({ policy, cacheControl: 'no-store', referrerPolicy: 'no-referrer' }),
  },
  [`${operatorPath}/style.css`]: { text: style, headers: { 'content-type': 'text/css; charset=utf-8' } },
  [`${operatorPath}/script.js`]: {
    text: operatorScript,
    headers: { 'content-type': 'text/javascript; charset=utf-8' },
  },
};
