import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { count, label, moment, number, t } from '../../kit/language/language.ts'
import { get, Refusal } from '../../kit/service/api.ts'
import { readStock, stockName } from '../../scanner/describe.ts'
import { type Kind, ownCode } from '../../scanner/own-code.ts'
import { refusalText, type Station, shortened } from '../../scanner/station.ts'
import type { KeptScan, ScanEntry } from '../../scanner/waiting-scans.ts'
import { asksWhatPickingLacks } from './modes/pick.tsx'
import { askForShortages } from './modes/receive.tsx'

/** The scans that the service has not received yet, and those it rejected later, which the user decides on. */
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
              <strong>{t(`scan.action.${scan.entry.action}`)}</strong> <What entry={scan.entry} />
              <small>
                {moment(scan.entry.time)} · {scan.refused ? refusalText(scan.refused) : t('scan.waits')}
              </small>
            </p>
            <Decide scan={scan} station={station} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The action of a scan and its targets, as far as they are known without a network. */
function What({ entry }: { entry: ScanEntry }) {
  const { barcode, quantity, location } = entry
  const own = ownCode(barcode)
  const what = useNamed(own?.kind === 'stockitem' ? own.pk : undefined, async (pk) => stockName(await readStock(pk)))
  const place = useNamed(typeof location === 'number' ? location : undefined, placeName)
  return (
    <>
      {[
        own ? `${t(`scan.kind.${own.kind as Kind}`)} ${what ?? own.pk}` : shortened(barcode),
        quantity !== undefined && quantity !== null && `${label('quantity')}: ${number(String(quantity))}`,
        place && `${label('location')}: ${place}`,
      ]
        .filter(Boolean)
        .join(' · ')}
    </>
  )
}

const placeName = async (pk: number): Promise<string> => {
  const { body } = await get<{ pathstring: string; name: string }>(`/api/stock/location/${pk}/`)
  return body.pathstring || body.name
}

/** The name of an object; its key until the name is loaded. */
function useNamed(pk: number | undefined, read: (pk: number) => Promise<string>): string | undefined {
  const name = useSignal(pk === undefined ? undefined : String(pk))
  useEffect(() => {
    if (pk === undefined) return
    read(pk).then(
      (text) => {
        name.value = text
      },
      (error) => {
        if (!(error instanceof Refusal)) throw error
      },
    )
  }, [pk])
  return name.value
}

/** Actions that retry or cancel a pending or rejected scan. */
function Decide({ scan, station }: { scan: KeptScan; station: Station }) {
  const { refused } = scan
  return (
    <div class="buttons">
      {refused && (
        <button
          type="button"
          onClick={() => {
            const again = (more: Record<string, unknown>) => station.tryAgain(scan, more)
            station.inTurn(async () => {
              if (await askForShortages(refused, station, again)) return
              if (!(await asksWhatPickingLacks(scan.entry, refused, station, again))) await again({})
            })
          }}
        >
          {t('scan.try-again')}
        </button>
      )}
      <button type="button" class="danger" onClick={() => void station.giveUp(scan)}>
        {t('scan.give-up')}
      </button>
    </div>
  )
}
