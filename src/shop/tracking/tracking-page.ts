import { directionOf, milesBetween, type Place, zipCenter } from '../../engines/places/places.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { pageHeaders } from '../../platform/http/page-headers.ts';
import type { RequestContext } from '../../platform/http/request-context.ts';
import { type BoundStatement, statement } from '../../platform/statements/statement.ts';
import { Markup, markup } from '../limit-calculator/markup.ts';
import { slotInWords } from '../slots/slots.ts';
import { trackedDelivery, trackingPath } from './tracking-link.ts';

/** What the page says of a delivery. It names no person, no address and no goods: a link can be passed on. */
export interface ShownDelivery {
  shop: string;
  phone: string;
  tz: string;
  number: number | null;
  status: 'draft' | 'new' | 'packed' | 'fulfilled' | 'canceled';
  slot_from: number | null;
  slot_to: number | null;
  fulfilled_at: number | null;
  canceled_at: number | null;
  task_status: 'unassigned' | 'assigned' | 'active' | 'completed' | 'failed' | null;
  estimated_arrival_at: number | null;
  /** The page of another courier; null: none. */
  tracking_url: string | null;
  postal_code: string | null;
  /** Whether the shop shows customers where its drivers are. */
  shows_driver_position: boolean;
}

/** Where the delivery is on its trip; undefined: it is on none. */
export interface StopOfDelivery {
  readonly status: string;
  readonly stops_before: number;
  /** Decimal text: where a driver is who shares it, for the customer whose turn it is; null: not known. */
  readonly latitude: string | null;
  readonly longitude: string | null;
  readonly position_at: number | null;
}

const selectTracked = statement<{ orderId: string }, ShownDelivery>(
  'select_tracked_delivery',
  `select s.name as shop, s.customer_phone as phone, s.tz, o.number, o.status, o.slot_from, o.slot_to, o.fulfilled_at, o.canceled_at,
          t.status as task_status, t.estimated_arrival_at, t.tracking_url, o.postal_code, s.shows_driver_position
     from orders o
     join organizations s on s.id = o.organization_id
     left join order_dispatch_tasks t on t.organization_id = o.organization_id and t.order_id = o.id
    where o.organization_id = :organizationId and o.id = :orderId and o.type = 'delivery'`,
);

/** After that the page of a delivery that is done is gone. */
const shownAfterMs = 3 * 86_400_000;

const stylePath = `${trackingPath}.css`;
const scriptPath = `${trackingPath}.js`;
const policy = [
  ...[
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
  ],
];

/**
 * The page on which the customer of a delivery follows it, by path. `stopOf` reads where it is on its trip.
 */
export function trackingPages(
  context: Context,
  stopOf: (parameters: { orderId: string }) => BoundStatement<StopOfDelivery>,
): Readonly<Record<string, (requestContext: RequestContext) => Promise<void>>> {
  return {
    [trackingPath]: async (requestContext) => {
      const [, query = ''] = requestContext.request.url!.split('?', 2);
      const shown = await readDelivery(context, new URLSearchParams(query), stopOf);
      const headers = pageHeaders({ policy, cacheControl: 'no-store', referrerPolicy: 'no-referrer' });
      const page =
        shown === null
          ? unknownPage()
          : deliveryPage(
              shown.delivery,
              shown.stop,
              driverSeen(shown.delivery, shown.stop, context.clock.now()),
            );
      requestContext.sendFile({ bytes: Buffer.from(page.text), headers }, shown === null ? 404 : 200);
    },
    [stylePath]: async (requestContext) => {
      const headers = { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=300' };
      requestContext.sendFile({ bytes: Buffer.from(style), headers });
    },
    [scriptPath]: async (requestContext) => {
      const headers = {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=300',
      };
      requestContext.sendFile({ bytes: Buffer.from(script), headers });
    },
  };
}

async function readDelivery(
  context: Context,
  query: URLSearchParams,
  stopOf: (parameters: { orderId: string }) => BoundStatement<StopOfDelivery>,
) {
  const asked = await trackedDelivery(context, query);
  if (asked === null) return null;
  const { organization, orderId } = asked;
  const [[delivery], [stop]] = await context.database.read(
    organization as OrganizationId,
    selectTracked({ orderId }),
    stopOf({ orderId }),
  );
  if (delivery === undefined) return null;
  const endedAt = delivery.fulfilled_at ?? delivery.canceled_at;
  if (endedAt !== null && endedAt + shownAfterMs < context.clock.now()) return null;
  return { delivery, stop };
}

/** The states of a delivery as its customer sees them, in their order; `failed` and `canceled` end it. */
export function stateOfDelivery(
  { status, task_status: task }: Pick<ShownDelivery, 'status' | 'task_status'>,
  stop: StopOfDelivery | undefined,
): 'received' | 'packed' | 'out' | 'next' | 'here' | 'done' | 'failed' | 'canceled' {
  if (status === 'fulfilled') return 'done';
  if (status === 'canceled') return 'canceled';
  if (task === 'failed' || stop?.status === 'notHome' || stop?.status === 'refused') return 'failed';
  if (task === 'active') {
    if (stop?.status === 'arrived') return 'here';
    return stop !== undefined && stop.stops_before === 0 ? 'next' : 'out';
  }
  return status === 'packed' ? 'packed' : 'received';
}

/** Where the driver is, seen from the customer. */
export interface SeenDriver {
  /** Whole ones; 0: less than one, or in the customer's own area. */
  readonly miles: number;
  readonly direction: ReturnType<typeof directionOf>;
  readonly minutesAgo: number;
}

/** A driver who has not told for so long is somewhere else. */
const seenForMs = 10 * 60_000;
/** Farther away it says nothing. */
const seenMilesMax = 50;

/**
 * About how far away the driver is, and in which direction; null: the shop or the driver does not show it, it is not this customer's
 * turn, or it is not known. Whole miles and eight directions from the middle of the customer's ZIP code: nearer would be wrong, and
 * would show at whose door the driver was before.
 */
export function driverSeen(
  { shows_driver_position: isShown, postal_code: postalCode }: ShownDelivery,
  stop: StopOfDelivery | undefined,
  nowMs: number,
): SeenDriver | null {
  if (!isShown || stop === undefined || stop.status !== 'waiting') return null;
  const { latitude, longitude, position_at: at } = stop;
  const area = zipCenter(postalCode);
  if (latitude === null || longitude === null || at === null || area === null) return null;
  const driver: Place = { latitude: Number(latitude), longitude: Number(longitude) };
  const miles = Math.round(milesBetween(area, driver));
  if (nowMs - at > seenForMs || miles > seenMilesMax) return null;
  return {
    miles,
    direction: directionOf(area, driver),
    minutesAgo: Math.max(0, Math.floor((nowMs - at) / 60_000)),
  };
}

const headlines: Readonly<Record<ReturnType<typeof stateOfDelivery>, string>> = {
  received: 'We have your order',
  packed: 'Your order is packed',
  out: 'Your order is on its way',
  next: 'You are the next stop',
  here: 'The driver is at your door',
  done: 'Delivered',
  failed: 'We could not deliver your order',
  canceled: 'Your order is canceled',
};

function deliveryPage(
  delivery: ShownDelivery,
  stop: StopOfDelivery | undefined,
  driver: SeenDriver | null,
): Markup {
  const { shop, phone, number, tz, estimated_arrival_at: arrival, tracking_url: elsewhere } = delivery;
  const state = stateOfDelivery(delivery, stop);
  const window = slotInWords(delivery.slot_from, delivery.slot_to, tz);
  const isUnderWay = !['done', 'failed', 'canceled'].includes(state);
  const time = new Intl.DateTimeFormat('en-US', { timeZone: tz, hour: 'numeric', minute: '2-digit' });
  const ahead = stop?.stops_before ?? 0;
  return frame(
    `${headlines[state]}, ${shop}`,
    markup`<p class="shop">${shop}</p>
<h1 data-state="${state}">${headlines[state]}</h1>
${number !== null && markup`<p>Order ${number}</p>`}
${isUnderWay && window !== null && markup`<p>Planned for <b>${window}</b></p>`}
${isUnderWay && arrival !== null && markup`<p>Expected at about <b>${time.format(arrival)}</b></p>`}
${state === 'out' && ahead > 0 && markup`<p>${ahead === 1 ? 'One stop' : `${ahead} stops`} before yours</p>`}
${isUnderWay && driver !== null && driverShown(driver)}
${isUnderWay && steps(state)}
${isUnderWay && markup`<p>Have an identity document at hand that is valid. Someone of age must take the order.</p>`}
${isUnderWay && elsewhere !== null && markup`<p><a href="${elsewhere}" rel="noreferrer">Follow the driver</a></p>`}
${phone !== '' && markup`<p>Questions? Call <a href="tel:${phone}">${phone}</a></p>`}`,
    isUnderWay,
  );
}

function driverInWords({ miles, direction, minutesAgo }: SeenDriver): string {
  const when = minutesAgo < 1 ? 'just now' : minutesAgo === 1 ? 'a minute ago' : `${minutesAgo} minutes ago`;
  const where =
    miles === 0
      ? 'in your area'
      : `about ${miles === 1 ? 'a mile' : `${miles} miles`} to the ${direction} of your area`;
  return `The driver was ${where} ${when}.`;
}

/** Rings of so many miles. */
const rings = [1, 3, 10, 50] as const;
const ringPixels = 40;

/** From the middle, outward: each ring is as wide as the others, so that near is shown large. */
function pixelsOf(miles: number): number {
  const outer = rings.findIndex((ring) => miles <= ring);
  const inner = outer === 0 ? 0 : rings[outer - 1]!;
  return (outer + (miles - inner) / (rings[outer]! - inner)) * ringPixels;
}

const turns = {
  north: 0,
  northeast: 1,
  east: 2,
  southeast: 3,
  south: 4,
  southwest: 5,
  west: 6,
  northwest: 7,
};

/** The words, and a drawing of them: the customer in the middle, north above. */
function driverShown(driver: SeenDriver): Markup {
  const words = driverInWords(driver);
  const [angle, pixels] = [(turns[driver.direction] * Math.PI) / 4, pixelsOf(driver.miles)];
  const [x, y] = [Math.round(pixels * Math.sin(angle)), Math.round(-pixels * Math.cos(angle))];
  const half = rings.length * ringPixels;
  const shown = rings.slice(0, Math.max(2, Math.ceil(pixels / ringPixels) + 1));
  const edge = Math.min(half, shown.length * ringPixels) + 4;
  return markup`<figure>
<svg role="img" aria-label="${words}" viewBox="${-edge} ${-edge} ${2 * edge} ${2 * edge}">
${shown.map(
  (miles, index) => markup`<circle class="ring" r="${(index + 1) * ringPixels}"/>
<text x="0" y="${-(index + 1) * ringPixels + 12}">${miles} mi</text>
`,
)}<circle class="area" r="6"/>
<circle class="driver" data-driver="${driver.miles} ${driver.direction}" cx="${x}" cy="${y}" r="9"/>
</svg>
<figcaption>${words}</figcaption>
</figure>`;
}

function steps(state: ReturnType<typeof stateOfDelivery>): Markup {
  const order = ['received', 'packed', 'out', 'next'] as const;
  const words = { received: 'Received', packed: 'Packed', out: 'On its way', next: 'Next stop' };
  const at = state === 'here' ? order.length : order.indexOf(state as 'received');
  return markup`<ol>${order.map(
    (step, index) => markup`<li class="${index <= at ? 'past' : 'ahead'}">${words[step]}</li>`,
  )}</ol>`;
}

function unknownPage(): Markup {
  return frame(
    'Delivery not found',
    markup`<h1>This delivery is not here</h1>
<p>The address is not complete, or the delivery was some days ago. Look at the mail of the shop again.</p>`,
    false,
  );
}

function frame(title: string, content: Markup, isRefreshed: boolean): Markup {
  return markup`${new Markup('<!doctype html>')}
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="description" content="Where your delivery is">
${isRefreshed && markup`<script src="${scriptPath}" defer></script><noscript><meta http-equiv="refresh" content="30"></noscript>`}
<title>${title}</title>
<link rel="stylesheet" href="${stylePath}">
</head>
<body><main aria-live="polite">${content}</main></body>
</html>
`;
}

/**
 * Reads the page anew, and shows it only if it says something else: a page that loads itself anew begins to be read aloud from its top.
 * Without scripts the browser loads it anew.
 */
const script = `setInterval(async () => {
  if (document.hidden) return;
  const reply = await fetch(location.href).catch(() => null);
  if (!reply?.ok) return;
  const read = new DOMParser().parseFromString(await reply.text(), 'text/html');
  const [shown, next] = [document.querySelector('main'), read.querySelector('main')];
  if (next === null || next.innerHTML === shown.innerHTML) return;
  document.title = read.title;
  shown.replaceChildren(...next.childNodes);
}, 30_000);
`;

const style = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; background: Canvas; color: CanvasText; }
main { max-width: 34rem; margin: 0 auto; padding: 1.5rem 1rem; }
.shop { font-weight: 600; margin: 0; }
h1 { margin: .25rem 0 1rem; line-height: 1.2; }
ol { list-style: none; padding: 0; margin: 1.5rem 0; }
li { padding: .5rem 0 .5rem 1rem; border-left: .25rem solid GrayText; }
li.past { border-left-color: LinkText; font-weight: 600; }
a { display: inline-block; padding: .5rem 0; }
figure { margin: 1rem 0; }
svg { display: block; width: 100%; max-width: 15rem; }
.ring { fill: none; stroke: GrayText; stroke-dasharray: 3 3; }
.area { fill: GrayText; }
.driver { fill: LinkText; stroke: Canvas; stroke-width: 2; }
text { font-size: 10px; fill: CanvasText; text-anchor: middle; }
`;
