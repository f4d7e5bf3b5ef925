/** A zone as far as its postal codes go. */
interface Zone {
  readonly id: number;
  readonly name: string;
  readonly postalCodes: readonly string[];
}

/** Case and spaces do not matter to the service either. */
function plain(code: string): string {
  return code.replace(/\s/g, '').toUpperCase();
}

/** Codes of a draft that another zone has already, with its name: the service refuses them. */
export function codesOfOtherZones(
  codes: readonly string[],
  zoneId: number | null,
  zones: readonly Zone[],
): readonly { readonly code: string; readonly zone: string }[] {
  const owners = new Map(
    zones
      .filter(({ id }) => id !== zoneId)
      .flatMap(({ name, postalCodes }) => postalCodes.map((code) => [plain(code), name] as const)),
  );
  return codes.flatMap((code) => {
    const zone = owners.get(plain(code));
    return zone === undefined ? [] : [{ code, zone }];
  });
}

/** A beginning in one zone, and longer codes within it that another has: there the longer ones decide. */
export interface ZoneException {
  readonly prefix: string;
  readonly of: Zone;
  readonly codes: readonly string[];
  readonly codesOf: Zone;
}

/** Where one zone lies within the beginnings of another. */
export function zoneExceptions(zones: readonly Zone[]): readonly ZoneException[] {
  return zones.flatMap((of) =>
    of.postalCodes
      .filter((code) => plain(code).endsWith('*'))
      .flatMap((prefix) =>
        zones.flatMap((codesOf) => {
          const codes = codesOf.postalCodes.filter((code) => isWithin(plain(code), plain(prefix)));
          return codesOf.id === of.id || codes.length === 0 ? [] : [{ prefix, of, codes, codesOf }];
        }),
      ),
  );
}

function isWithin(code: string, prefix: string): boolean {
  return code !== prefix && code.replace('*', '').startsWith(prefix.slice(0, -1));
}

/** In a line; the zone of `hereId` is `here`. */
export function exceptionInWords({ prefix, of, codes, codesOf }: ZoneException, hereId?: number): string {
  const place = (zone: Zone) => (zone.id === hereId ? 'here' : `of ${zone.name}`);
  return `${prefix} ${place(of)}, but for ${codes.join(', ')} ${place(codesOf)}`;
}
