import { useSignal } from '@preact/signals'
import { Problem } from '../../kit/form/form-footer.tsx'
import { count, t } from '../../kit/language/language.ts'
import { Panel } from '../../kit/page/page.tsx'
import { ApiError, post } from '../../kit/service/api.ts'
import { type ReadSettings, ReadSettingsForm } from '../parts/bom/reading-choices.tsx'
import type { Session } from './session-details.ts'

type Properties = { session: Session; isBusy: boolean; onChange: () => void }

/** How the file was read: sheet, heading row, separator, encoding and decimal separator, all of which can be changed. */
export function ImportFile({ session, isBusy, onChange }: Properties) {
  const problem = useSignal<string | undefined>(undefined)
  const isReading = useSignal(false)
  const { pk, sheet, sheets, heading_row, separator, encoding, decimal_separator, file_row_count, columns } = session
  const read = async (changes: Partial<ReadSettings> & { decimal_separator?: string }) => {
    isReading.value = true
    problem.value = undefined
    // another sheet has its headings in another row
    const current = {
      ...(sheet === null || changes.sheet ? {} : { sheet }),
      ...(changes.sheet || changes.separator ? {} : { heading_row }),
      ...(separator === null ? {} : { separator }),
      ...(encoding === null ? {} : { encoding }),
    }
    try {
      await post(`/api/importer/session/${pk}/read_file/`, { ...current, ...changes })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      problem.value = error.text
    } finally {
      isReading.value = false
      onChange()
    }
  }
  return (
    <Panel title={t('import.file')}>
      <p>
        {t('import.file-text', { rows: count('rows', file_row_count ?? 0), columns: count('import.columns', columns.length) })}
      </p>
      <div class="import-reading">
        <ReadSettingsForm
          settings={{ sheet, sheets, heading_row, separator, encoding }}
          isPasted={false}
          isBusy={isBusy || isReading.value}
          onChoose={read}
        />
        {separator !== null && (
          <label class="field">
            {t('import.decimal')}
            <select
              value={decimal_separator || '.'}
              disabled={isBusy || isReading.value}
              onChange={(event) => read({ decimal_separator: event.currentTarget.value })}
            >
              <option value=".">{t('import.decimal-point')}</option>
              <option value=",">{t('import.decimal-comma')}</option>
            </select>
          </label>
        )}
      </div>
      <Problem form={{ problem }} />
    </Panel>
  )
}
