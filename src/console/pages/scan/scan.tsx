import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type PlainKey, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { navigate, readQuery, setQuery } from '../../kit/navigation/router.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Page, type PageProperties } from '../../kit/page/page.tsx'
import { Camera, getCameraProblem } from '../../scanner/camera.tsx'
import { isCameraEnabled, useScans } from '../../scanner/scanner.ts'
import { station } from '../../scanner/scans.tsx'
import { formatCode, isSoundEnabled, type Station, setSoundEnabled } from '../../scanner/station.ts'
import { CodeField } from './code-field.tsx'
import { Journal } from './journal.tsx'
import type { Mode } from './mode.ts'
import { count } from './modes/count.tsx'
import { link } from './modes/link.tsx'
import { lookUp } from './modes/lookup.tsx'
import { move } from './modes/move.tsx'
import { pick } from './modes/pick.tsx'
import { receive } from './modes/receive.tsx'
import { PendingScans } from './pending-scans.tsx'
import { addSerialNumber, dismissQuestion, QuestionForm, question } from './question.tsx'

const MODES: readonly Mode[] = [lookUp, receive, move, count, pick, link]

/** `/scan/:mode/`: looks up, receives, moves, counts, allocates or links scanned codes. */
export function ScanPage({ params }: PageProperties) {
  const ownStation = station.value
  const modes = MODES.filter(({ isFor }) => isFor())
  const mode = modes.find(({ name }) => name === params.mode) ?? lookUp
  return ownStation ? <StationPage station={ownStation} mode={mode} modes={modes} /> : null
}

function StationPage({ station, mode, modes }: { station: Station; mode: Mode; modes: readonly Mode[] }) {
  const isCameraOpen = useSignal(false)
  const processScan = useScanQueue(station, mode)
  useScans(processScan)
  // a code scanned on another page whose object has no page of its own
  const pendingCode = readQuery('look-up')
  useEffect(() => {
    if (pendingCode === undefined) return
    setQuery({ 'look-up': undefined }, { replace: true })
    processScan(pendingCode)
  }, [pendingCode])
  const problem = getCameraProblem()
  const toggleCamera = () => {
    isCameraOpen.value = !isCameraOpen.value
  }
  const canUseCamera = isCameraEnabled.value && !problem
  useCommands(
    () => [
      ...modes.map(({ name, title }, index) => ({
        keys: `Alt+${index + 1}`,
        label: () => t(title),
        run: () => navigate(`/scan/${name}/`),
      })),
      { keys: 'Alt+U', label: () => t('scan.undo-last'), run: () => station.undo() },
      { keys: 'Ctrl+Z', label: () => t('scan.undo-last'), run: () => station.undo(), isLocal: true },
      ...(canUseCamera ? [{ keys: 'Alt+K', label: () => t('scan.camera'), run: toggleCamera }] : []),
    ],
    [station, canUseCamera],
  )
  const { Panel } = mode
  return (
    <Page title={t('scan.title')} actions={<SoundSwitch />}>
      <nav class="scan-modes" aria-label={t('scan.modes')}>
        {modes.map(({ name, title, icon }, index) => (
          <a key={name} href={`/scan/${name}/`} aria-current={name === mode.name ? 'page' : undefined}>
            <Icon name={icon} />
            <span>{t(title)}</span>
            <span aria-hidden="true">
              <kbd>Alt+{index + 1}</kbd>
            </span>
          </a>
        ))}
      </nav>
      <div class="scan" data-scans="page">
        <div class="scan-work">
          <p class="scan-help">{t(mode.help)}</p>
          <Panel station={station} />
        </div>
        <div class="scan-message">
          <CodeField station={station} mode={mode} />
          {isCameraEnabled.value && <CameraButton problem={problem} isCameraOpen={isCameraOpen.value} onToggle={toggleCamera} />}
          {isCameraOpen.value && <Camera />}
          <Journal station={station}>
            {question.value && <QuestionForm key={question.value.title} prompt={question.value} station={station} />}
            <PendingScans station={station} />
          </Journal>
        </div>
      </div>
    </Page>
  )
}

/** Processes scans one after the other, however fast they arrive. */
function useScanQueue(station: Station, mode: Mode): (code: string) => void {
  useEffect(() => () => dismissQuestion(station), [mode])
  async function processScan(code: string): Promise<void> {
    const openQuestion = question.value
    if (openQuestion?.kind === 'serial-numbers') return addSerialNumber(openQuestion, code, station)
    const choose = openQuestion?.kind === 'choice' ? openQuestion.findChoice?.(code) : undefined
    if (choose) {
      question.value = undefined
      return choose()
    }
    if (openQuestion?.kind === 'choice' && openQuestion.waitingCodes) {
      openQuestion.waitingCodes.value = [...openQuestion.waitingCodes.value, code]
      return station.report({ tone: 'waits', text: t('scan.waits-for-answer'), detail: formatCode(code) })
    }
    dismissQuestion(station)
    await mode.handleScan(code, station)
  }
  return (code) => station.enqueue(() => processScan(code))
}

type CameraProperties = { problem: PlainKey | undefined; isCameraOpen: boolean; onToggle: () => void }

const CameraButton = ({ problem, isCameraOpen, onToggle }: CameraProperties) =>
  problem ? (
    <p class="scan-no-camera">{t(problem)}</p>
  ) : (
    <button type="button" class="scan-camera" aria-pressed={isCameraOpen} onClick={onToggle}>
      {t(isCameraOpen ? 'scan.camera-off' : 'scan.camera-on')}{' '}
      <span aria-hidden="true">
        <kbd>Alt+K</kbd>
      </span>
    </button>
  )

const SoundSwitch = () => (
  <label class="scan-sound">
    <input type="checkbox" checked={isSoundEnabled.value} onChange={(event) => setSoundEnabled(event.currentTarget.checked)} />
    {t('scan.sound')}
  </label>
)
