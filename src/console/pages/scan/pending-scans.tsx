import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { count, formatDateTime, formatNumber, label, t } from '../../kit/language/language.ts'
import { ApiError, get } from '../../kit/service/api.ts'
import { formatStock, readStockItem } from '../../scanner/describe.ts'
import { type CodeKind, parseInternalCode } from '../../scanner/own-code.ts'
import { formatCode, type Station, scanErrorText } from '../../scanner/station.ts'
import type { PendingScan, ScanEntry } from '../../scanner/waiting-scans.ts'
import { askForPickDetails } from './modes/pick.tsx'
import { askForMissingDetails } from './modes/receive.tsx'

/** The scans that the service has not received yet, and those that it rejected later: the user retries or cancels them. */
export function PendingScans({ station }: { station: Station }) {
  const { value: pending } = station.pendingScans
  if (pending.length === 0) return null
  return (
    <section class="scan-pending" aria-label={t('scan.pending-title')}>
      <h2>{count('scan.pending', pending.length)}</h2>
      <ul>
        {pending.map((scan) => (
          <li key={scan.place} class={scan.refused ? 'tone-rejected' : 'tone-waits'}>
            <p>
              <strong>{t(`scan.action.${scan.entry.action}`)}</strong> <ScanSummary entry={scan.entry} />
              <small>
                {formatDateTime(scan.entry.time)} · {scan.refused ? scanErrorText(scan.refused) : t('scan.waits')}
              </small>
            </p>
            <PendingScanActions scan={scan} station={station} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The action of a scan and its targets, as far as they are known without a network. */
function ScanSummary({ entry }: { entry: ScanEntry }) {
  const { barcode, quantity, location } = entry
  const internalCode = parseInternalCode(barcode)
  const itemName = useObjectName(internalCode?.kind === 'stockitem' ? internalCode.pk : undefined, async (pk) =>
    formatStock(await readStockItem(pk)),
  )
  const locationName = useObjectName(typeof location === 'number' ? location : undefined, readLocationName)
  return (
    <>
      {[
        internalCode ? `${t(`scan.kind.${internalCode.kind as CodeKind}`)} ${itemName ?? internalCode.pk}` : formatCode(barcode),
        quantity !== undefined && quantity !== null && `${label('quantity')}: ${formatNumber(String(quantity))}`,
        locationName && `${label('location')}: ${locationName}`,
      ]
        .filter(Boolean)
        .join(' · ')}
    </>
  )
}

const readLocationName = async (pk: number): Promise<string> => {
  const { body } = await get<{ pathstring: string; name: string }>(`/api/stock/location/${pk}/`)
  return body.pathstring || body.name
}

/** The name of an object; its key until the name is loaded. */
function useObjectName(pk: number | undefined, read: (pk: number) => Promise<string>): string | undefined {
  const name = useSignal(pk === undefined ? undefined : String(pk))
  useEffect(() => {
    if (pk === undefined) return
    read(pk).then(
      (text) => {
        name.value = text
      },
      (error) => {
        if (!(error instanceof ApiError)) throw error
      },
    )
  }, [pk])
  return name.value
}

/** Actions that retry or cancel a pending or rejected scan. */
function PendingScanActions({ scan, station }: { scan: PendingScan; station: Station }) {
  const { refused: rejection } = scan
  return (
    <div class="buttons">
      {rejection && (
        <button
          type="button"
          onClick={() => {
            const retry = (more: Record<string, unknown>) => station.retry(scan, more)
            station.enqueue(async () => {
              if (await askForMissingDetails(rejection, station, retry)) return
              if (!(await askForPickDetails(scan.entry, rejection, station, retry))) await retry({})
            })
          }}
        >
          {t('scan.try-again')}
        </button>
      )}
      <button type="button" class="danger" onClick={() => void station.discard(scan)}>
        {t('scan.cancel')}
      </button>
    </div>
  )
}
