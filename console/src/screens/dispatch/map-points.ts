/* Where points of the board are drawn. Pure. */

interface Area {
  readonly latitude: number;
  readonly longitude: number;
}

/** Small, so that its words are not too small on a phone. */
export const mapWidth = 420;
export const mapHeight = 260;
const edge = 28;
const milesPerDegree = 69;
/** So that one stop is not a map of its own street. */
const milesMin = 3;

/** A flat drawing of places that lie within a day's drive: north above, miles as long up as across. */
export function flatMap(places: readonly Area[]): {
  readonly at: (area: Area) => { readonly x: number; readonly y: number };
  readonly pixelsPerMile: number;
} {
  const latitudes = places.map(({ latitude }) => latitude);
  const longitudes = places.map(({ longitude }) => longitude);
  const middle = { latitude: middleOf(latitudes), longitude: middleOf(longitudes) };
  const milesEast = milesPerDegree * Math.cos((middle.latitude * Math.PI) / 180);
  const pixelsPerMile = Math.min(
    (mapWidth - 2 * edge) / Math.max(milesMin, spanOf(longitudes) * milesEast),
    (mapHeight - 2 * edge) / Math.max(milesMin, spanOf(latitudes) * milesPerDegree),
  );
  return {
    pixelsPerMile,
    at: ({ latitude, longitude }) => ({
      x: mapWidth / 2 + (longitude - middle.longitude) * milesEast * pixelsPerMile,
      y: mapHeight / 2 - (latitude - middle.latitude) * milesPerDegree * pixelsPerMile,
    }),
  };
}

const spanOf = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
const middleOf = (values: readonly number[]) => (Math.max(...values) + Math.min(...values)) / 2;

/** Two dots beside each other. */
const spreadPixels = 15;

/** Points of one ZIP code lie on each other: they are drawn around it, the first one in its middle. */
export function spread<Point extends { readonly x: number; readonly y: number }>(
  points: readonly Point[],
): Point[] {
  const seen = new Map<string, number>();
  return points.map((point) => {
    const place = `${Math.round(point.x)} ${Math.round(point.y)}`;
    const nth = seen.get(place) ?? 0;
    seen.set(place, nth + 1);
    // A sunflower: each point has about the same room.
    const [radius, angle] = [spreadPixels * Math.sqrt(nth), nth * 2.4];
    return { ...point, x: point.x + radius * Math.cos(angle), y: point.y + radius * Math.sin(angle) };
  });
}

/** A round number of miles that is about a fifth of the drawing. */
export function scaleMiles(pixelsPerMile: number): number {
  const miles = mapWidth / 5 / pixelsPerMile;
  return [50, 20, 10, 5, 2, 1].find((round) => round <= miles) ?? 0.5;
}
