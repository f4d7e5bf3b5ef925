import { ApiFailure } from '../../api.ts';
import { failedWrite } from '../../parts/unanswered.ts';

/** The types that the service accepts (D46). */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const;

interface NamedFile {
  readonly name: string;
  readonly type: string;
}

/** The result of an upload: the number added, and the refused files with reasons. */
interface Uploaded {
  readonly added: number;
  readonly refused: readonly { readonly name: string; readonly why: string }[];
}

/** Splits dropped files into pictures and others. */
export function splitPictures<Given extends NamedFile>(files: readonly Given[]): [Given[], Given[]] {
  const isPicture = ({ type }: Given) => (pictureTypes as readonly string[]).includes(type);
  return [files.filter(isPicture), files.filter((file) => !isPicture(file))];
}

/** Uploads the files one by one, in order. A refused file does not stop the others; an ended session does. */
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
