/* The question that comes before the shop: a visitor answers it once on a device. The page lies behind it, for search engines too. */

const key = 'of age';

/** Asks, unless it was answered with yes; the rest of the page is out of reach until then. */
export function askAge() {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('age'));
  if (read() === 'yes') return;
  dialog.showModal();
  // Escape closes no question of the law.
  dialog.addEventListener('cancel', (event) => event.preventDefault());
  dialog.addEventListener('click', ({ target }) => {
    const answer = target instanceof Element && target.closest('button')?.value;
    if (answer === 'yes') {
      keep();
      dialog.close();
    }
    if (answer === 'no') {
      document.getElementById('age-question').hidden = true;
      document.getElementById('age-refusal').hidden = false;
    }
  });
}

function read() {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function keep() {
  try {
    localStorage.setItem(key, 'yes');
  } catch {
    // A browser that keeps nothing asks again.
  }
}
