import { t } from '../../words/words.ts';

/** The part of a zone that concerns ZIP codes. */
interface Zone {
  readonly id: number;
  readonly name: string;
  readonly postalCodes: readonly string[];
}

/** Normalizes a code: the service ignores case and spaces too. */
function plain(code: string): string {
  return code.replace(/\s/g, '').toUpperCase();
}

/** Codes of a draft that another zone already has, with its name: the service refuses them. */
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

/** A prefix in one zone with longer codes in another zone, which apply there. */
interface ZoneException {
  readonly prefix: string;
  readonly of: Zone;
  readonly codes: readonly string[];
  readonly codesOf: Zone;
}

/** The overlaps of zones by prefix. */
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

/** One line of text; the zone of `hereId` is called `here`. */
export function exceptionInWords({ prefix, of, codes, codesOf }: ZoneException, hereId?: number): string {
  const place = (zone: Zone) => (zone.id === hereId ? t`here` : t`of ${zone.name}`);
  return t`${prefix} ${place(of)}, except ${codes.join(', ')} ${place(codesOf)}`;
}
