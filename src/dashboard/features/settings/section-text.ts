/** The texts of a section of objects in the settings. */
export interface SectionText {
  readonly about: string;
  readonly add: string;
  readonly noneTitle: string;
  /** Shown in an empty list to users who may add objects. */
  readonly none: string;
  readonly noneReadOnly?: string;
}
