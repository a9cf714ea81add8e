/** The draft of a page's settings for posts. Pure. */
import { PLAIN_POST_SETTINGS, type PostSettings } from '../../../contracts/status-pages';
import { newRowId } from '../../shared/form/assertions/assertion-draft';

export type TemplateDraft = PostSettings['templates'][number] & { readonly rowId: string };

export interface PostSettingsDraft extends Omit<PostSettings, 'templates'> {
  readonly templates: readonly TemplateDraft[];
}

export function createPostSettingsDraft(settings = PLAIN_POST_SETTINGS): PostSettingsDraft {
  return {
    ...settings,
    templates: settings.templates.map((template) => ({ ...template, rowId: newRowId() })),
  };
}

export function newTemplate(): TemplateDraft {
  return { rowId: newRowId(), name: '', use: 'manual', title: '', text: '' };
}

export function buildPostSettings({ templates, ...settings }: PostSettingsDraft): PostSettings {
  return { ...settings, templates: templates.map(({ rowId: _rowId, ...template }) => template) };
}
