import { ApiFailure } from '../../api.ts';
import { failedWrite } from '../../parts/unanswered.ts';

/** What the service takes (D46). */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const;

interface NamedFile {
  readonly name: string;
  readonly type: string;
}

/** What became of several files: how many are added, and why the others are not. */
export interface Uploaded {
  readonly added: number;
  readonly refused: readonly { readonly name: string; readonly why: string }[];
}

/** Pictures, and what else was dropped with them. */
export function sortedOut<Given extends NamedFile>(files: readonly Given[]): [Given[], Given[]] {
  const isPicture = ({ type }: Given) => (pictureTypes as readonly string[]).includes(type);
  return [files.filter(isPicture), files.filter((file) => !isPicture(file))];
}

/** Sends one after the other, in their order. One that is refused keeps none of the others back; an ended session does. */
export async function addAll<Given extends NamedFile>(
  files: readonly Given[],
  send: (file: Given) => Promise<unknown>,
): Promise<Uploaded> {
  const refused: { name: string; why: string }[] = [];
  for (const file of files) {
    try {
      await send(file);
    } catch (error) {
      if (error instanceof ApiFailure && error.status === 401) throw error;
      refused.push({ name: file.name, why: failedWrite(error, '').message });
    }
  }
  return { added: files.length - refused.length, refused };
}
