import { IconPhoto } from '@tabler/icons-react';
import { photoSource } from '../../parts/photo-source.ts';
import classes from './catalog.module.css';

/** A product's picture in a list; an icon if there is no stored photo. */
export function ProductThumbnail({
  url,
  alt = '',
  size = 32,
}: {
  url: string | undefined;
  /** Its alternative text; blank: it adds nothing to the words beside it. */
  alt?: string;
  size?: number;
}) {
  const source = photoSource(url);
  return source ? (
    <img
      className={classes.thumbnail}
      src={source}
      alt={alt}
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
    />
  ) : (
    <span className={classes.noPhoto} style={{ width: size, height: size }}>
      <IconPhoto size={size / 2} stroke={1.5} aria-hidden />
    </span>
  );
}
