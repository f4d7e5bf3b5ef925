import { IconPhoto } from '@tabler/icons-react';
import { photoSource } from '../../parts/photo-source.ts';
import classes from './catalog.module.css';

/** The picture of a product in a list; a mark where it has none that lies here. */
export function ProductThumbnail({ url, size = 32 }: { url: string | undefined; size?: number }) {
  const source = photoSource(url);
  return source ? (
    <img
      className={classes.thumbnail}
      src={source}
      alt=""
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
