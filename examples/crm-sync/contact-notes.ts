import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { EndedRecord } from '../../sdk/integrator/src/mirror/mirror-sdk.ts';

/** Notes of the own system on customers of the shop, by the customer's id: what no copy can bring back. */
export class ContactNotes {
  readonly #file: string;
  #notes: Record<string, readonly string[]>;

  constructor(file: string) {
    this.#file = file;
    this.#notes = readNotes(file);
  }

  of(customerId: number | string): readonly string[] {
    return this.#notes[customerId] ?? [];
  }

  add(customerId: number | string, note: string): void {
    this.#save({ ...this.#notes, [customerId]: [...this.of(customerId), note] });
  }

  /**
   * Carries the end of customers into the notes: those of a merged one go to the customer who has the data now, those of an
   * erased one are deleted. May be done again at any time; resolves to how many were changed.
   */
  follow(ended: readonly EndedRecord[]): { readonly forgotten: number; readonly merged: number } {
    const next = { ...this.#notes };
    const count = { forgotten: 0, merged: 0 };
    for (const { collection, id, reason, intoId } of ended) {
      if (collection !== 'customers' || next[id] === undefined) continue;
      if (reason === 'merged' && intoId !== null) {
        next[intoId] = [...(next[intoId] ?? []), ...next[id]];
        count.merged += 1;
      } else {
        count.forgotten += 1;
      }
      delete next[id];
    }
    if (count.forgotten + count.merged > 0) this.#save(next);
    return count;
  }

  #save(notes: Record<string, readonly string[]>): void {
    replaceFile(this.#file, JSON.stringify(notes, null, 2));
    this.#notes = notes;
  }
}

function readNotes(file: string): Record<string, readonly string[]> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

/** Writes a file as a whole: a reader sees the former one or this one. No other account of the machine reads it. */
export function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
