import { parentPort } from 'node:worker_threads';
import type { ImportItem } from './import-items.ts';
import { MenuFileReader } from './menu-reader.ts';
import type { Answer, Message, Question } from './thread-messages.ts';
import { UnreadableFile } from './unreadable-file.ts';
import { uploadedFile } from './uploaded-file.ts';

/**
 * The program of a thread that reads files of shops (thread-readers.ts). It answers one question after the other, so that what
 * takes long, or never ends, keeps no request of another shop waiting.
 */

const port = parentPort!;

let reader: MenuFileReader | null = null;
let items: AsyncIterator<ImportItem> | null = null;

/** A part is as large as one transaction, or as much text as may be read again at once. */
const itemsPerPart = 200;
const textPerPart = 1_000_000;

async function answerTo(question: Question): Promise<unknown> {
  switch (question.ask) {
    case 'open':
      reader = new MenuFileReader(uploadedFile(question.name, Buffer.from(question.content)));
      return null;
    case 'outline':
      return reader!.outline();
    case 'guess':
      return reader!.guess(question.preset);
    case 'begin':
      items = reader!.items(question.mapping, question.asked)[Symbol.asyncIterator]();
      return null;
    case 'next':
      return nextPart();
  }
}

async function nextPart(): Promise<ImportItem[]> {
  const part: ImportItem[] = [];
  let text = 0;
  while (part.length < itemsPerPart && text < textPerPart) {
    const { done, value } = await items!.next();
    if (done) break;
    part.push(value);
    text += JSON.stringify(value.body).length;
  }
  return part;
}

port.on('message', (message: Message) => {
  if (message === 'close') {
    [reader, items] = [null, null];
    return;
  }
  answerTo(message).then(
    (value) => port.postMessage({ value } satisfies Answer),
    (problem: Error) =>
      port.postMessage({
        problem: {
          isUnreadable: problem instanceof UnreadableFile,
          isTooDeep: problem instanceof RangeError,
          name: problem.name,
          message: problem.message,
          stack: problem.stack ?? '',
        },
      } satisfies Answer),
  );
});
