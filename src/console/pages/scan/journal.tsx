import type { ComponentChildren } from 'preact'
import { type PlainKey, t } from '../../kit/language/language.ts'
import { Icon, type IconName } from '../../kit/page/icon.tsx'
import { isOnline, sessionEnded } from '../../kit/service/api.ts'
import { isOfflineSession } from '../../kit/service/session.ts'
import { isListening } from '../../scanner/scanner.ts'
import type { ScanResult, Station } from '../../scanner/station.ts'

const ICONS: Record<ScanResult['tone'], IconName> = { found: 'search', did: 'check', rejected: 'warning', waits: 'bell' }

/**
 * The results of the last scans, newest first and large: it is read out, readable across the room, and allows undo. Below the newest are
 * its question and the scans not processed yet.
 */
export function Journal({ station, children }: { station: Station; children: ComponentChildren }) {
  const { value: lines } = station.lines
  const [newest, ...rest] = lines
  const lastUndoable = lines.find(({ undo, isUndone }) => undo && !isUndone)
  return (
    <>
      <div class={newest ? `scan-newest tone-${newest.tone}` : 'scan-newest'} role="status" aria-live="polite">
        {newest ? <JournalLine line={newest} key={newest.id} /> : <Readiness />}
      </div>
      {children}
      {lastUndoable && (
        <button type="button" class="scan-undo" onClick={() => station.undo()}>
          {t('scan.undo-last')}{' '}
          <span aria-hidden="true">
            <kbd>Alt+U</kbd>
          </span>
        </button>
      )}
      {rest.length > 0 && (
        <ol class="scan-journal" aria-label={t('scan.journal')}>
          {rest.map((line) => (
            <li key={line.id} class={`tone-${line.tone}`}>
              <JournalLine line={line} />
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

/** Shows whether scans are accepted and processed now, or the reason why not; nothing while that is unknown. */
function Readiness() {
  const messageKey: PlainKey | undefined =
    isListening.value === false
      ? 'scan.not-ready.settings'
      : sessionEnded.value
        ? 'scan.not-ready.session'
        : !isOnline.value || isOfflineSession.value
          ? 'scan.not-ready.network'
          : isListening.value && 'scan.ready'
  return messageKey ? <p class="scan-ready">{t(messageKey)}</p> : null
}

const JournalLine = ({ line: { tone, text, detail, to, isUndone } }: { line: ScanResult }) => (
  <>
    <Icon name={ICONS[tone]} />
    <p class={isUndone ? 'undone' : ''}>
      <span class="visually-hidden">{t(`scan.tone.${tone}`)}: </span>
      {to ? <a href={to}>{text}</a> : <span>{text}</span>}
      {detail && <small>{detail}</small>}
      {isUndone && <small>{t('scan.is-undone')}</small>}
    </p>
  </>
)
