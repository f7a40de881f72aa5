import { quantity, t } from '../../../kit/language/language.ts'
import { ApiError } from '../../../kit/service/api.ts'
import { may } from '../../../kit/service/session.ts'
import { compare, minus } from '../../../kit/values/exact.ts'
import { readStock, type StockItem, stockName } from '../../../scanner/describe.ts'
import { type Station, shortened } from '../../../scanner/station.ts'
import { isDone } from '../../../scanner/waiting-scans.ts'
import { belowAllocated, lossesOf } from '../../stock/release.tsx'
import { chooseScanned, type Mode } from '../mode.ts'
import { question } from '../question.tsx'
import { findLocationOrStock } from './move.tsx'

export const count: Mode = {
  name: 'count',
  title: 'scan.mode.count',
  icon: 'count',
  help: 'scan.help.count',
  isFor: () => may('add', 'stock'),
  async handleScan(code, station) {
    const object = await findLocationOrStock(code, station)
    if (!object) return
    if (object.kind === 'stocklocation') return chooseScanned('place', code, station)
    const item = await readStock(object.pk).catch((error) => {
      if (error instanceof ApiError && error.status === 0) return undefined
      throw error
    })
    const write = (reply: string) => postCount(code, item, { quantity: reply }, station)
    // a serialized item is either there or not
    if (item?.serial) return postCount(code, item, { quantity: '1' }, station)
    station.report({
      tone: 'found',
      text: item ? stockName(item) : shortened(code),
      more: item
        ? t('scan.should-be', { many: quantityOf(item), place: item.location_detail?.pathstring ?? t('scan.nowhere') })
        : undefined,
    })
    question.value = {
      kind: 'quantity',
      title: t('scan.how-many', { part: item?.part_detail?.full_name ?? shortened(code) }),
      unit: item?.part_detail?.units ?? '',
      expected: item?.quantity,
      submit: write,
    }
  },
  Panel: () => null,
}

const quantityOf = ({ quantity: amount, part_detail }: StockItem): string => quantity(amount, part_detail?.units)

type CountReply = { quantity: string; release_allocations?: readonly string[] }

async function postCount(code: string, item: StockItem | undefined, reply: CountReply, station: Station): Promise<void> {
  const response = await station.execute('count', code, reply)
  if (!response || isDone(response)) return
  const [below] = belowAllocated(response.field_errors ?? [])
  if (!below) return station.reportError(response, code)
  const formatQuantity = (amount: string) => quantity(amount, item?.part_detail?.units)
  const missing = minus(below.allocated, reply.quantity)
  const { losses } = lossesOf(below.allocations, missing)
  const newest = below.allocations.filter(({ id }) => losses.has(id))
  const release = (ids: readonly string[]) => () => postCount(code, item, { ...reply, release_allocations: ids }, station)
  const orders = newest.map(({ id, reference }) =>
    t('scan.order-loses', { reference, quantity: formatQuantity(losses.get(id) as string) }),
  )
  // the other orders with enough allocated can release all of it
  const otherAllocations = below.allocations.filter(({ id, quantity }) => id !== newest[0]?.id && compare(quantity, missing) >= 0)
  question.value = {
    kind: 'choice',
    title: t('scan.release', {
      part: item?.part_detail?.full_name ?? shortened(code),
      counted: formatQuantity(reply.quantity),
      allocated: formatQuantity(below.allocated),
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
