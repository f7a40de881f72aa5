import { count, moment, t } from '../../kit/language.ts'
import { refusalText, type Station, shortened } from '../../scanner/station.ts'
import type { KeptScan } from '../../scanner/waiting-scans.ts'
import { askWhatLacks } from './modes/receive.tsx'

/** The scans that the service does not have yet, and those that it refused when it got them: somebody decides what becomes of these. */
export function Kept({ station }: { station: Station }) {
  const { value: kept } = station.kept
  if (kept.length === 0) return null
  return (
    <section class="scan-kept" aria-label={t('scan.kept-title')}>
      <h2>{count('scan.kept', kept.length)}</h2>
      <ul>
        {kept.map((scan) => (
          <li key={scan.place} class={scan.refused ? 'tone-refused' : 'tone-waits'}>
            <p>
              <strong>{t(`scan.action.${scan.entry.action}`)}</strong> {shortened(scan.entry.barcode)}
              <small>
                {moment(scan.entry.time)} · {scan.refused ? refusalText(scan.refused) : t('scan.waits')}
              </small>
            </p>
            {scan.refused && <Decide scan={scan} refused={scan.refused} station={station} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

type DecideProperties = { scan: KeptScan; refused: NonNullable<KeptScan['refused']>; station: Station }

const Decide = ({ scan, refused, station }: DecideProperties) => (
  <div class="buttons">
    <button
      type="button"
      onClick={() => {
        const again = (more: Record<string, unknown>) => station.tryAgain(scan, more)
        station.inTurn(async () => {
          if (!(await askWhatLacks(refused, station, again))) await again({})
        })
      }}
    >
      {t('scan.try-again')}
    </button>
    <button type="button" class="danger" onClick={() => void station.giveUp(scan)}>
      {t('scan.give-up')}
    </button>
  </div>
)
