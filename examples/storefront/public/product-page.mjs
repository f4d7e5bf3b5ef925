import { addToCart, cart } from './cart.mjs';
import { html, prose, show } from './html.mjs';
import { isOffer, isThere, menuOf, priceNow } from './menu-data.mjs';
import { picture, priceTag, productCard } from './product-card.mjs';
import { potency, shortDollars, strainWords } from './words.mjs';

const pictureSizes = '(min-width: 60rem) 34rem, 100vw';

/** One product at its own address, with its sizes and prices for the chosen order type. */
export async function openProductPage({ main, params, signal, announce }) {
  const { products } = await menuOf(cart().type);
  signal.throwIfAborted();
  const product = products.find(({ id }) => id === Number(params.id));
  if (product === undefined) {
    show(
      main,
      html`<section class="plain"><h1 tabindex="-1">This product has left the menu</h1>
        <p><a class="button" href="/">See the menu</a></p></section>`,
    );
    return { title: 'Not on the menu' };
  }
  show(main, pageOf(product, products));

  const form = main.querySelector('#buy');
  const chosen = () =>
    form && product.options.find(({ id }) => id === Number(new FormData(form).get('option')));
  const showPicture = (photo) => {
    if (photo === undefined) return;
    show(main.querySelector('#large'), picture(photo, pictureSizes, { alt: altOf(product), isFirst: true }));
  };
  const showChosen = () => {
    const option = chosen();
    if (option === undefined) return;
    show(form.querySelector('#chosen-price'), priceOf(option));
    show(form.querySelector('#stock'), stockOf(option));
  };
  showChosen();
  form?.addEventListener('change', showChosen, { signal });
  // A size with pictures of its own shows them first.
  form?.addEventListener(
    'change',
    ({ target }) => {
      if (target.name !== 'option') return;
      const photos = picturesOf(product, chosen());
      showPicture(photos[0]);
      const thumbs = main.querySelector('#thumbs');
      if (thumbs) show(thumbs, thumbsOf(photos));
    },
    { signal },
  );
  form?.addEventListener(
    'submit',
    (event) => {
      event.preventDefault();
      const option = chosen();
      addToCart(product, option, Number(new FormData(form).get('quantity')));
      announce(`${product.name}, ${option.name}, is in the cart`);
      show(form.querySelector('#added'), html`In your cart. <a href="/cart">See the cart</a>`);
    },
    { signal },
  );
  main.addEventListener(
    'click',
    ({ target }) => {
      const thumb = target.closest('[data-photo]');
      if (!thumb) return;
      showPicture(picturesOf(product, chosen())[Number(thumb.dataset.photo)]);
      for (const other of main.querySelectorAll('[data-photo]')) {
        other.setAttribute('aria-pressed', String(other === thumb));
      }
    },
    { signal },
  );
  return { title: product.name };
}

const altOf = ({ name, primaryCategory }) => `${name}, ${primaryCategory.name}`;

/** The pictures of a chosen size, then those of the product. */
const picturesOf = ({ photos }, option) => [...(option?.photos ?? []), ...photos];

function thumbsOf(photos) {
  if (photos.length < 2) return html``;
  return html`${photos.map(
    (photo, index) => html`<button type="button" data-photo="${index}" aria-pressed="${index === 0}"
            aria-label="Picture ${index + 1} of ${photos.length}">${picture(photo, '5rem', { isDecorative: true })}</button>`,
  )}`;
}

function pageOf(product, products) {
  const { brand, primaryCategory, description, tags } = product;
  const pictures = picturesOf(product, product.options.find(isThere));
  const facts = [
    ['Strain', strainWords(product.strainType)],
    ['THC', potency(product, 'thc')?.replace(' THC', '')],
    ['CBD', potency(product, 'cbd')?.replace(' CBD', '')],
    ['Kind', product.subCategories.map(({ name }) => name).join(', ') || null],
  ].filter(([, value]) => value);
  const others = products
    .filter((it) => it.id !== product.id && it.inStock && it.primaryCategory.id === primaryCategory.id)
    .toSorted((a, b) => Number(b.brand?.id === brand?.id) - Number(a.brand?.id === brand?.id))
    .slice(0, 8);
  return html`<nav class="trail" aria-label="You are here"><a href="/">Menu</a> <span aria-hidden="true">/</span>
      <a href="/?category=${encodeURIComponent(primaryCategory.name)}">${primaryCategory.name}</a></nav>
    <article class="product">
      <div class="pictures">
        <div class="frame large" id="large">${picture(pictures[0], pictureSizes, { alt: altOf(product), isFirst: true })}</div>
        <div class="thumbs" id="thumbs">${thumbsOf(pictures)}</div>
      </div>
      <div class="details">
        <p class="brand">${brand?.name}</p>
        <h1 tabindex="-1">${product.name}</h1>
        ${facts.length > 0 ? html`<dl class="traits">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>` : ''}
        ${buyForm(product)}
        <div class="prose">${prose(description)}</div>
        ${tags.length > 0 ? html`<ul class="tags">${tags.map(({ name }) => html`<li>${name}</li>`)}</ul>` : ''}
        ${brand?.description ? html`<div class="prose soft"><h2>${brand.name}</h2>${prose(brand.description)}</div>` : ''}
      </div>
    </article>
    ${others.length > 0 ? html`<section class="shelf"><h2>More ${primaryCategory.name}</h2><ul class="rail">${others.map((it) => productCard(it))}</ul></section>` : ''}`;
}

function buyForm({ options }) {
  const first = options.find(isThere);
  if (first === undefined) return html`<p class="note">Sold out. Look again soon.</p>`;
  return html`<form id="buy" class="buy">
    <fieldset class="sizes"><legend>Size</legend>${options.map(
      (option) => html`<label class="size"><input type="radio" name="option" value="${option.id}"
        ${option === first ? html`checked` : ''} ${isThere(option) ? '' : html`disabled`}>
        <span><b>${option.name}</b>${isThere(option) ? html`<em>${shortDollars(priceNow(option))}</em>` : html`<em>Sold out</em>`}</span></label>`,
    )}</fieldset>
    <p class="price now" id="chosen-price" aria-live="polite"></p>
    <div class="row">
      <label class="amount"><span>Quantity</span><select name="quantity">${[1, 2, 3, 4, 5, 6, 7, 8].map((count) => html`<option>${count}</option>`)}</select></label>
      <button class="button main">Add to cart</button>
    </div>
    <p class="soft small" id="stock"></p>
    <p class="added" id="added" role="status"></p>
  </form>`;
}

function priceOf(option) {
  const { specialPrice, specialMinimumOrder, specialName, specialEndsAt } = option;
  const until =
    specialEndsAt === null
      ? ''
      : ` until ${new Date(specialEndsAt).toLocaleDateString('en-US', { month: 'long', day: 'numeric' })}`;
  if (specialMinimumOrder !== null) {
    return html`${priceTag(option)} <span class="why">${shortDollars(specialPrice)} in orders from ${shortDollars(specialMinimumOrder)}: ${specialName}${until}</span>`;
  }
  if (!isOffer(option)) return html`${priceTag(option)} <span class="soft small">before taxes</span>`;
  return html`${priceTag(option)} <span class="why">${specialName ?? 'On sale'}${until}</span>`;
}

function stockOf({ maxQuantity }) {
  if (maxQuantity === null || maxQuantity > 5) return html`In stock`;
  return html`Only ${maxQuantity} left`;
}
