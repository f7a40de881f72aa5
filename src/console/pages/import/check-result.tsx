import { count, formatNumber, t } from '../../kit/language/language.ts'
import { Panel } from '../../kit/page/page.tsx'
import { getFieldLabel } from './import-field-label.ts'
import { IMPORT_TYPES } from './import-types.ts'
import { type Session, type Summary, sumCounts } from './session-details.ts'

/** Fields whose errors are listed. */
const MAX_ERRORS = 8

type Properties = {
  session: Session
  summary: Summary
  isBusy: boolean
  /** @param total number of rows that are imported */
  onAccept: (total: number) => void
}

/** What the import would do, or did, and the button that does it. */
export function CheckResult({ session, summary, isBusy, onAccept }: Properties) {
  const { open, accepted, invalid, errors, created, created_count } = summary
  const openCount = sumCounts(open)
  const acceptedCount = sumCounts(accepted)
  const { list } = IMPORT_TYPES[session.model_type] ?? {}
  return (
    <Panel title={t(acceptedCount > 0 ? 'import.result' : 'import.dry-run')}>
      {acceptedCount > 0 && (
        <p class="import-summary">
          {t('import.done', {
            created: formatNumber(accepted.create),
            updated: formatNumber(accepted.update),
            unchanged: formatNumber(accepted.unchanged),
            skipped: formatNumber(accepted.skip),
          })}
        </p>
      )}
      {acceptedCount > 0 && list && accepted.create + accepted.update > 0 && (
        <p>
          <a class="button primary" href={`${list}?imported=${session.pk}`}>
            {t('import.show-imported')}
          </a>
        </p>
      )}
      {openCount + invalid > 0 && <p class="import-summary">{describeOpen(summary)}</p>}
      {created_count > 0 && openCount > 0 && (
        <details open>
          <summary>{count('import.also-created', created_count)}</summary>
          <ul>
            {created.map(({ field, name, rows }) => (
              <li key={`${field} ${name}`}>
                {getFieldLabel(field)}: {name} <small>({count('rows', rows)})</small>
              </li>
            ))}
          </ul>
        </details>
      )}
      {invalid > 0 && (
        <ul class="import-errors">
          {errors.slice(0, MAX_ERRORS).map(({ field, code, rows }) => (
            <li key={`${field} ${code}`}>
              {count('import.rows-with-error', rows)}: {field ? getFieldLabel(field) : t('import.whole-row')}
            </li>
          ))}
        </ul>
      )}
      <div class="buttons">
        {openCount > 0 && (
          <button type="button" class="primary" disabled={isBusy} onClick={() => onAccept(openCount)}>
            {count('import.import', openCount)}
          </button>
        )}
        {invalid > 0 && (
          <a class="button" href={`/import/${session.pk}/?valid=false`}>
            {t('import.show-errors')}
          </a>
        )}
      </div>
    </Panel>
  )
}

/** "12 will be created, 3 updated, 2 skipped, 1 has an error". */
function describeOpen({ open, invalid }: Summary): string {
  const parts = [
    open.create > 0 && count('import.will-create', open.create),
    open.update > 0 && count('import.will-update', open.update),
    open.unchanged > 0 && count('import.will-keep', open.unchanged),
    open.skip > 0 && count('import.will-skip', open.skip),
    invalid > 0 && count('import.have-errors', invalid),
  ].filter((part): part is string => part !== false)
  return `${new Intl.ListFormat(document.documentElement.lang, { style: 'long', type: 'unit' }).format(parts)}.`
}
