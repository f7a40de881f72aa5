import { t } from '../../kit/language/language.ts'

/** New recovery codes, which are shown only once. */
export const RecoveryCodes = ({ codes, onStored }: { codes: readonly string[]; onStored: () => void }) => (
  <>
    <h2>{t('enrol.codes')}</h2>
    <p>{t('enrol.codes-text')}</p>
    <ul class="recovery-codes">
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
    <div class="buttons">
      <button type="button" class="primary" onClick={onStored}>
        {t('enrol.codes-stored')}
      </button>
    </div>
  </>
)
