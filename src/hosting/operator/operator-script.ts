import { deskLimits } from './operator-requests.ts';

/**
 * The script of the operator's page. The key is in its memory only: it ends with the page, or after a quarter of an hour without use.
 * Everything that it shows is set as text.
 */
export const operatorScript = `'use strict';
const root = '/operator/v1/organizations';
const unusedMsMax = 900_000;
const archiveBytesMax = ${deskLimits.archiveBytes};
const at = (id) => document.getElementById(id);
const make = (tag, attributes, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
};
const time = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });
const shownTime = (text) => time.format(new Date(text));

let key = '';
let by = '';
let organizations = [];
let unused;

function signOut(why) {
  key = '';
  organizations = [];
  clearTimeout(unused);
  for (const id of ['rows', 'title', 'asked', 'done', 'who']) at(id).replaceChildren();
  if (at('dialog').open) at('dialog').close();
  clearImport();
  at('desk').hidden = true;
  at('signIn').hidden = false;
  at('refused').textContent = why;
  at('key').focus();
}

function use() {
  clearTimeout(unused);
  unused = setTimeout(() => signOut('Signed out after 15 minutes without use.'), unusedMsMax);
}

const problemOf = (status, error) => {
  const problem = new Error(error === undefined ? 'The service did not answer as expected.' : error.message);
  problem.status = status;
  return problem;
};

async function ask(path, body) {
  use();
  const reply = await fetch(root + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: 'Bearer ' + key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    cache: 'no-store',
  });
  if (reply.ok) return reply;
  const { error } = await reply.json().catch(() => ({}));
  throw problemOf(reply.status, error);
}

const wordsOf = (problem) =>
  problem instanceof TypeError ? 'The service cannot be reached. Try again.' : problem.message;

const standingOf = ({ suspendedAt, suspendedBecause, endsAt }) =>
  endsAt !== null
    ? ['ends', 'To be deleted']
    : suspendedAt === null
      ? ['trades', 'Trades']
      : ['stands', suspendedBecause === 'imported' ? 'Came in, suspended' : 'Suspended'];

function actionsOf(one) {
  if (one.endsAt !== null) return ['keep', 'export'];
  return [one.suspendedAt === null ? 'suspend' : 'resume', 'export', 'delete'];
}

/** What each action says before it is done, and what it sends. */
const actions = {
  suspend: {
    operation: 'suspend', name: 'Suspend', title: 'Suspend {}?', does: 'Suspend it',
    text: 'Its people and programs read as before and write nothing, from within a second. Nothing is deleted.',
    fields: ['reason'], done: '{} is suspended.',
  },
  resume: {
    operation: 'resume', name: 'Resume', title: 'Resume {}?', does: 'Resume it',
    text: 'It trades again, within a second.',
    fields: [], done: '{} trades again.',
  },
  keep: {
    operation: 'resume', name: 'Cancel deletion', title: 'Keep {}?', does: 'Cancel the deletion',
    text: 'It is not deleted, and trades again within a second.',
    fields: [], done: '{} stays, and trades again.',
  },
  export: {
    operation: 'export', name: 'Export', title: 'Export {}?', does: 'Download the archive',
    text: 'The archive has all that the organization has. Unless BACKUP_RECIPIENTS or BACKUP_PASSPHRASE is set it is not encrypted: keep it like a password. The browser holds it until it is whole; the command writes large ones to a file.',
    fields: [], done: 'The archive of {} is downloaded.',
  },
  delete: {
    operation: 'delete', name: 'Delete', title: 'Delete {}?', does: 'Delete it',
    text: 'It is suspended now, and deleted with all that it has after the days below. Until then you can cancel. Export it before: laws ask shops to keep records for years.',
    fields: ['afterDays', 'name'], done: '{} is suspended, and is to be deleted.',
  },
};

function show() {
  const sought = at('sought').value.trim().toLowerCase();
  const found = organizations.filter(
    (one) => one.name.toLowerCase().includes(sought) || String(one.organizationId) === sought,
  );
  at('rows').replaceChildren(...found.map(rowOf));
  at('count').textContent = found.length + ' of ' + organizations.length + ' organizations';
  at('none').hidden = found.length > 0;
}

function rowOf(one) {
  const [standing, words] = standingOf(one);
  const cell = (head, ...children) => make('td', { 'data-head': head }, ...children);
  const buttons = actionsOf(one).map((name) => {
    const label = actions[name].name;
    const button = make('button', { type: 'button', class: name, 'aria-label': label + ' ' + one.name }, label);
    button.addEventListener('click', () => propose(actions[name], one));
    return button;
  });
  return make(
    'tr', { 'data-id': one.organizationId },
    make('th', { scope: 'row' }, one.name),
    cell('Id', String(one.organizationId)),
    cell('State', one.state),
    cell('Standing', make('span', { class: 'standing ' + standing }, words)),
    cell('Since', one.suspendedAt === null ? '–' : shownTime(one.suspendedAt)),
    cell('Deleted at', one.endsAt === null ? '–' : shownTime(one.endsAt)),
    make('td', { class: 'actions' }, ...buttons),
  );
}

let proposed;

function propose(action, one) {
  proposed = { action, one };
  at('title').textContent = action.title.replace('{}', () => one.name);
  at('text').textContent = action.text;
  at('do').textContent = action.does;
  at('do').className = action.operation === 'delete' ? 'danger' : '';
  at('failed').textContent = '';
  for (const field of ['reason', 'afterDays', 'name']) {
    const input = at(field);
    const isAsked = action.fields.includes(field);
    input.parentElement.hidden = !isAsked;
    input.required = isAsked;
    input.disabled = !isAsked;
    input.value = field === 'afterDays' ? '30' : '';
  }
  at('asked').textContent = one.name;
  at('dialog').showModal();
}

async function act({ action, one }) {
  const body = { by };
  for (const field of action.fields) {
    const { value } = at(field);
    body[field] = field === 'afterDays' ? Number(value) : value;
  }
  const reply = await ask('/' + one.organizationId + '/' + action.operation, body);
  if (action.operation === 'export') {
    const [, name] = /filename="([^"]+)"/.exec(reply.headers.get('content-disposition'));
    const link = make('a', { href: URL.createObjectURL(await reply.blob()), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }
  await read();
  at('done').textContent = action.done.replace('{}', () => one.name);
}

async function read() {
  organizations = (await (await ask('')).json()).data;
  show();
}

at('signInForm').addEventListener('submit', async (event) => {
  event.preventDefault();
  key = at('key').value.trim();
  by = at('by').value.trim();
  at('refused').textContent = '';
  at('enter').disabled = true;
  try {
    await read();
    at('key').value = '';
    at('done').textContent = '';
    at('who').textContent = by;
    at('signIn').hidden = true;
    at('desk').hidden = false;
    at('sought').focus();
  } catch (problem) {
    signOut(problem.status === 401 ? 'This is not the key of the operator.' : wordsOf(problem));
  } finally {
    at('enter').disabled = false;
  }
});

at('dialogForm').addEventListener('submit', async (event) => {
  event.preventDefault();
  at('failed').textContent = '';
  at('do').disabled = true;
  try {
    await act(proposed);
    at('dialog').close();
  } catch (problem) {
    at('failed').textContent = wordsOf(problem);
  } finally {
    at('do').disabled = false;
  }
});

/** What the dialog of the import shows: 'importForm', 'importing' or 'imported'. */
function showImport(part) {
  for (const id of ['importForm', 'importing', 'imported']) at(id).hidden = id !== part;
}

/** Fetch does not tell how much is sent. */
const sending = new XMLHttpRequest();

function send(file, reason) {
  return new Promise((resolve, reject) => {
    sending.open('POST', root + '/import?' + new URLSearchParams({ by, reason }));
    sending.responseType = 'json';
    sending.setRequestHeader('authorization', 'Bearer ' + key);
    sending.setRequestHeader('content-type', 'application/octet-stream');
    if (at('archiveKey').value !== '') sending.setRequestHeader('archive-key', encodeURIComponent(at('archiveKey').value));
    sending.onload = () =>
      sending.status === 200
        ? resolve(sending.response.data)
        : reject(problemOf(sending.status, sending.response?.error));
    sending.onerror = () => reject(new Error('The connection broke: nothing came in, unless the list below shows it as come in.'));
    sending.onabort = () => reject(new Error('Stopped: nothing came in, unless the list below shows it as come in.'));
    sending.send(file);
  });
}

const megabytes = (bytes) => (bytes / 1_048_576).toFixed(1) + ' MB';

sending.upload.onprogress = ({ loaded, total }) => {
  at('sentShare').value = loaded / total;
  at('sent').textContent = megabytes(loaded) + ' of ' + megabytes(total) + ' are sent.';
};
sending.upload.onload = () => {
  at('sentShare').removeAttribute('value');
  at('sent').textContent = 'All of it is sent. It is compared with its checksums and verified: leave the page open.';
};

at('import').addEventListener('click', () => {
  at('importFailed').textContent = '';
  at('importForm').reset();
  showImport('importForm');
  at('importDialog').showModal();
});

at('importForm').addEventListener('submit', async (event) => {
  event.preventDefault();
  const [file] = at('archive').files;
  at('importFailed').textContent = '';
  if (file.size > archiveBytesMax) {
    at('importFailed').textContent = 'The file is too large for the page: import it by the command dispensary organization import.';
    return;
  }
  at('sent').textContent = 'It is being sent.';
  at('sentShare').value = 0;
  showImport('importing');
  // It takes its time, and the page is in use.
  clearTimeout(unused);
  try {
    const { name, lines, integrators, clientKeys } = await send(file, at('importReason').value);
    at('importForm').reset();
    at('lines').replaceChildren(...lines.map((line) => make('li', {}, line)));
    at('importTitle').textContent = name + ' came in';
    at('done').textContent = name + ' came in, suspended.';
    const hasKeys = integrators.length + clientKeys.length > 0;
    at('note').hidden = !hasKeys;
    at('noted').textContent = hasKeys ? 'I have noted the keys' : 'Done';
    showImport('imported');
    at('importTitle').focus();
  } catch (problem) {
    at('importFailed').textContent = problem.message;
    showImport('importForm');
  } finally {
    use();
  }
  await read().catch((problem) => (at('done').textContent = wordsOf(problem)));
});

function clearImport() {
  at('importTitle').textContent = 'Import an organization';
  at('lines').replaceChildren();
  at('importForm').reset();
  if (at('importDialog').open) at('importDialog').close();
}
at('noted').addEventListener('click', clearImport);
// Escape leaves the form, and neither stops what is sent nor closes what is shown once.
at('importDialog').addEventListener('cancel', (event) => {
  if (at('importForm').hidden) event.preventDefault();
});
addEventListener('beforeunload', (event) => {
  if (!at('importing').hidden) event.preventDefault();
});
at('importStop').addEventListener('click', () => sending.abort());
at('importBack').addEventListener('click', () => at('importDialog').close());
at('back').addEventListener('click', () => at('dialog').close());
at('sought').addEventListener('input', show);
at('out').addEventListener('click', () => signOut(''));
`;
