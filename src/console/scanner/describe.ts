import { formatNumber, formatWithUnit, label, t } from '../kit/language/language.ts'
import { ApiError, get } from '../kit/service/api.ts'
import { type ConsumedLine, calculateConsumed } from '../kit/values/consumed-quantity.ts'
import { sumAmounts } from '../kit/values/exact.ts'
import type { ScannedObject } from './own-code.ts'
import type { ScanEntry, ScanResponse } from './waiting-scans.ts'

/** The result of a scan in one line, further details, and the URL of its object. */
export type Description = { text: string; detail?: string; to?: string }

/** A part, with the fields that results show. */
export type PartBrief = {
  pk: number
  full_name: string
  name: string
  units: string | null
  trackable: boolean
  thumbnail?: string
}

export type StockItem = {
  pk: number
  part: number
  quantity: number
  /** The allocated quantity. */
  allocated: number
  serial: string | null
  batch: string | null
  part_detail: PartBrief | null
  location_detail: { pk: number; name: string; pathstring: string } | null
}

type Line = {
  part_detail: PartBrief | null
  supplier_part_detail: { SKU: string; pack_quantity_native: number } | null
}

/** Loads a stock item with the names of its part and location, and any other fields of a caller's type. @throws ApiError */
export const readStockItem = async <More = unknown>(pk: number): Promise<StockItem & More> =>
  (await get<StockItem & More>(`/api/stock/${pk}/?part_detail=true&location_detail=true`)).body

const formatPartName = (part: PartBrief | null): string => part?.full_name || part?.name || ''

/** The quantity and the part: `40 m × Cable`, `Motor #101`. */
export const formatStock = ({ part_detail, quantity: amount, serial }: StockItem): string =>
  serial
    ? `${formatPartName(part_detail)} #${serial}`
    : `${formatWithUnit(amount, part_detail?.units)} × ${formatPartName(part_detail)}`

/** Describes the result of a scan. If its details cannot be loaded, it still reports success. */
export async function describeResult(entry: ScanEntry, response: ScanResponse): Promise<Description> {
  try {
    return await describeSuccess(entry, response)
  } catch (error) {
    if (error instanceof ApiError) return { text: t('scan.done') }
    throw error
  }
}

async function describeSuccess({ action, serial_numbers }: ScanEntry, { body }: ScanResponse): Promise<Description> {
  if (action === 'receive') return describeReceived(body.lineitem as ReceivedLine, serial_numbers as string | undefined)
  if (action === 'allocate' || action === 'build-allocate') return describeAllocation(body)
  if (action === 'link') {
    const [object] = Object.entries((body.matched ?? {}) as Record<string, ScannedObject>)
    const linkedObject = object && { ...object[1], kind: object[0] }
    return { text: t('scan.did.link', { what: linkedObject ? formatObjectName(linkedObject) : '' }), to: linkedObject?.web_url }
  }
  const [movedItem] = body.items as { pk: number; quantity: string }[]
  const item = await readStockItem(movedItem?.pk as number)
  const url = `/stock/item/${item.pk}/`
  if (action === 'move') {
    const destination = item.location_detail?.pathstring ?? ''
    return {
      text: t('scan.did.move', { what: formatStock(item), place: item.location_detail?.name ?? '' }),
      detail: destination,
      to: url,
    }
  }
  return { text: t('scan.did.count', { what: formatStock(item) }), detail: item.location_detail?.pathstring, to: url }
}

/**
 * Describes an allocation: quantity, item, and the total allocated to its line; for a build order also the part it substitutes, and the
 * output it goes into.
 */
async function describeAllocation(body: ScanResponse['body']): Promise<Description> {
  const { stock_item, allocation, quantity: sentQuantity, build_line, line_item, output } = body as AllocationBody
  const [item, line, outputItem] = await Promise.all([
    readStockItem(stock_item),
    get<AllocationLine>(
      build_line ? `/api/build/line/${build_line}/?build_detail=true` : `/api/order/so-line/${line_item}/?part_detail=true`,
    ),
    output ? get<StockItem>(`/api/stock/${output}/`) : undefined,
  ])
  const { part_detail: linePart, allocated, quantity: total } = line.body
  const detail = [
    item.serial && `#${item.serial}`,
    build_line && linePart && linePart.pk !== item.part && t('scan.substitute-for', { part: formatPartName(linePart) }),
    outputItem &&
      t('scan.into-output', { output: outputItem.body.serial ? `#${outputItem.body.serial}` : String(outputItem.body.pk) }),
    t('scan.of', { done: formatNumber(sumAmounts([allocated, calculateConsumed(line.body)])), of: formatNumber(total) }),
  ]
  const amount = formatWithUnit(allocation?.quantity ?? sentQuantity, item.part_detail?.units)
  return {
    text: t('scan.did.allocate', { many: amount, part: formatPartName(item.part_detail) }),
    detail: detail.filter(Boolean).join(' · '),
    to: `/stock/item/${item.pk}/`,
  }
}

type AllocationBody = {
  stock_item: number
  quantity: number | string
  allocation?: { quantity?: number | string }
  line_item?: number
  build_line?: number
  output?: number | null
}

/** A line that stock is allocated to. */
type AllocationLine = ConsumedLine & { part_detail: PartBrief | null; quantity: number; allocated: number }

type ReceivedLine = { pk: number; quantity?: string; location?: number }

async function describeReceived({ pk, quantity: packs = '0', location }: ReceivedLine, serials?: string): Promise<Description> {
  const [line, destination] = await Promise.all([
    get<Line>(`/api/order/po-line/${pk}/?part_detail=true`),
    location === undefined ? undefined : get<{ name: string }>(`/api/stock/location/${location}/`),
  ])
  const { part_detail: part, supplier_part_detail: supplierPart } = line.body
  const packSize = supplierPart?.pack_quantity_native ?? 1
  const parameters = { many: formatWithUnit(Number(packs) * packSize, part?.units), part: formatPartName(part) }
  const detail = [
    supplierPart?.SKU,
    packSize === 1 ? undefined : t('scan.packs-of', { packs: formatNumber(packs), size: formatWithUnit(packSize, part?.units) }),
    serials && `${label('serial_numbers')}: ${serials}`,
  ]
  return {
    text: destination
      ? t('scan.did.receive', { ...parameters, place: destination.body.name })
      : t('scan.did.receive-no-location', parameters),
    detail: detail.filter(Boolean).join(' · '),
  }
}

/** The name of an object, by its kind. */
export function formatObjectName({ kind, pk, instance = {} }: ScannedObject): string {
  const text = (name: string) => (typeof instance[name] === 'string' ? (instance[name] as string) : '')
  const namesByKind: Record<string, string> = {
    part: [text('IPN'), text('name')].filter(Boolean).join(' · '),
    supplierpart: text('SKU'),
    manufacturerpart: text('MPN'),
    stocklocation: text('pathstring') || text('name'),
    stockitem: text('serial') && `#${text('serial')}`,
  }
  return namesByKind[kind] || text('reference') || `${kind} ${pk}`
}
