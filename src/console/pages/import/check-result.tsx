import { count, language, t } from '../../kit/language/language.ts'
import { Icon } from '../../kit/page/icon.tsx'
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
  onUndo: () => void
}

/** What the import would do, or did, and the button that does it. */
export function CheckResult({ session, summary, isBusy, onAccept, onUndo }: Properties) {
  const { open, accepted, invalid, errors, created, created_count } = summary
  const openCount = sumCounts(open)
  const acceptedCount = sumCounts(accepted)
  const { list } = IMPORT_TYPES[session.model_type] ?? {}
  return (
    <Panel title={t(acceptedCount > 0 ? 'import.result' : 'import.dry-run')}>
      {acceptedCount > 0 && (
        <>
          <p class="import-summary">{t('import.done', { what: joinParts(describeCounts(accepted, 'import.did-create')) })}</p>
          <div class="buttons">
            {list && accepted.create + accepted.update > 0 && (
              <a
                class={openCount > 0 ? 'button' : 'button primary'}
                href={`${list}${list.includes('?') ? '&' : '?'}imported=${session.pk}`}
              >
                {t('import.show-imported')}
              </a>
            )}
            <button type="button" disabled={isBusy} onClick={onUndo}>
              <Icon name="undo" />
              {t('import.undo')}
            </button>
          </div>
        </>
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
      {openCount + invalid > 0 && (
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
      )}
    </Panel>
  )
}

/** "12 will be created, 3 updated, 2 skipped, 1 has an error". */
const describeOpen = ({ open, invalid }: Summary): string =>
  `${joinParts([...describeCounts(open, 'import.will-create'), ...(invalid > 0 ? [count('import.have-errors', invalid)] : [])])}.`

/** The counts that are not 0, in words. @param created the text of new objects */
const describeCounts = (
  { create, update, unchanged, skip }: Summary['open'],
  created: 'import.will-create' | 'import.did-create',
): string[] =>
  (
    [
      [created, create],
      ['import.will-update', update],
      ['import.will-keep', unchanged],
      ['import.will-skip', skip],
    ] as const
  ).flatMap(([text, rows]) => (rows > 0 ? [count(text, rows)] : []))

const joinParts = (parts: readonly string[]): string =>
  new Intl.ListFormat(language.value, { style: 'long', type: 'unit' }).format(parts)
