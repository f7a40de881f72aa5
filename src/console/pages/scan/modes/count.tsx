import { formatWithUnit, t } from '../../../kit/language/language.ts'
import { ApiError } from '../../../kit/service/api.ts'
import { hasPermission } from '../../../kit/service/session.ts'
import { compare, subtract } from '../../../kit/values/exact.ts'
import { formatStock, readStockItem, type StockItem } from '../../../scanner/describe.ts'
import { formatCode, type Station } from '../../../scanner/station.ts'
import { isDone } from '../../../scanner/waiting-scans.ts'
import { distributeLoss, listBelowAllocated } from '../../stock/release.tsx'
import { type Mode, selectScanned } from '../mode.ts'
import { question } from '../question.tsx'
import { findLocationOrStock } from './move.tsx'

export const count: Mode = {
  name: 'count',
  title: 'scan.mode.count',
  icon: 'count',
  help: 'scan.help.count',
  isFor: () => hasPermission('add', 'stock'),
  async handleScan(code, station) {
    const object = await findLocationOrStock(code, station)
    if (!object) return
    if (object.kind === 'stocklocation') return selectScanned('place', code, station)
    const item = await readStockItem(object.pk).catch((error) => {
      if (error instanceof ApiError && error.status === 0) return undefined
      throw error
    })
    const submitQuantity = (reply: string) => postCount(code, item, { quantity: reply }, station)
    // a serialized item is either there or not
    if (item?.serial) return postCount(code, item, { quantity: '1' }, station)
    station.report({
      tone: 'found',
      text: item ? formatStock(item) : formatCode(code),
      detail: item
        ? t('scan.expected', { many: formatItemQuantity(item), place: item.location_detail?.pathstring ?? t('scan.no-location') })
        : undefined,
    })
    question.value = {
      kind: 'quantity',
      title: t('scan.how-many', { part: item?.part_detail?.full_name ?? formatCode(code) }),
      unit: item?.part_detail?.units ?? '',
      expected: item?.quantity,
      submit: submitQuantity,
    }
  },
  Panel: () => null,
}

const formatItemQuantity = ({ quantity: amount, part_detail }: StockItem): string => formatWithUnit(amount, part_detail?.units)

type CountFields = { quantity: string; release_allocations?: readonly string[] }

async function postCount(code: string, item: StockItem | undefined, reply: CountFields, station: Station): Promise<void> {
  const response = await station.execute('count', code, reply)
  if (!response || isDone(response)) return
  const [belowAllocation] = listBelowAllocated(response.field_errors ?? [])
  if (!belowAllocation) return station.reportError(response, code)
  const formatQuantity = (amount: string) => formatWithUnit(amount, item?.part_detail?.units)
  const missing = subtract(belowAllocation.allocated, reply.quantity)
  const { losses } = distributeLoss(belowAllocation.allocations, missing)
  const newest = belowAllocation.allocations.filter(({ id }) => losses.has(id))
  const release = (ids: readonly string[]) => () => postCount(code, item, { ...reply, release_allocations: ids }, station)
  const orders = newest.map(({ id, reference }) =>
    t('scan.order-loses', { reference, quantity: formatQuantity(losses.get(id) as string) }),
  )
  // the other orders with enough allocated can release all of it
  const otherAllocations = belowAllocation.allocations.filter(
    ({ id, quantity }) => id !== newest[0]?.id && compare(quantity, missing) >= 0,
  )
  question.value = {
    kind: 'choice',
    title: t('scan.release', {
      part: item?.part_detail?.full_name ?? formatCode(code),
      counted: formatQuantity(reply.quantity),
      allocated: formatQuantity(belowAllocation.allocated),
      missing: formatQuantity(missing),
    }),
    choices: [
      { text: orders.join(', '), choose: release(newest.map(({ id }) => id)) },
      ...otherAllocations.map(({ id, reference }) => ({
        text: t('scan.order-loses', { reference, quantity: formatQuantity(missing) }),
        choose: release([id]),
      })),
    ],
  }
}
