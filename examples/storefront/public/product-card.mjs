import { html } from './html.mjs';
import { cheapest, isOffer, isThere, priceNow } from './menu-data.mjs';
import { potency, shortDollars, strainWords } from './words.mjs';

/** The product's own address. The name is for people; the number finds the product. */
export function productPath({ id, name }) {
  const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return `/products/${id}/${slug.replace(/^-|-$/g, '')}`;
}

/**
 * A picture in the widths that the service has. `sizes` tells the browser how wide it will be shown, before it knows the
 * page. What is to be seen is the shop's own text; `alt` is for a photo without one. A decorative one has
 * the same words beside it.
 */
export function picture(photo, sizes, { alt = '', isFirst = false, isDecorative = false } = {}) {
  if (photo === undefined) return html`<span class="no-picture"></span>`;
  const widths = photo.sizes.map(({ width, fullPath }) => `${fullPath} ${width}w`).join(', ');
  const source = photo.sizes[0]?.fullPath ?? photo.fullPath;
  const text = isDecorative ? '' : (photo.altText ?? alt);
  return html`<img src="${source}" srcset="${widths}" sizes="${sizes}" alt="${text}" width="600" height="600"
    loading="${isFirst ? 'eager' : 'lazy'}" fetchpriority="${isFirst ? 'high' : 'auto'}" decoding="async">`;
}

/** The price of an option, with the former one if it is less now. */
export function priceTag(option, prefix = '') {
  const now = html`<b>${prefix}${shortDollars(priceNow(option))}</b>`;
  if (!isOffer(option)) return now;
  return html`<span class="unseen">Now</span> ${now} <s><span class="unseen">before</span> ${shortDollars(option.price)}</s>`;
}

const cardSizes = '(min-width: 75rem) 17rem, (min-width: 48rem) 30vw, 45vw';

/** A product on the menu. The whole card is a link; the round button puts the cheapest option into the cart. */
export function productCard(product, { isFirst = false, level = 3 } = {}) {
  const option = cheapest(product);
  const facts = [strainWords(product.strainType), potency(product, 'thc') ?? potency(product, 'cbd')];
  const isHere = product.options.some(isThere);
  const hasOffer = product.options.some((it) => isOffer(it) && isThere(it));
  const heading = html`<a href="${productPath(product)}">${product.name}</a>`;
  return html`<li class="card ${isHere ? '' : 'gone'}">
    <div class="frame">${picture(product.photos[0], cardSizes, { alt: product.name, isFirst })}
      ${hasOffer && isHere ? html`<span class="flag">Offer</span>` : ''}
      ${isHere ? '' : html`<span class="flag quiet">Sold out</span>`}
    </div>
    <div class="about">
      ${level === 3 ? html`<h3>${heading}</h3>` : html`<h2>${heading}</h2>`}
      <p class="soft">${product.brand?.name ?? product.primaryCategory.name}</p>
      <p class="soft facts">${facts.filter(Boolean).join(' · ')}</p>
      <p class="price">${priceTag(option, product.options.length > 1 ? 'from ' : '')}</p>
    </div>
    ${
      isHere
        ? html`<button class="add" type="button" id="add-${product.id}" data-add="${product.id}"
        aria-label="Add ${product.name}, ${option.name}, to the cart"><span aria-hidden="true">+</span></button>`
        : ''
    }
  </li>`;
}
