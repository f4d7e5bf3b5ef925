import type { Locator, Page } from 'playwright-core';
import type { ConsolePage } from './proof-page.test-support.ts';
import type { ProofShop } from './proof-shop.test-support.ts';
import { scan, scanLicense } from './scan.test-support.ts';

type Role = Parameters<Page['getByRole']>[0];

/** The places in the page, known only to the hands: what a job holds can neither be clicked nor typed into. */
const places = new WeakMap<Thing, Locator>();

/** Something on the page that a job can name, see, and act on with its hands only. */
class Thing {
  constructor(place: Locator) {
    places.set(this, place);
  }

  /** What is within it, by role and name. */
  the(role: Role, name?: string | RegExp): Thing {
    return new Thing(placeOf(this).getByRole(role, named(name)));
  }

  /** Those of the same kind that say this. */
  saying(text: string | RegExp): Thing {
    return new Thing(placeOf(this).filter({ hasText: text }));
  }

  /** The one with a link there. */
  to(address: string): Thing {
    const place = placeOf(this);
    return new Thing(place.filter({ has: place.page().locator(`a[href*="${address}"]`) }));
  }

  /** The word on it, as where a choice is a word to tap. */
  word(text: string): Thing {
    return new Thing(placeOf(this).getByText(text, { exact: true }));
  }

  /** Once it can be pressed. */
  enabled(): Thing {
    const place = placeOf(this);
    return new Thing(place.and(place.page().locator(':enabled')));
  }

  /** Once it has the focus. */
  focused(): Thing {
    const place = placeOf(this);
    return new Thing(place.and(place.page().locator(':focus')));
  }

  /** Once it is the selected one. */
  selected(): Thing {
    const place = placeOf(this);
    return new Thing(place.and(place.page().locator('[aria-selected=true]')));
  }

  nth(place: number): Thing {
    return new Thing(placeOf(this).nth(place));
  }
}

/** The hands of staff: they act on a page, and every act counts. Jobs have no other way to act. */
export class Hands {
  readonly #page: Page;
  readonly #steps: string[] = [];
  #actions = 0;
  #begunMs: number | null = null;
  #endedMs = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Scans, taps, keys, and values typed into fields, so far. */
  get actions(): number {
    return this.#actions;
  }

  /** From the first act to what was last seen. */
  get ms(): number {
    return Math.round(this.#endedMs - (this.#begunMs ?? this.#endedMs));
  }

  /** What was done and seen, each with the milliseconds since the first act. */
  get steps(): string {
    return this.#steps.join('\n');
  }

  /** What is on the page, by role and name. A text is the whole name. */
  the(role: Role, name?: string | RegExp): Thing {
    return new Thing(this.#page.getByRole(role, named(name)));
  }

  /** Waits until it is shown. Looking is no act. */
  async see(thing: Thing): Promise<void> {
    await placeOf(thing).first().waitFor();
    this.#end(`saw ${placeOf(thing)}`);
  }

  /** Waits until it is no longer there. */
  async seeGone(thing: Thing): Promise<void> {
    await placeOf(thing).first().waitFor({ state: 'detached' });
    this.#end(`saw the end of ${placeOf(thing)}`);
  }

  /** Waits until these words are shown. */
  async read(words: string | RegExp): Promise<void> {
    await this.#page.getByText(words).first().waitFor();
    this.#end(`read ${words}`);
  }

  /** A tap or a click. */
  async tap(thing: Thing): Promise<void> {
    this.#act();
    await placeOf(thing).click();
    this.#end(`tapped ${placeOf(thing)}`);
  }

  /** One value typed into a field, with the way into the field. */
  async type(thing: Thing, value: string): Promise<void> {
    this.#act();
    await placeOf(thing).fill(value);
    this.#end(`typed ${value}`);
  }

  /** One value typed where the focus is. */
  async typeHere(value: string): Promise<void> {
    this.#act();
    await this.#page.keyboard.type(value);
    this.#end(`typed ${value}`);
  }

  /** A key, or a chord such as `Control+k`. */
  async press(key: string): Promise<void> {
    this.#act();
    await this.#page.keyboard.press(key);
    this.#end(`pressed ${key}`);
  }

  /** A code read by the scanner, wherever the focus is. */
  async scan(code: string): Promise<void> {
    this.#act();
    await scan(this.#page, code);
    this.#end(`scanned ${code}`);
  }

  /** A driver's license read by the scanner. */
  async scanLicense(lines: readonly string[]): Promise<void> {
    this.#act();
    await scanLicense(this.#page, lines);
    this.#end('scanned a license');
  }

  #act(): void {
    this.#begunMs ??= performance.now();
    this.#actions += 1;
  }

  #end(what: string): void {
    this.#endedMs = performance.now();
    this.#steps.push(`${this.ms} ms: ${what}`);
  }
}

/** A job of staff: `prepare` brings the page to where it begins and is not counted; `work` is done with counted hands. */
export interface Job {
  readonly prepare: (shop: ProofShop) => Promise<{
    readonly console: ConsolePage;
    readonly work: (hands: Hands) => Promise<void>;
  }>;
}

function placeOf(thing: Thing): Locator {
  return places.get(thing)!;
}

function named(name: string | RegExp | undefined) {
  if (name === undefined) return {};
  return typeof name === 'string' ? { name, exact: true } : { name };
}
