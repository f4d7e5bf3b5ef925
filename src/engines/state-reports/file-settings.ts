/** What files for a state need besides what is sold. */
export interface FileSettings {
  /** The person or system that the files name; absent: none is chosen. */
  readonly submittedBy?: string;
  /** The one area in which the shop keeps its stock. */
  readonly area?: string;
  /** The state's type of goods by the id of a category here. */
  readonly types?: Readonly<Record<string, string>>;
}
