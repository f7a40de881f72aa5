import { t } from '../../kit/language/language.ts'
import { Panel } from '../../kit/page/page.tsx'
import { attempt } from '../../kit/page/toast.tsx'
import { change } from '../../kit/service/api.ts'
import { getFieldLabel } from './import-field-label.ts'
import type { Session } from './session-details.ts'

/** The value that finds objects by their keys, among the fields. */
const BY_KEY = 'id'

/** Types of fields that can find an object. */
const TEXT_TYPES = new Set(['string', 'url', 'email'])

type Properties = { session: Session; isBusy: boolean; onChange: () => void }

/** How rows find existing objects, and what happens to those that do and those that do not. */
export function ImportMatching({ session, isBusy, onChange }: Properties) {
  const { pk, update_records, match_field, on_match, on_missing, available_fields, column_mappings } = session
  const value = update_records ? BY_KEY : match_field
  const mapped = column_mappings.flatMap(({ field, column }) =>
    column && TEXT_TYPES.has(available_fields[field]?.type ?? '') ? [field] : [],
  )
  const names = [...new Set([...(match_field ? [match_field] : []), ...mapped])]
  const save = async (body: Partial<Session>) => {
    await attempt(() => change(`/api/importer/session/${pk}/`, body, undefined))
    onChange()
  }
  const renderSelect = (
    name: 'on_match' | 'on_missing',
    title: string,
    options: readonly (readonly [value: string, text: string])[],
  ) => (
    <label class="field">
      {title}
      <select value={session[name]} disabled={isBusy} onChange={(event) => save({ [name]: event.currentTarget.value })}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
  return (
    <Panel title={t('import.matching')}>
      <div class="reading-choices">
        <label class="field">
          {t('import.match-by')}
          <select
            value={value}
            disabled={isBusy}
            onChange={(event) => {
              const selected = event.currentTarget.value
              void save({ update_records: selected === BY_KEY, match_field: selected === BY_KEY ? '' : selected })
            }}
          >
            <option value="">{t('import.match-none')}</option>
            <option value={BY_KEY}>{t('import.match-key')}</option>
            {names.map((name) => (
              <option key={name} value={name}>
                {getFieldLabel(name)}
              </option>
            ))}
          </select>
        </label>
        {!update_records && match_field && (
          <>
            {renderSelect('on_match', t('import.on-match'), [
              ['update', t('import.update-it')],
              ['skip', t('import.skip-row')],
            ])}
            {renderSelect('on_missing', t('import.on-missing'), [
              ['create', t('import.create-it')],
              ['skip', t('import.skip-row')],
            ])}
          </>
        )}
      </div>
      <p class="quiet-text">
        {update_records
          ? t('import.match-key-text')
          : match_field
            ? t(on_match === 'update' ? 'import.match-update-text' : 'import.match-skip-text', {
                field: getFieldLabel(match_field),
              })
            : t('import.match-none-text')}
        {!update_records && match_field && on_missing === 'skip' && ` ${t('import.missing-skip-text')}`}
      </p>
    </Panel>
  )
}
