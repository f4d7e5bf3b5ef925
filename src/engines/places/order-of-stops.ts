import { milesBetween, type Place } from './places.ts';

/* A suggested order of stops. Pure. */

/** A stop that a driver goes to. */
export interface RoutedStop {
  readonly id: string;
  /** When its time slot begins, as ISO text; null: at any time, after those that have one. */
  readonly from: string | null;
  /** Null: not known. */
  readonly place: Place | null;
  /** ZIP code and street: neighbors follow each other, and an order does not depend on chance. */
  readonly street: string;
}

/**
 * The ids in a suggested order: by time slot, and within one by a short way from where the driver is then. The way is the nearest stop next, made
 * shorter by turning parts of it around while that helps: short, not the shortest. Stops whose place is not known come last in their slot.
 */
export function orderOfStops(stops: readonly RoutedStop[], start: Place | null): string[] {
  const byStreet = stops.toSorted((a, b) => a.street.localeCompare(b.street, 'en', { numeric: true }));
  const slotOf = ({ from }: RoutedStop) => from ?? '9999';
  const route: RoutedStop[] = [];
  for (const slot of [...new Set(byStreet.map(slotOf))].toSorted()) {
    const last = route.findLast(({ place }) => place !== null)?.place ?? start;
    const inSlot = byStreet.filter((stop) => slotOf(stop) === slot);
    const known = inSlot.filter((stop): stop is PlacedStop => stop.place !== null);
    route.push(...untangled(nearestNext(known, last), last));
    route.push(...inSlot.filter(({ place }) => place === null));
  }
  return route.map(({ id }) => id);
}

type PlacedStop = RoutedStop & { readonly place: Place };

/** Equally near ones stay in their order. */
function nearestNext(stops: readonly PlacedStop[], start: Place | null): PlacedStop[] {
  const [left, route] = [[...stops], [] as PlacedStop[]];
  let here = start;
  while (left.length > 0) {
    const miles = left.map(({ place }) => (here === null ? 0 : milesBetween(here, place)));
    const [next] = left.splice(miles.indexOf(Math.min(...miles)), 1);
    route.push(next!);
    here = next!.place;
  }
  return route;
}

/** A way that crosses itself is shorter without the crossing (2-opt). Each turn makes it shorter, so this ends. */
function untangled(route: PlacedStop[], start: Place | null): PlacedStop[] {
  const places = (at: number) => (at < 0 ? start : (route[at]?.place ?? null));
  const miles = (a: Place | null, b: Place | null) => (a === null || b === null ? 0 : milesBetween(a, b));
  let isShorter = true;
  while (isShorter) {
    isShorter = false;
    for (let from = 0; from < route.length - 1; from += 1) {
      for (let to = from + 1; to < route.length; to += 1) {
        const [before, first, last, after] = [places(from - 1), places(from), places(to), places(to + 1)];
        const saved = miles(before, first) + miles(last, after) - miles(before, last) - miles(first, after);
        if (saved < 1e-6) continue;
        route.splice(from, to - from + 1, ...route.slice(from, to + 1).reverse());
        isShorter = true;
      }
    }
  }
  return route;
}
