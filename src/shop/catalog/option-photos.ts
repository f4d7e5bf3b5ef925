import type { Context } from '../../platform/database/context.ts';
import type { BoundStatement } from '../../platform/statements/statement.ts';
import { deleteOptionPhotosExcept, type PhotoRow } from './product-photo-queries.ts';
import {
  addPhotos,
  arrange,
  keepPhotos,
  photoChanges,
  type ToldPhoto,
  toldPhoto,
  toldRow,
  type WantedPhoto,
  withNewIds,
} from './product-photos.ts';

/** The photos of options when a set of options changes. */

/** An option after a change, with the photos that it gets; undefined: it keeps those that it has. */
interface PicturedOption {
  readonly id: number;
  readonly photos: readonly WantedPhoto[] | undefined;
}

interface OptionPhotosDecision {
  /** The options whose photos change. */
  readonly changedIds: readonly number[];
  readonly statements: readonly BoundStatement<unknown>[];
  /** The photos of an option for the audit; undefined: it has and had none. */
  toldBefore(optionId: number): readonly ToldPhoto[] | undefined;
  toldAfter(optionId: number): readonly ToldPhoto[] | undefined;
}

/** What a change of options does to their photos. An option that goes keeps them: nothing shows it anymore. */
export async function decideOptionPhotos(
  { ids }: Pick<Context, 'ids'>,
  productId: number,
  current: ReadonlyMap<number, readonly PhotoRow[]>,
  options: readonly PicturedOption[],
  photoUrl: (location: string) => string,
): Promise<OptionPhotosDecision> {
  const sent = options.flatMap(({ id, photos }) =>
    photos === undefined ? [] : [{ id, kept: keepPhotos(photos, current.get(id) ?? [], photoUrl) }],
  );
  const count = sent.reduce((sum, { kept }) => sum + kept.filter((photo) => photo.id === null).length, 0);
  const newIds = await ids.take(count);
  const free = [...newIds];
  const fresh = new Set(newIds);
  const toldBefore = (id: number) => current.get(id)?.map(toldRow);
  const changed = sent
    .map(({ id, kept }) => {
      const own = free.splice(0, kept.filter((photo) => photo.id === null).length);
      return { id, photos: withNewIds(kept, own) };
    })
    .filter(({ id, photos }) => photoChanges(toldBefore(id) ?? [], photos.map(toldPhoto)) !== null);
  const after = new Map(changed.map(({ id, photos }) => [id, photos.map(toldPhoto)]));
  const listed = changed.flatMap(({ id: optionId, photos }) =>
    photos.map((photo, position) => ({ ...photo, productId, optionId, position })),
  );
  const kept = listed.filter(({ id }) => !fresh.has(id));
  return {
    changedIds: changed.map(({ id }) => id),
    statements:
      changed.length === 0
        ? []
        : [
            deleteOptionPhotosExcept({
              optionIds: changed.map(({ id }) => id),
              keptIds: kept.map(({ id }) => id),
            }),
            ...arrange(kept),
            ...addPhotos(listed.filter(({ id }) => fresh.has(id))),
          ],
    toldBefore,
    toldAfter: (id) => after.get(id) ?? toldBefore(id),
  };
}
