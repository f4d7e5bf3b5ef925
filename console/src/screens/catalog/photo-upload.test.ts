import { expect, test } from 'vitest';
import { ApiFailure } from '../../../../sdk/src/api-failure.ts';
import { addAll, splitPictures } from './photo-upload.ts';

const picture = (name: string) => ({ name, type: 'image/jpeg' });

test('a refused picture does not stop the others, and is named', async () => {
  const sent: string[] = [];
  const uploaded = await addAll(['1.jpg', '2.jpg', '3.jpg'].map(picture), async ({ name }) => {
    sent.push(name);
    if (name !== '2.jpg') return;
    throw new ApiFailure({ message: 'The file is damaged.', code: 'INVALID_PHOTO', status: 422 });
  });
  expect(sent).toEqual(['1.jpg', '2.jpg', '3.jpg']);
  expect(uploaded).toEqual({ added: 2, refused: [{ name: '2.jpg', why: 'The file is damaged.' }] });
});

test('uploading stops when the session has ended', async () => {
  const sent: string[] = [];
  const ended = new ApiFailure({
    message: 'There is no session.',
    code: 'INVALID_API_CREDENTIALS',
    status: 401,
  });
  const uploading = addAll(['1.jpg', '2.jpg'].map(picture), async ({ name }) => {
    sent.push(name);
    throw ended;
  });
  await expect(uploading).rejects.toBe(ended);
  expect(sent).toEqual(['1.jpg']);
});

test('dropped files that are not pictures are reported', () => {
  const files = [picture('a.jpg'), { name: 'menu.pdf', type: 'application/pdf' }, { name: 'b', type: '' }];
  expect(splitPictures(files).map((some) => some.map(({ name }) => name))).toEqual([
    ['a.jpg'],
    ['menu.pdf', 'b'],
  ]);
});
