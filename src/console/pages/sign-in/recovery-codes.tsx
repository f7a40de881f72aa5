import { useRef } from 'preact/hooks'
import { t } from '../../kit/language/language.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { saveTextFile } from '../../kit/service/api.ts'
import { instance } from '../../kit/service/instance.ts'
import { CopyButton } from '../../kit/window/copy-button.tsx'

/** New recovery codes, which are shown only once. */
export function RecoveryCodes({ codes, onStored }: { codes: readonly string[]; onStored: () => void }) {
  const list = useRef<HTMLUListElement>(null)
  const text = codes.join('\n')
  const save = () =>
    saveTextFile(`${instance.value.name}\n${t('enrol.codes')}\n\n${text}\n`, `${t('enrol.codes-file')}.txt`, 'text/plain')
  return (
    <div class="recovery">
      <h2>{t('enrol.codes')}</h2>
      <p>{t('enrol.codes-text')}</p>
      <p class="only-printed">{instance.value.name}</p>
      <ul class="recovery-codes" ref={list}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div class="buttons">
        <CopyButton text={text} source={list} />
        <button type="button" onClick={save}>
          <Icon name="receive" />
          {t('enrol.codes-download')}
        </button>
        <button type="button" onClick={() => window.print()}>
          <Icon name="print" />
          {t('enrol.codes-print')}
        </button>
        <button type="button" class="primary" onClick={onStored}>
          {t('enrol.codes-stored')}
        </button>
      </div>
    </div>
  )
}
