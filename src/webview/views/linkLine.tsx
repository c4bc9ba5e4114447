import { Icon } from '../dom/components';
import type { RecordLinks } from '../../protocol/tableProtocol';
import type { Texts } from '../../summary/texts';

/** A line with the button that opens the file which a finding names, or else the one that searches for its asset. */
export function linkLine(
  { file, asset }: RecordLinks,
  texts: Texts,
  follow: (type: 'openFile' | 'findAsset') => void,
) {
  if (file === undefined && asset === undefined) {
    return null;
  }
  const isFile = file !== undefined;
  const label = isFile ? texts.get('openFile', file) : texts.get('findAsset');
  return (
    <p class="record-links">
      <button
        type="button"
        class="text-button link link-button"
        title={isFile ? label : `${label}: ${asset}`}
        onClick={() => follow(isFile ? 'openFile' : 'findAsset')}
      >
        <Icon name={isFile ? 'source' : 'find'} />
        <span dir="auto">{label}</span>
      </button>
    </p>
  );
}
