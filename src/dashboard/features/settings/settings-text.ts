/** The texts of a list in the settings. */
export interface SettingsText {
  readonly about: string;
  readonly add: string;
  readonly noneTitle: string;
  /** Shown in an empty list to users who may add items. */
  readonly none: string;
  readonly noneReadOnly?: string;
}
