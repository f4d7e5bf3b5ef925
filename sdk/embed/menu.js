/*
 * A shop's menu for any page: `<script src="…/embed/menu.js" async></script>` and `<dispensary-menu key="…"></dispensary-menu>`. It stands in a
 * shadow root, so the page's styles and its own do not meet; colors and type are custom properties. It writes no HTML from text. It needs no
 * build and no other file: README.md beside it has its attributes.
 */
(() => {
  const own = document.currentScript?.src ?? '';
  const style = `
:host { display: block; color: var(--menu-text, #1b1f23); background: var(--menu-ground, transparent);
  font: var(--menu-font, 16px/1.5 system-ui, sans-serif); --soft: var(--menu-soft, #57606a); --line: var(--menu-line, #c9d1d9);
  --accent: var(--menu-accent, #1a6b34); --on-accent: var(--menu-on-accent, #fff); --radius: var(--menu-radius, 12px); }
@media (prefers-color-scheme: dark) { :host([theme="auto"]) { color: var(--menu-text, #e6e9ec); --soft: var(--menu-soft, #a5aeb8);
  --line: var(--menu-line, #39424c); --accent: var(--menu-accent, #72d391); --on-accent: var(--menu-on-accent, #14181d); } }
:host([hidden]) { display: none; } * { box-sizing: border-box; }
.bar { display: flex; flex-wrap: wrap; gap: 8px; margin-bottom: 16px; }
input, select, button { font: inherit; color: inherit; background: transparent; border: 1px solid var(--soft); border-radius: var(--radius);
  padding: 8px 12px; min-height: 44px; }
select option { color: #1b1f23; }
input { flex: 1 1 12rem; min-width: 0; }
button { background: var(--accent); color: var(--on-accent); border-color: var(--accent); cursor: pointer; }
:is(input, select, button, a):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 16px; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); }
li { border: 1px solid var(--line); border-radius: var(--radius); overflow: hidden; display: flex; flex-direction: column; }
img { width: 100%; aspect-ratio: 1; object-fit: cover; display: block; }
.text { padding: 12px; display: flex; flex-direction: column; gap: 4px; flex: 1; }
h3 { margin: 0; font-size: 1em; line-height: 1.3; } p { margin: 0; } .soft { color: var(--soft); font-size: .875em; }
.price { margin-top: auto; font-weight: 600; } s { font-weight: 400; color: var(--soft); margin-left: 8px; }
a { color: inherit; } .gate { border: 1px solid var(--line); border-radius: var(--radius); padding: 24px; text-align: center; }
.gate p { margin-bottom: 16px; } .gate button { margin: 0 4px; } .gate button.no { background: transparent; color: inherit; }
.count { margin-bottom: 12px; }`;

  /** An element with attributes and children; texts become text nodes. */
  const make = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value === null || value === undefined || value === false) continue;
      if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
      else element.setAttribute(key, value === true ? '' : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined && child !== ''));
    return element;
  };
  const dollars = (cents) => `$${(cents / 100).toFixed(2).replace(/\.00$/, '')}`;
  const isThere = (option) => option.maxQuantity !== 0;

  /** "24.1% THC", or nothing. */
  const potency = ({ thcAmount, thcAmountRangeLow, thcAmountRangeHigh, thcUnit }) => {
    const value = thcAmount ?? [thcAmountRangeLow, thcAmountRangeHigh].filter(Boolean).join('–');
    return value ? `${value}${thcUnit === '%' ? '%' : ` ${thcUnit ?? ''}`} THC` : '';
  };

  class DispensaryMenu extends HTMLElement {
    static observedAttributes = ['key', 'base-url', 'type', 'category', 'limit'];
    #root = this.attachShadow({ mode: 'open' });
    #products = [];
    #advertised = null;
    #query = '';
    #category = '';
    #leaving = new AbortController();

    connectedCallback() {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(style);
      this.#root.adoptedStyleSheets = [sheet];
      this.#open();
    }

    disconnectedCallback() {
      this.#leaving.abort();
    }

    attributeChangedCallback(_name, before, after) {
      if (this.isConnected && before !== after && this.#root.adoptedStyleSheets.length > 0) this.#open();
    }

    /** The address of the service: an attribute, else that of this script. */
    get #base() {
      return (this.getAttribute('base-url') ?? (own === '' ? '' : new URL(own).origin)).replace(/\/+$/, '');
    }

    /** The question comes before the menu, once in a tab; a page that asks by itself says `no-age-gate`. */
    #open() {
      const age = Number(this.getAttribute('minimum-age') ?? 21);
      let isOfAge = this.hasAttribute('no-age-gate');
      try {
        isOfAge ||= sessionStorage.getItem('dispensary-menu-age') === String(age);
      } catch {}
      if (isOfAge) return this.#load();
      const admit = () => {
        try {
          sessionStorage.setItem('dispensary-menu-age', String(age));
        } catch {}
        this.#load();
      };
      const refuse = () =>
        this.#show(
          make('p', { class: 'gate', role: 'status' }, `This menu is for adults of ${age} and more.`),
        );
      this.#show(
        make(
          'div',
          { class: 'gate', role: 'group', 'aria-label': 'Age' },
          make('p', {}, `Are you ${age} or older?`),
          make('button', { type: 'button', onclick: admit }, 'Yes'),
          make('button', { type: 'button', class: 'no', onclick: refuse }, 'No'),
        ),
      );
      return undefined;
    }

    #show(...parts) {
      this.#root.replaceChildren(...parts);
    }

    async #ask(path) {
      const url = `${this.#base}${path}`;
      const options = {
        headers: { 'X-Client-Key': this.getAttribute('key') ?? '' },
        signal: this.#leaving.signal,
      };
      const reply = await fetch(url, options);
      const body = await reply.json();
      if (!reply.ok) throw new Error(`${body.error?.message ?? reply.status} (${body.error?.code ?? ''})`);
      return body;
    }

    async #load() {
      this.#leaving.abort();
      this.#leaving = new AbortController();
      const { signal } = this.#leaving;
      this.#category = this.getAttribute('category') ?? '';
      this.#show(make('p', { role: 'status' }, 'Loading the menu …'));
      try {
        const type = encodeURIComponent(this.getAttribute('type') ?? 'pickup');
        const [menu, shop] = await Promise.all([
          this.#ask(`/api/v1/menu?type=${type}`),
          this.#ask('/api/v1/shop'),
        ]);
        this.#products = menu.data;
        this.#advertised = shop.data.advertisedPrices ?? null;
        this.#draw(
          menu.meta.categories.filter(({ id }) => menu.data.some((it) => it.primaryCategory.id === id)),
        );
        this.dispatchEvent(new CustomEvent('menu-loaded', { detail: { products: menu.data.length } }));
      } catch (error) {
        if (signal.aborted) return;
        this.#show(
          make('p', { role: 'alert' }, 'The menu cannot be shown now.'),
          make('button', { type: 'button', onclick: () => this.#load() }, 'Try again'),
        );
        // For who builds the page: which key or origin is wrong.
        console.error(`dispensary-menu: ${error.message}`);
      }
    }

    #draw(categories) {
      const list = make('ul', { part: 'products', 'aria-label': 'Products' });
      const count = make('p', { class: 'soft count', role: 'status' });
      const fill = () => {
        const found = this.#found();
        list.replaceChildren(...found.map((product) => this.#card(product)));
        count.textContent = found.length === 1 ? 'One product' : `${found.length} products`;
      };
      const search = make('input', {
        ...{ type: 'search', 'aria-label': 'Search the menu', placeholder: 'Search the menu' },
        oninput: ({ target }) => {
          this.#query = target.value;
          fill();
        },
      });
      const pick = make(
        'select',
        {
          'aria-label': 'Category',
          onchange: ({ target }) => {
            this.#category = target.value;
            fill();
          },
        },
        make('option', { value: '' }, 'All categories'),
        ...categories.map(({ name }) =>
          make('option', { value: name, selected: name === this.#category }, name),
        ),
      );
      const isFixed = this.hasAttribute('category') || categories.length < 2;
      this.#show(make('div', { class: 'bar', part: 'bar' }, search, isFixed ? null : pick), count, list);
      fill();
    }

    #found() {
      const words = this.#query.toLowerCase().split(/\s+/).filter(Boolean);
      const limit = Number(this.getAttribute('limit') ?? Infinity);
      return this.#products
        .filter((it) => this.#category === '' || it.primaryCategory.name === this.#category)
        .filter((it) => {
          const text = [it.name, it.brand?.name, it.primaryCategory.name, it.strainType]
            .join(' ')
            .toLowerCase();
          return words.every((word) => text.includes(word));
        })
        .toSorted((a, b) => Number(b.inStock) - Number(a.inStock))
        .slice(0, limit);
    }

    #card(product) {
      const { name, brand, primaryCategory, photos, options, inStock } = product;
      const photo = photos[0];
      const size = photo?.sizes.find(({ width }) => width >= 400) ?? photo?.sizes.at(-1);
      const there = options.filter(isThere);
      const [cheapest] = (there.length > 0 ? there : options).toSorted(
        (a, b) => a.displayPrice - b.displayPrice,
      );
      const link = this.getAttribute('product-url');
      const title =
        link === null
          ? name
          : make('a', { href: link.replaceAll('{id}', String(product.id)), part: 'link' }, name);
      return make(
        'li',
        { part: 'product' },
        photo
          ? make('img', {
              src: size?.fullPath ?? photo.fullPath,
              alt: photo.altText ?? '',
              loading: 'lazy',
              width: 400,
              height: 400,
            })
          : null,
        make(
          'div',
          { class: 'text' },
          make('h3', { part: 'name' }, title),
          make(
            'p',
            { class: 'soft' },
            [brand?.name, primaryCategory.name, potency(product)].filter(Boolean).join(' · '),
          ),
          inStock && cheapest
            ? this.#price(cheapest, options.length > 1)
            : make('p', { class: 'price' }, 'Sold out'),
        ),
      );
    }

    /** Where the law rules what prices may be advertised, the regular price stands alone. */
    #price({ price, displayPrice }, isFrom) {
      const shown = this.#advertised === null || this.hasAttribute('sale-prices') ? displayPrice : price;
      const isReduced = shown < price;
      return make(
        'p',
        { class: 'price', part: 'price' },
        `${isFrom ? 'from ' : ''}${dollars(shown)}`,
        isReduced ? make('s', { 'aria-label': `instead of ${dollars(price)}` }, dollars(price)) : null,
      );
    }
  }

  customElements.get('dispensary-menu') ?? customElements.define('dispensary-menu', DispensaryMenu);
})();
