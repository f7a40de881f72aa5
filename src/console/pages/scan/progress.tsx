import { t } from '../../kit/language/language.ts'
import { Icon } from '../../kit/page/icon.tsx'

type Row = {
  pk: number
  text: string
  detail: string
  done: number
  of: number
  /** Both, as text. */
  progressText: string
  unit: string
}

/** The lines of an order, and the completed quantity of each. */
export const Progress = ({ title, rows }: { title: string; rows: readonly Row[] }) => (
  <ul class="scan-progress" aria-label={title}>
    {rows.map(({ pk, text, detail, done, of, progressText, unit }) => (
      <li key={pk} class={done >= of ? 'complete' : ''}>
        <span class="scan-progress-name">
          <strong>{text}</strong>
          <small>{detail}</small>
        </span>
        <span class="scan-progress-quantity">
          <strong>{progressText}</strong>
          <small>{unit}</small>
        </span>
        <progress max={of} value={Math.min(done, of)} aria-label={text} />
        <span class="scan-progress-done">
          {done >= of && (
            <>
              <Icon name="check" />
              <span class="visually-hidden">{t('scan.complete')}</span>
            </>
          )}
        </span>
      </li>
    ))}
  </ul>
)
