/** A file, or the mapping of its columns, that cannot be read as a whole; the message says what to do. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
}
