import { cart } from './cart.mjs';
import { html } from './html.mjs';

/* When an order is for, where the shop has time slots. */

/** The slots for the order type and the address of the cart, by time. */
function slotsOf({ timeSlots = [], deliveryZones }) {
  const { type, postalCode } = cart();
  const zone = type === 'delivery' ? zoneOf(deliveryZones, postalCode) : null;
  return timeSlots.filter(
    ({ orderType, deliveryZoneIds }) =>
      orderType === type && (deliveryZoneIds.length === 0 || deliveryZoneIds.includes(zone?.id)),
  );
}

/** The zone of a ZIP code: the longest of the codes and prefixes that fit decides. */
function zoneOf(zones, postalCode) {
  const code = postalCode.trim().slice(0, 5);
  const lengthIn = ({ postalCodes }) =>
    Math.max(
      0,
      ...postalCodes
        .filter((it) => (it.endsWith('*') ? code.startsWith(it.slice(0, -1)) : it === code))
        .map((it) => it.length),
    );
  const [nearest] = zones.toSorted((a, b) => lengthIn(b) - lengthIn(a));
  return nearest !== undefined && lengthIn(nearest) > 0 ? nearest : null;
}

/** The choice of a time, in the time zone of the shop; nothing where the shop has no slots for this order. */
export function whenPart(shop, chosen) {
  const slots = slotsOf(shop);
  if (slots.length === 0) return html``;
  const days = new Map();
  for (const slot of slots) {
    const day = dayWords(slot.from, shop.tz);
    days.set(day, [...(days.get(day) ?? []), slot]);
  }
  const { type } = cart();
  return html`<label class="field"><span>When</span><select name="slot" id="field-slot" ${shop.needsTimeSlot[type] ? html`required` : ''}>
    <option value="">${shop.needsTimeSlot[type] ? 'Choose a time' : 'As soon as possible'}</option>
    ${[...days].map(
      ([day, times]) =>
        html`<optgroup label="${day}">${times.map(
          ({ from, to, left }) =>
            html`<option value="${from}" ${left === 0 ? html`disabled` : ''} ${from === chosen ? html`selected` : ''}>${slotWords({ from, to }, shop.tz)}${leftWords(left)}</option>`,
        )}</optgroup>`,
    )}</select></label>`;
}

const leftWords = (left) => (left === 0 ? ', full' : left <= 3 ? `, ${left} left` : '');

const dayWords = (timestamp, timeZone) =>
  new Date(timestamp).toLocaleDateString('en-US', {
    timeZone,
    weekday: 'long',
    month: 'long',
    day: 'numeric',
  });

const timeWords = (timestamp, timeZone) =>
  new Date(timestamp).toLocaleTimeString('en-US', { timeZone, hour: 'numeric', minute: '2-digit' });

/** `Friday, March 6, 5:00 PM to 7:00 PM`. */
export const slotWords = ({ from, to }, timeZone) =>
  `${dayWords(from, timeZone)}, ${timeWords(from, timeZone)} to ${timeWords(to, timeZone)}`;

/** The field of an order that chooses a time; nothing: as soon as possible. */
export function slotFields(form) {
  const from = form.elements.slot?.value ?? '';
  if (from === '') return {};
  return cart().type === 'delivery' ? { deliverAt: from } : { pickupAt: from };
}
