import type { FeedPage } from '../../platform/events/event-feed.ts';
import type { FeedEventRow } from '../../platform/events/event-feed-queries.ts';

/** What a waiting request asks for, so that equal requests are recognized. */
export interface Question {
  /** The reader, types and limit: whatever decides which events the page has. */
  readonly key: string;
  readonly limit: number;
  readonly wants: (event: FeedEventRow) => boolean;
}

const pages = new WeakMap<readonly FeedEventRow[], Map<string, FeedPage>>();

/**
 * The page of the events that a waiting request is told. Thousands wait for the same: those that are told the same array and
 * ask the same get one object, whose text is made once.
 */
export function wokenPage(told: readonly FeedEventRow[], { key, limit, wants }: Question): FeedPage {
  let ofQuestions = pages.get(told);
  if (ofQuestions === undefined) {
    ofQuestions = new Map();
    pages.set(told, ofQuestions);
  }
  let page = ofQuestions.get(key);
  if (page === undefined) {
    const events = told.filter(wants).slice(0, limit);
    // The page ends with its last event; what follows is read with the next page.
    const last = events.length < limit ? told.at(-1)! : events.at(-1)!;
    const cursor = { position: last.position, eventId: last.id };
    page = { events, cursor, hasMore: last !== told.at(-1) };
    ofQuestions.set(key, page);
  }
  return page;
}

const texts = new WeakMap<FeedPage, Map<string, Promise<string>>>();

/** The text of a page, made once for each `form`: also what it shows beside the events is read once. */
export function textOfPage(page: FeedPage, form: string, make: () => Promise<string>): Promise<string> {
  let ofForms = texts.get(page);
  if (ofForms === undefined) {
    ofForms = new Map();
    texts.set(page, ofForms);
  }
  let text = ofForms.get(form);
  if (text === undefined) {
    text = make();
    ofForms.set(form, text);
  }
  return text;
}
