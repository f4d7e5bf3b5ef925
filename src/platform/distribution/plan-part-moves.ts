/** A part of all tables, with the rows of some organizations. */
export interface SizedPart {
  readonly id: string;
  /** `host:port`. */
  readonly server: string;
  readonly bytes: number;
}

interface PartMove {
  readonly part: SizedPart;
  readonly to: string;
}

/** A server that has this share more than another one is left so: parts differ. */
const differenceMin = 0.1;

/**
 * Which parts go where so that servers have about as many bytes each, in as few moves as that takes. With `leaving`, all parts of that
 * server go to the others instead, the largest first, each to the one with the fewest bytes. `servers` are all that take rows.
 */
export function planPartMoves(
  parts: readonly SizedPart[],
  servers: readonly string[],
  leaving?: string,
): readonly PartMove[] {
  const places = new Map(parts.map((part) => [part, part.server]));
  const bytesOn = (server: string) =>
    parts.reduce((sum, part) => sum + (places.get(part) === server ? part.bytes : 0), 0);
  const byBytes = () =>
    servers
      .filter((server) => server !== leaving)
      .map((server) => ({ server, bytes: bytesOn(server) }))
      .toSorted((one, other) => one.bytes - other.bytes);
  const moves: PartMove[] = [];
  const move = (part: SizedPart, to: string) => {
    places.set(part, to);
    moves.push({ part, to });
  };
  if (leaving !== undefined) {
    const going = parts.filter(({ server }) => server === leaving);
    for (const part of going.toSorted((one, other) => other.bytes - one.bytes))
      move(part, byBytes()[0]!.server);
    return moves;
  }
  // Each part goes once at most.
  while (moves.length < parts.length) {
    const ordered = byBytes();
    const [least, most] = [ordered[0], ordered.at(-1)];
    if (least === undefined || most === undefined) break;
    const difference = most.bytes - least.bytes;
    if (difference <= differenceMin * most.bytes) break;
    // What halves the difference best; a part that is larger than the difference would only turn it around.
    const best = parts
      .filter((part) => places.get(part) === most.server && part.bytes > 0 && part.bytes < difference)
      .toSorted(
        (one, other) => Math.abs(one.bytes - difference / 2) - Math.abs(other.bytes - difference / 2),
      )[0];
    if (best === undefined || moves.some(({ part }) => part === best)) break;
    move(best, least.server);
  }
  return moves;
}
