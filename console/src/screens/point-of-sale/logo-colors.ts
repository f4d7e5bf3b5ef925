import { type CSSProperties, useEffect, useState } from 'react';

/** The side of the picture that is looked at, in pixels: a color of a logo is on many of them. */
const side = 24;

type Rgb = readonly [number, number, number];

/** The strongest color of a picture's pixels (RGBA): the most frequent, where gray and see-through ones do not count; null: it has none. */
export function strongestColor(pixels: ArrayLike<number>): Rgb | null {
  const counts = new Map<string, { color: Rgb; count: number }>();
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    const color: Rgb = [pixels[at]!, pixels[at + 1]!, pixels[at + 2]!];
    if (pixels[at + 3]! < 200 || Math.max(...color) - Math.min(...color) < 40) continue;
    const key = color.map((part) => part >> 5).join();
    counts.set(key, { color, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  const [first] = [...counts.values()].sort((one, other) => other.count - one.count);
  return first?.color ?? null;
}

/** White or black: what is easier to read on a color (WCAG's relative luminance). */
export function readableOn(color: Rgb): '#ffffff' | '#000000' {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}

/** The colors of the shop, which are those of its logo, as variables of style; undefined: it has no logo, or a gray one. */
export function useLogoColors(logo: string | null): CSSProperties | undefined {
  const [color, setColor] = useState<Rgb | null>(null);
  useEffect(() => {
    setColor(null);
    if (logo === null) return;
    const picture = new Image();
    picture.onload = () => {
      const drawn = Object.assign(document.createElement('canvas'), { width: side, height: side });
      const context = drawn.getContext('2d');
      context?.drawImage(picture, 0, 0, side, side);
      if (context) setColor(strongestColor(context.getImageData(0, 0, side, side).data));
    };
    picture.src = logo;
    return () => {
      picture.onload = null;
    };
  }, [logo]);
  if (color === null) return undefined;
  return { '--brand': `rgb(${color.join(' ')})`, '--on-brand': readableOn(color) } as CSSProperties;
}
