import { SEPARATORS } from '../../../../spreadsheets/delimited-text.ts'
import { ENCODINGS } from '../../../../spreadsheets/text-encoding.ts'
import { formatNumber, t } from '../../../kit/language/language.ts'

/** The settings with which the service read a file. */
export type ReadSettings = {
  /** Number of the heading row; 0 if there is none. */
  heading_row: number | undefined
  sheet: string | null
  sheets: readonly string[]
  /** Null for a workbook. */
  separator: string | null
  encoding: string | null
}

/** Minimum number of rows offered as the heading row. */
const MAX_HEADING_ROWS = 30

const SEPARATOR_NAMES = {
  '\t': 'parts.separator-tab',
  ';': 'parts.separator-semicolon',
  '|': 'parts.separator-bar',
  ',': 'parts.separator-comma',
} as const

type Properties = {
  settings: ReadSettings
  /** Whether it was pasted, so that there is no encoding to select. */
  isPasted: boolean
  isBusy: boolean
  onChoose: (changes: Partial<ReadSettings>) => void
}

/** Lets the reader correct how the service read a file: its sheet, heading row, separator and encoding. */
export function ReadSettingsForm({ settings, isPasted, isBusy, onChoose }: Properties) {
  const { heading_row: row = 0, sheet, sheets, separator, encoding } = settings
  const rows = Array.from({ length: Math.max(MAX_HEADING_ROWS, row) + 1 }, (_, rowNumber) => rowNumber)
  return (
    <div class="reading-choices">
      {sheets.length > 1 && (
        <label class="field">
          {t('parts.import-sheet')}
          <select value={sheet ?? ''} disabled={isBusy} onChange={(event) => onChoose({ sheet: event.currentTarget.value })}>
            {[...new Set([...sheets, sheet ?? ''])].filter(Boolean).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <label class="field">
        {t('parts.import-heading-row')}
        <select
          value={String(row)}
          disabled={isBusy}
          onChange={(event) => onChoose({ heading_row: Number(event.currentTarget.value) })}
        >
          {rows.map((rowNumber) => (
            <option key={rowNumber} value={String(rowNumber)}>
              {rowNumber === 0 ? t('parts.import-no-headings') : formatNumber(rowNumber)}
            </option>
          ))}
        </select>
      </label>
      {separator !== null && (
        <label class="field">
          {t('parts.import-separator')}
          <select value={separator} disabled={isBusy} onChange={(event) => onChoose({ separator: event.currentTarget.value })}>
            {SEPARATORS.map((sign) => (
              <option key={sign} value={sign}>
                {t(SEPARATOR_NAMES[sign])}
              </option>
            ))}
          </select>
        </label>
      )}
      {encoding !== null && !isPasted && (
        <label class="field">
          {t('parts.import-encoding')}
          <select value={encoding} disabled={isBusy} onChange={(event) => onChoose({ encoding: event.currentTarget.value })}>
            {ENCODINGS.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
    </div>
  )
}
