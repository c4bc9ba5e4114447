import { element, icon } from '../dom';
import type { RecordLinks } from '../protocol';
import type { Texts } from '../texts';

/** The button that opens the file which a finding names, or else the one that searches for its asset. */
export function linkButtons(
  { file, asset }: RecordLinks,
  texts: Texts,
  actions: { readonly openFile: () => void; readonly findAsset: () => void },
): HTMLButtonElement[] {
  if (file !== undefined) {
    const label = texts.get('openFile', file);
    return [linkButton('source', label, label, actions.openFile)];
  }
  if (asset === undefined) {
    return [];
  }
  const label = texts.get('findAsset');
  return [linkButton('find', label, `${label}: ${asset}`, actions.findAsset)];
}

function linkButton(
  name: 'source' | 'find',
  label: string,
  title: string,
  onClick: () => void,
): HTMLButtonElement {
  const attributes = { type: 'button', class: 'text-button link link-button', title };
  const made = element('button', attributes, icon(name), element('span', { dir: 'auto' }, label));
  made.addEventListener('click', onClick);
  return made;
}
